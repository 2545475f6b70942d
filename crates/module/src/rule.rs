//! Reads `validation`, `precondition` and `assert` blocks.

use diagnostics::Span;
use hcl::{
    Expr, ExprKind,
    config::{AttributeSchema, BodySchema, ConfigAttribute, ConfigBlock},
    json,
};
use release::changes;
use smol_str::SmolStr;
use tf_eval::{ReferenceStep, RootReference, references};

use super::{Validation, reader::BlockReader};
use crate::{Module, Variable};

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "condition", required: true },
        AttributeSchema { name: "error_message", required: true },
    ],
    blocks: &[],
};

/// Reads a `validation` block of the variable `name`; `None` when it has no condition.
pub(super) fn read_validation(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    name: &str,
) -> Option<Validation> {
    let rule = read(reader, block)?;
    if let Some(it) = rule.error_message.as_ref().filter(|it| !is_plain(it)) {
        let what = "an error_message that is an expression";
        reader.came_with(&changes::MESSAGE_EXPRESSION, what, it.span);
    }
    let found = references(&rule.condition);
    check_any_reference(reader, "validation", &rule.condition, &found);
    if !found.iter().any(|it| is_variable(it, name)) {
        let detail = format!("A validation rule of \"{name}\" must refer to var.{name}.");
        reader.error("Invalid variable validation condition", detail, rule.condition.span);
    }
    if !reader.options.release.has(&changes::CROSS_REFERENCES) {
        check_only_itself(reader, &rule, name);
    }
    Some(rule)
}

/// Reads an output's `precondition` or a check's `assert`; `None` when it has no condition.
pub(super) fn read_condition(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    kind: &str,
) -> Option<Validation> {
    let rule = read(reader, block)?;
    let found = references(&rule.condition);
    check_any_reference(reader, kind, &rule.condition, &found);
    Some(rule)
}

fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Validation> {
    let content = reader.content(block.body, &SCHEMA);
    Some(Validation {
        condition: condition(content.attribute("condition")?),
        error_message: content.attribute("error_message").map(message),
        plain_message: content.attribute("error_message").and_then(plain_message),
        span: block.header,
        index: None,
    })
}

/// A condition. A JSON string that is not a template has no references, and Terraform complains of that.
fn condition(argument: &ConfigAttribute<'_>) -> Expr {
    let (expr, problems) = argument.expression();
    if problems.is_empty() {
        return expr.into_owned();
    }
    Expr { kind: ExprKind::Invalid, span: argument.value_span() }
}

/// A message. A JSON string that is not a template is the message itself.
fn message(argument: &ConfigAttribute<'_>) -> Expr {
    let (expr, problems) = argument.expression();
    if problems.is_empty() {
        return expr.into_owned();
    }
    argument.literal().0.into_owned()
}

fn plain_message(argument: &ConfigAttribute<'_>) -> Option<SmolStr> {
    match &argument.json_value()?.kind {
        json::ValueKind::String(text) => Some(text.as_str().into()),
        _ => None,
    }
}

fn check_any_reference(
    reader: &mut BlockReader<'_>,
    kind: &str,
    expr: &Expr,
    found: &[RootReference<'_>],
) {
    if found.is_empty() {
        let summary = format!("Invalid {kind} expression");
        let detail = "The condition must refer to an object, or its result would always be the \
            same.";
        reader.error(&summary, detail, expr.span);
    }
}

/// Before Terraform 1.9 a rule could refer to nothing but its own variable.
fn check_only_itself(reader: &mut BlockReader<'_>, rule: &Validation, name: &str) {
    let exprs = [Some(&rule.condition), rule.error_message.as_ref()];
    let found = exprs.into_iter().flatten().flat_map(references);
    let others: Vec<Span> = found.filter(|it| !is_variable(it, name)).map(|it| it.span).collect();
    for span in others {
        let detail =
            format!("Before Terraform 1.9, a rule of \"{name}\" can refer only to var.{name}.");
        reader.error("Invalid reference in variable validation", detail, span);
    }
}

fn is_plain(message: &Expr) -> bool {
    matches!(message.kind, ExprKind::String(_))
}

fn is_variable(reference: &RootReference<'_>, name: &str) -> bool {
    reference.name == "var" && reference.first == Some(ReferenceStep::Attribute(name))
}

/// Says what the rules of the module that it was made for demand, such as `a string of 3 to 63 characters`.
pub trait RuleWords {
    /// The demand of a rule, by its place among the variable's rules; `None` if words would not express all of it, or
    /// would show a secret.
    fn demand(&self, module: &Module, variable: &Variable, index: usize) -> Option<String>;
}

/// Makes the words of a module's rules. Data that all of its rules need is computed once.
pub type WordsOf = fn(&Module) -> Box<dyn RuleWords>;
