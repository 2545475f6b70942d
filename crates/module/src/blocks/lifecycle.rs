//! Reads the arguments that resources have besides their provider's: `lifecycle` and `provider`.

use smol_str::SmolStr;

use super::static_expression;
use crate::{ProviderReference, Validation, names, reader::BlockReader, rule};
use diagnostics::Span;
use hcl::{
    Expr, ExprKind, Ident,
    analysis::{
        RelativeTraversal, Traversal, TraversalStep, absolute_traversal, as_keyword, as_list,
        relative_traversal,
    },
    config::{AttributeSchema, BlockSchema, BodySchema, ConfigAttribute, ConfigBlock},
    json::{JsonValue, ValueKind},
    parse_expression,
};
use release::changes;
use tf_eval::{ReferenceStep, references};

/// Arguments for managed resources only.
const MANAGING: [&str; 5] = [
    "create_before_destroy",
    "prevent_destroy",
    "ignore_changes",
    "replace_triggered_by",
    "destroy",
];

const LIFECYCLE: BodySchema = BodySchema {
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
        BlockSchema { kind: "action_trigger", labels: &[] },
    ],
};

const ACTION_TRIGGER: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "condition", required: false },
        AttributeSchema { name: "events", required: true },
        AttributeSchema { name: "actions", required: true },
        AttributeSchema { name: "on_failure", required: false },
    ],
    blocks: &[],
};
/// The events that trigger an action; newer releases have more.
const EVENTS: [&str; 4] = ["before_create", "after_create", "before_update", "after_update"];
const LATER_EVENTS: [&str; 2] = ["before_destroy", "after_destroy"];

const OF_CALL: BodySchema =
    BodySchema { attributes: &[AttributeSchema { name: "enabled", required: false }], blocks: &[] };

/// The content of a `lifecycle` block.
#[derive(Default)]
pub(super) struct Lifecycle {
    pub preconditions: Vec<Validation>,
    pub postconditions: Vec<Validation>,
    pub replace_triggered_by: Vec<Expr>,
    pub ignored: Vec<RelativeTraversal>,
    pub ignores_all: bool,
    /// The actions that `action_trigger` blocks name.
    pub actions: Vec<Expr>,
    pub enabled: Option<Expr>,
}

/// Reads a `lifecycle` block; `what` names its owner's kind, if Terraform does not manage that.
pub(super) fn read(
    reader: &mut BlockReader<'_>,
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
            let detail = format!("Only managed resources can have \"{name}\".");
            let summary = format!("Invalid {what} resource lifecycle argument");
            reader.error(&summary, detail, it.name.span);
            continue;
        }
        match name {
            "ignore_changes" => {
                (lifecycle.ignored, lifecycle.ignores_all) = read_ignored(reader, it);
            }
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
    for it in content.blocks_of("action_trigger") {
        reader.came_with(&changes::ACTION, "\"action_trigger\" blocks", it.header);
        if reader.options.release.has(&changes::ACTION_CHECKED) {
            lifecycle.actions.extend(read_trigger(reader, it));
        }
    }
    for it in content.blocks.iter().filter(|it| it.kind.name != "action_trigger") {
        reader.uses(&changes::PRECONDITION, it.header);
        if reader.is_override {
            let summary = format!("Can't override {} blocks", it.kind.name);
            reader.error(&summary, "An override file cannot change conditions.", it.header);
            continue;
        }
        let condition = rule::read_condition(reader, it, &it.kind.name);
        match it.kind.name.as_str() {
            "precondition" => lifecycle.preconditions.extend(condition),
            _ => lifecycle.postconditions.extend(condition),
        }
    }
    lifecycle
}

