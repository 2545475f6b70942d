//! Reads `output` blocks: the verdict needs their values and preconditions.

use super::{Output, names, reader::Reader, rule};
use crate::{
    syntax::{
        Expr, ExprKind,
        analysis::{Traversal, absolute_traversal, as_list},
        config::{AttributeSchema, BlockSchema, ConfigAttribute, ConfigBlock, Schema},
        parse_expression,
    },
    version::Version,
};

const SCHEMA: Schema = Schema {
    attributes: &[
        AttributeSchema { name: "description", required: false },
        AttributeSchema { name: "value", required: false },
        AttributeSchema { name: "sensitive", required: false },
        AttributeSchema { name: "ephemeral", required: false },
        AttributeSchema { name: "depends_on", required: false },
        AttributeSchema { name: "deprecated", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "precondition", labels: &[] },
        BlockSchema { kind: "postcondition", labels: &[] },
    ],
};

/// Reads an `output` block, which has its one label.
pub(super) fn read(reader: &mut Reader<'_>, block: &ConfigBlock<'_>) -> Option<Output> {
    let label = block.labels.first()?;
    let kind = "output name";
    reader.diagnostics.extend(names::check(reader.rule, kind, &label.text, label.span));
    let content = reader.content(block.body, &SCHEMA);
    let argument = |name: &str| content.attribute(name);
    if argument("value").is_none() && !reader.is_override {
        let detail = "The argument \"value\" is required here.";
        reader.error("Missing required argument", detail, block.header);
    }
    reader.since(argument("deprecated"), Version::new(1, 15, 0));
    reader.string(argument("description"));
    let mut output = Output {
        name: label.text.clone(),
        value: argument("value").map(|it| reader.expression(it)),
        sensitive: reader.bool(argument("sensitive")),
        ephemeral: reader.bool(argument("ephemeral")),
        preconditions: Vec::new(),
        depends_on: depends_on(reader, argument("depends_on")),
        span: block.header,
    };
    for it in &content.blocks {
        if reader.is_override {
            let summary = format!("Can't override {} blocks", it.kind.name);
            let detail = "An override file cannot change an output's conditions.";
            reader.error(&summary, detail, it.header);
        } else if it.kind.name == "precondition" {
            output.preconditions.extend(rule::read_condition(reader, it, "precondition"));
        } else {
            let detail = "An output can have preconditions only.";
            reader.error("Postconditions are not allowed", detail, it.header);
        }
    }
    Some(output)
}

/// A list of references, each to a whole object; strings are an old way to write them.
fn depends_on(reader: &mut Reader<'_>, argument: Option<&ConfigAttribute<'_>>) -> Vec<Expr> {
    let Some(argument) = argument else { return Vec::new() };
    let expr = reader.expression(argument);
    let Some(elements) = as_list(&expr) else {
        reader.error("Invalid expression", "A list of references is required here.", expr.span);
        return Vec::new();
    };
    let mut references = Vec::new();
    for element in elements {
        let element = &unquoted(element);
        match absolute_traversal(element) {
            Some(it) if is_value(&it) && it.steps.len() != 1 => {
                let detail = "It has to name the whole variable or local, not a part of it.";
                reader.error("Invalid depends_on reference", detail, element.span);
            }
            Some(_) => references.push(element.clone()),
            None => {
                let detail = "A plain reference is required here.";
                reader.error("Invalid expression", detail, element.span);
            }
        }
    }
    references
}

/// The expression that a string holds.
fn unquoted(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::String(text) => {
            parse_expression(expr.span.file, text.as_bytes(), expr.span.start + 1).0
        }
        _ => expr.clone(),
    }
}

fn is_value(traversal: &Traversal) -> bool {
    matches!(traversal.root.name.as_str(), "var" | "local")
}
