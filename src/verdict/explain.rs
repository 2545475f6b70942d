//! Why a condition is false: the values of the sub-expressions in it.

use crate::{
    diagnostic::Sources,
    eval::{Scope, Trace, evaluate_in_detail},
    syntax::Expr,
    value::{Value, json},
};

/// Values that one explanation shows.
const MAX_VALUES: usize = 6;
/// Characters of one value.
const MAX_TEXT: usize = 80;

/// `length(var.name) is 2, var.name is "ab"`, outer expressions first; `None` when there is
/// nothing to tell. Marked values are shown as `(sensitive)`.
pub(super) fn explain(condition: &Expr, scope: &Scope<'_>, sources: &Sources) -> Option<String> {
    let trace = evaluate_in_detail(condition, scope, Trace::On).trace;
    let mut parts = Vec::new();
    for observation in trace.iter().rev() {
        if observation.span == condition.span || parts.len() == MAX_VALUES {
            continue;
        }
        let text = sources.snippet(observation.span);
        parts.push(format!("{} is {}", one_line(&text), shown(&observation.value)));
    }
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

fn shown(value: &Value) -> String {
    if !value.deep_marks().is_empty() {
        return "(sensitive)".to_owned();
    }
    if !value.is_wholly_known() {
        return "(known after apply)".to_owned();
    }
    let text = json::value_to_json(value).unwrap_or_default();
    if text.chars().count() <= MAX_TEXT {
        return text;
    }
    text.chars().take(MAX_TEXT).chain("…".chars()).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