/// The addresses of the actions that an `action_trigger` block names.
fn read_trigger(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Vec<Expr> {
    let content = reader.content(block.body, &ACTION_TRIGGER);
    reader.since(content.attribute("on_failure"), &changes::ACTION_DESTROY);
    let mut list = |name: &str| -> Option<Vec<Expr>> {
        let expr = static_expression(reader, content.attribute(name)?);
        Some(as_list(&expr).unwrap_or_default().to_vec())
    };
    let (events, actions) = (list("events"), list("actions"));
    let knows_later = reader.options.release.has(&changes::ACTION_DESTROY);
    let mut known = 0;
    for it in events.iter().flatten() {
        let word = as_keyword(it).unwrap_or_default();
        if EVENTS.contains(&word) || (knows_later && LATER_EVENTS.contains(&word)) {
            known += 1;
        } else {
            let detail = "An event must be a keyword such as before_create or after_update.";
            reader.error(&format!("Invalid \"event\" value {word}"), detail, it.span);
        }
    }
    if known == 0 {
        reader.error(
            "No events specified",
            "The list must name at least one event, such as before_create.",
            block.header,
        );
    }
    if actions.as_ref().is_none_or(Vec::is_empty) {
        reader.error(
            "No actions specified",
            "The list must name at least one action.",
            block.header,
        );
    }
    actions.unwrap_or_default()
}

/// Reads the `lifecycle` block of a call.
pub(super) fn read_of_call(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Expr> {
    let content = reader.content(block.body, &OF_CALL);
    Some(reader.expression(content.attribute("enabled")?))
}

/// Reads `all`, or a list of attributes; returns the list, and whether every attribute may be ignored.
fn read_ignored(
    reader: &mut BlockReader<'_>,
    argument: &ConfigAttribute<'_>,
) -> (Vec<RelativeTraversal>, bool) {
    let expr = static_expression(reader, argument);
    let (mut ignored, mut ignores_all) = (Vec::new(), false);
    if as_keyword(&expr) == Some("all") || !check_list(reader, argument) {
        return (ignored, true);
    }
    for element in as_list(&expr).unwrap_or_default() {
        let found = match &element.kind {
            ExprKind::String(text) => quoted_attribute(text, element.span),
            _ => relative_traversal(element),
        };
        if found.is_none() {
            let detail = "A list of attributes, whose changes are ignored, is required.";
            reader.error("Invalid expression", detail, element.span);
        }
        ignores_all |= found.is_none();
        ignored.extend(found);
    }
    (ignored, ignores_all)
}

/// An attribute in quotes, an old way to write it: `"tags"`, `"rule[0].name"`. In quotes, `rule.0` is not allowed.
fn quoted_attribute(text: &str, span: Span) -> Option<RelativeTraversal> {
    let (expr, problems) = parse_expression(span.file, text.as_bytes(), span.start + 1);
    let mut inner = Some(&expr);
    while let Some(it) = inner {
        inner = match &it.kind {
            ExprKind::Index { legacy: true, .. } => return None,
            ExprKind::Index { base, .. } | ExprKind::GetAttr { base, .. } => Some(&**base),
            _ => None,
        };
    }
    relative_traversal(&expr).filter(|_| problems.is_empty())
}

/// Reads a list of references to resources, whose keys may refer to the instance only.
fn read_triggers(reader: &mut BlockReader<'_>, argument: &ConfigAttribute<'_>) -> Vec<Expr> {
    let expr = static_expression(reader, argument);
    let mut triggers = Vec::new();
    if !check_list(reader, argument) {
        return triggers;
    }
    for element in as_list(&expr).unwrap_or_default() {
        let mut resources = 0;
        let mut is_fit = true;
        for it in references(element) {
            is_fit &= !it.has_unfit_key();
            match (it.name, it.steps().as_slice()) {
                ("count", [ReferenceStep::Attribute("index"), ..])
                | ("each", [ReferenceStep::Attribute("key"), ..]) => (),
                (
                    "var" | "local" | "module" | "path" | "terraform" | "self" | "count" | "each"
                    | "template" | "lazy" | "arg",
                    _,
                ) => is_fit = false,
                (
                    "data" | "resource" | "ephemeral",
                    [ReferenceStep::Attribute(_), ReferenceStep::Attribute(_), ..],
                ) => resources += 1,
                ("data" | "resource" | "ephemeral", _) => is_fit = false,
                (_, [ReferenceStep::Attribute(_), ..]) => resources += 1,
                _ => is_fit = false,
            }
        }
        if !is_fit || resources != 1 {
            let detail = "The expression must refer to exactly one resource, and otherwise only \
                to count.index or each.key.";
            let summary = "Invalid replace_triggered_by expression";
            reader.error(summary, detail, element.span);
        } else {
            triggers.push(element.clone());
        }
    }
    triggers
}

fn check_list(reader: &mut BlockReader<'_>, argument: &ConfigAttribute<'_>) -> bool {
    let expr = static_expression(reader, argument);
    let is_list = as_list(&expr).is_some();
    if !is_list {
        reader.error("Invalid expression", "A list is required here.", argument.value_span());
    }
    is_list
}

/// Reads `NAME` or `NAME.ALIAS`; a string that holds one is an old way to write it.
pub(super) fn read_provider(
    reader: &mut BlockReader<'_>,
    argument: &ConfigAttribute<'_>,
) -> Option<SmolStr> {
    let is_word = |it: &JsonValue| matches!(it.kind, ValueKind::Null | ValueKind::Bool(_));
    if argument.json_value().is_some_and(is_word) {
        return refuse_provider(reader, argument.value_span());
    }
    let expr = static_expression(reader, argument);
    read_provider_name(reader, &expr)
}

fn refuse_provider(reader: &mut BlockReader<'_>, span: Span) -> Option<SmolStr> {
    let detail = "The name of a provider is required here, with an alias after a dot if it has \
        one.";
    reader.error("Invalid provider configuration reference", detail, span);
    None
}

/// Reads `NAME` or `NAME.ALIAS`. `None` after an error.
pub(super) fn read_provider_name(reader: &mut BlockReader<'_>, expr: &Expr) -> Option<SmolStr> {
    // With for_each one alias has many configurations, by key.
    let at_key = match &expr.kind {
        ExprKind::Index { base, .. } if reader.options.release.has(&changes::PROVIDER_FOR_EACH) => {
            base
        }
        _ => expr,
    };
    if let Some((root, name)) = provider_reference(at_key) {
        reader.diagnostics.extend(names::check_provider(reader.rule, &root.name, root.span));
        let has_key = !std::ptr::eq(at_key, expr);
        if name.contains('.') {
            let span = expr.span;
            reader.provider_references.push(ProviderReference {
                name: name.clone(),
                has_key,
                span,
            });
        } else if has_key {
            let detail = "Only a configuration with an alias can have a key.";
            reader.error("Invalid provider configuration reference", detail, expr.span);
            return None;
        }
        return Some(name);
    }
    refuse_provider(reader, expr.span)
}

/// The same for a declaration of an alias, where Terraform ignores what follows the alias.
pub(super) fn declared_provider_name(expr: &Expr) -> Option<SmolStr> {
    provider_name(expr).or_else(|| {
        let Traversal { root, steps, .. } = absolute_traversal(expr)?;
        let TraversalStep::Attr(alias) = steps.first()? else { return None };
        Some(SmolStr::new(format!("{}.{}", root.name, alias.name)))
    })
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
        [TraversalStep::Attr(alias)] => SmolStr::new(format!("{}.{}", root.name, alias.name)),
        _ => return None,
    };
    Some((root, name))
}
