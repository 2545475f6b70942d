//! Reads what resources have beside their own arguments: `lifecycle` and `provider`.

use smol_str::SmolStr;

use super::static_expression;
use crate::{
    eval::{Step as EvalStep, references},
    module::{Validation, names, reader::Reader, rule},
    release::changes,
    syntax::{
        Expr, ExprKind, Ident,
        analysis::{
            RelativeTraversal, Step, Traversal, absolute_traversal, as_keyword, as_list,
            relative_traversal,
        },
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
        AttributeSchema { name: "destroy", required: false },
        AttributeSchema { name: "enabled", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "precondition", labels: &[] },
        BlockSchema { kind: "postcondition", labels: &[] },
    ],
};

const OF_CALL: Schema =
    Schema { attributes: &[AttributeSchema { name: "enabled", required: false }], blocks: &[] };

/// What a `lifecycle` block holds.
#[derive(Default)]
pub(super) struct Lifecycle {
    pub preconditions: Vec<Validation>,
    pub postconditions: Vec<Validation>,
    pub replace_triggered_by: Vec<Expr>,
    pub ignored: Vec<RelativeTraversal>,
    pub enabled: Option<Expr>,
}

/// Reads a `lifecycle` block; `what` is whose, if Terraform does not manage it.
pub(super) fn read(
    reader: &mut Reader<'_>,
    block: &ConfigBlock<'_>,
    what: Option<&str>,
) -> Lifecycle {
    let mut lifecycle = Lifecycle::default();
    let content = reader.content(block.body, &LIFECYCLE);
    for it in &content.attributes {
        let name = it.name.name.as_str();
        if name == "enabled" {
            reader.since(Some(it), &changes::ENABLED);
            lifecycle.enabled = Some(reader.expression(it));
            continue;
        }
        if let Some(what) = what {
            let detail = format!("Only resources that Terraform manages take \"{name}\".");
            let summary = format!("Invalid {what} resource lifecycle argument");
            reader.error(&summary, detail, it.name.span);
            continue;
        }
        match name {
            "ignore_changes" => lifecycle.ignored = read_ignored(reader, it),
            "replace_triggered_by" if check_list(reader, it) => {
                lifecycle.replace_triggered_by = read_triggers(reader, it);
            }
            "replace_triggered_by" => (),
            "prevent_destroy"
                if reader.options.release.has(&changes::PREVENT_DESTROY_EXPRESSION) => {}
            "destroy" => {
                reader.since(Some(it), &changes::LIFECYCLE_DESTROY);
                reader.bool(Some(it));
            }
            _ => _ = reader.bool(Some(it)),
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

/// Reads the `lifecycle` block of a call.
pub(super) fn read_of_call(reader: &mut Reader<'_>, block: &ConfigBlock<'_>) -> Option<Expr> {
    let content = reader.content(block.body, &OF_CALL);
    Some(reader.expression(content.attribute("enabled")?))
}

/// `all`, or a list of attributes.
fn read_ignored(reader: &mut Reader<'_>, argument: &ConfigAttribute<'_>) -> Vec<RelativeTraversal> {
    let expr = static_expression(reader, argument);
    let mut ignored = Vec::new();
    if as_keyword(&expr) == Some("all") || !check_list(reader, argument) {
        return ignored;
    }
    for element in as_list(&expr).unwrap_or_default() {
        match &element.kind {
            // All of them, as it was written long ago.
            ExprKind::String(text) if text == "*" => (),
            ExprKind::String(text) => {
                let (file, start) = (element.span.file, element.span.start + 1);
                let (expr, problems) = parse_expression(file, text.as_bytes(), start);
                ignored.extend(relative_traversal(&expr).filter(|_| problems.is_empty()));
            }
            _ => {
                let found = relative_traversal(element);
                if found.is_none() {
                    let detail = "The attributes whose changes are ignored are required here.";
                    reader.error("Invalid expression", detail, element.span);
                }
                ignored.extend(found);
            }
        }
    }
    ignored
}

/// A list of references to resources, with nothing in a key but those to the instance.
fn read_triggers(reader: &mut Reader<'_>, argument: &ConfigAttribute<'_>) -> Vec<Expr> {
    let expr = static_expression(reader, argument);
    let is_json = argument.json_value().is_some();
    let mut triggers = Vec::new();
    if !check_list(reader, argument) {
        return triggers;
    }
    for element in as_list(&expr).unwrap_or_default() {
        let element = match &element.kind {
            ExprKind::String(text) if is_json => {
                let (file, start) = (element.span.file, element.span.start + 1);
                parse_expression(file, text.as_bytes(), start).0
            }
            _ => element.clone(),
        };
        let mut resources = 0;
        let mut is_fit = true;
        for it in references(&element) {
            match (it.name, it.first) {
                ("count", Some(EvalStep::Attribute("index")))
                | ("each", Some(EvalStep::Attribute("key"))) => (),
                (
                    "var" | "local" | "module" | "path" | "terraform" | "self" | "count" | "each"
                    | "ephemeral" | "template" | "lazy" | "arg",
                    _,
                ) => is_fit = false,
                (_, Some(EvalStep::Attribute(_))) => resources += 1,
                _ => is_fit = false,
            }
        }
        if !is_fit || resources != 1 {
            let detail = "One resource is referred to, and beside it only count.index or each.key.";
            let summary = "Invalid replace_triggered_by expression";
            reader.error(summary, detail, element.span);
        } else {
            triggers.push(element);
        }
    }
    triggers
}

fn check_list(reader: &mut Reader<'_>, argument: &ConfigAttribute<'_>) -> bool {
    let expr = static_expression(reader, argument);
    let is_list = as_list(&expr).is_some();
    if !is_list {
        reader.error("Invalid expression", "A list is required here.", argument.value_span());
    }
    is_list
}

/// `NAME` or `NAME.ALIAS`; a string that holds one is an old way to write it.
pub(super) fn read_provider(
    reader: &mut Reader<'_>,
    argument: &ConfigAttribute<'_>,
) -> Option<SmolStr> {
    let expr = static_expression(reader, argument);
    // With for_each there are many of one alias, by key.
    let at_key = match &expr.kind {
        ExprKind::Index { base, .. } if reader.options.release.has(&changes::PROVIDER_FOR_EACH) => {
            base
        }
        _ => &expr,
    };
    if let Some((root, name)) = provider_reference(at_key) {
        reader.diagnostics.extend(names::check_provider(reader.rule, &root.name, root.span));
        return Some(name);
    }
    let detail = "The name of a provider is required here, and maybe an alias behind a dot.";
    let summary = "Invalid provider configuration reference";
    reader.error(summary, detail, argument.value_span());
    None
}

/// The name of a provider, and its alias behind a dot.
pub(super) fn provider_name(expr: &Expr) -> Option<SmolStr> {
    provider_reference(expr).map(|it| it.1)
}

fn provider_reference(expr: &Expr) -> Option<(Ident, SmolStr)> {
    let parsed;
    let expr = match &expr.kind {
        ExprKind::String(text) => {
            parsed = parse_expression(expr.span.file, text.as_bytes(), expr.span.start + 1).0;
            &parsed
        }
        _ => expr,
    };
    let Traversal { root, steps, .. } = absolute_traversal(expr)?;
    let name = match steps.as_slice() {
        [] => root.name.clone(),
        [Step::Attr(alias)] => SmolStr::new(format!("{}.{}", root.name, alias.name)),
        _ => return None,
    };
    Some((root, name))
}
