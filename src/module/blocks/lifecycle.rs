//! Checks what resources have beside their own arguments: `lifecycle`, `provisioner`, `provider`.

use smol_str::SmolStr;

use super::{refuse_reserved, refuse_second, static_expression, word};
use crate::{
    module::{Body, Validation, names, reader::Reader, rule},
    syntax::{
        Expr, ExprKind,
        analysis::{Step, Traversal, absolute_traversal, as_keyword, as_list, relative_traversal},
        config::{AttributeSchema, BlockSchema, ConfigAttribute, ConfigBlock, Schema},
        parse_expression,
    },
};

/// Arguments for resources that Terraform manages.
const MANAGING: [&str; 4] =
    ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];

const LIFECYCLE: Schema = Schema {
    attributes: &[
        AttributeSchema { name: MANAGING[0], required: false },
        AttributeSchema { name: MANAGING[1], required: false },
        AttributeSchema { name: MANAGING[2], required: false },
        AttributeSchema { name: MANAGING[3], required: false },
    ],
    blocks: &[
        BlockSchema { kind: "precondition", labels: &[] },
        BlockSchema { kind: "postcondition", labels: &[] },
    ],
};

const PROVISIONER: Schema = Schema {
    attributes: &[
        AttributeSchema { name: "when", required: false },
        AttributeSchema { name: "on_failure", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "connection", labels: &[] },
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "locals", labels: &[] },
        BlockSchema { kind: "_", labels: &[] },
    ],
};

/// What a `lifecycle` block holds.
#[derive(Default)]
pub(super) struct Lifecycle {
    pub preconditions: Vec<Validation>,
    pub postconditions: Vec<Validation>,
    pub replace_triggered_by: Vec<Expr>,
}

/// Reads a `lifecycle` block; `what` is whose, if Terraform does not manage it.
pub(super) fn read(
    reader: &mut Reader<'_>,
    block: &ConfigBlock<'_>,
    what: Option<&str>,
) -> Lifecycle {
    let mut lifecycle = Lifecycle::default();
    let content = reader.known_content(block.body, &LIFECYCLE);
    for it in &content.attributes {
        let name = it.name.name.as_str();
        if let Some(what) = what {
            let detail = format!("Only resources that Terraform manages take \"{name}\".");
            let summary = format!("Invalid {what} resource lifecycle argument");
            reader.error(&summary, detail, it.name.span);
            continue;
        }
        match name {
            "ignore_changes" => check_ignored(reader, it),
            "replace_triggered_by" if check_list(reader, it) => {
                let expr = static_expression(reader, it);
                lifecycle.replace_triggered_by = as_list(&expr).unwrap_or_default().to_vec();
            }
            "replace_triggered_by" => (),
            _ if reader.knows_all_arguments() => _ = reader.bool(Some(it)),
            _ => (),
        }
    }
    for it in &content.blocks {
        let condition = rule::read_condition(reader, it, &it.kind.name);
        match it.kind.name.as_str() {
            "precondition" => lifecycle.preconditions.extend(condition),
            _ => lifecycle.postconditions.extend(condition),
        }
    }
    lifecycle
}

/// `all`, or a list of attributes.
fn check_ignored(reader: &mut Reader<'_>, argument: &ConfigAttribute<'_>) {
    let expr = static_expression(reader, argument);
    if as_keyword(&expr) == Some("all") || !check_list(reader, argument) {
        return;
    }
    for element in as_list(&expr).unwrap_or_default() {
        let is_text = matches!(&element.kind, ExprKind::String(text) if text != "*");
        if !is_text && relative_traversal(element).is_none() {
            let detail = "The attributes whose changes are ignored are required here.";
            reader.error("Invalid expression", detail, element.span);
        }
    }
}

fn check_list(reader: &mut Reader<'_>, argument: &ConfigAttribute<'_>) -> bool {
    let expr = static_expression(reader, argument);
    let is_list = as_list(&expr).is_some();
    if !is_list {
        reader.error("Invalid expression", "A list is required here.", argument.value_span());
    }
    is_list
}

/// Reads a `provisioner` block.
pub(super) fn read_provisioner(reader: &mut Reader<'_>, block: &ConfigBlock<'_>) -> Body {
    let (content, problems) = block.body.partial_content(&PROVISIONER);
    reader.add(problems);
    refuse_second(reader, &content, &["connection", "_"]);
    refuse_reserved(reader, &content, &["lifecycle", "locals"], "provisioner");
    let words = [("when", ["create", "destroy"]), ("on_failure", ["continue", "fail"])];
    for (name, [one, other]) in words {
        let Some(argument) = content.attribute(name) else { continue };
        let expr = static_expression(reader, argument);
        if !word(&expr).is_some_and(|it| it == one || it == other) {
            let detail = format!("It is either {one} or {other}.");
            reader.error(&format!("Invalid \"{name}\" keyword"), detail, argument.value_span());
        }
    }
    Body::read(reader, block.body, &["when", "on_failure"])
}

/// `NAME` or `NAME.ALIAS`; a string that holds one is an old way to write it.
pub(super) fn read_provider(
    reader: &mut Reader<'_>,
    argument: &ConfigAttribute<'_>,
) -> Option<SmolStr> {
    let mut expr = static_expression(reader, argument);
    if let ExprKind::String(text) = &expr.kind {
        expr = parse_expression(expr.span.file, text.as_bytes(), expr.span.start + 1).0;
    }
    let traversal = absolute_traversal(&expr);
    let is_plain = |it: &Traversal| matches!(it.steps.as_slice(), [] | [Step::Attr(_)]);
    if let Some(it) = traversal.filter(is_plain) {
        let name = &it.root.name;
        reader.diagnostics.extend(names::check_provider(reader.rule, name, it.root.span));
        return Some(match it.steps.first() {
            Some(Step::Attr(alias)) => SmolStr::new(format!("{name}.{}", alias.name)),
            _ => name.clone(),
        });
    }
    let detail = "The name of a provider is required here, and maybe an alias behind a dot.";
    let summary = "Invalid provider configuration reference";
    reader.error(summary, detail, argument.value_span());
    None
}
