//! An output of the root module: its preconditions, and whether its value may be shown. The
//! assertions of checks, which are judged as preconditions are.

use super::rule::{Truth, truth};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span, has_errors},
    eval::{FAILED_EVALUATION, Scope, Trace, check_references, evaluate_in_detail},
    module::{Output, Validation},
    value::{Type, Value, convert},
};

const FALSE: &str = "The condition is false.";

/// Everything that Terraform says of an output. The static pass alone looks at what no value
/// changes.
pub(super) fn check(output: &Output, scope: &Scope<'_>, is_static: bool) -> Diagnostics {
    let mut found = Vec::new();
    if is_static {
        found.extend(output.depends_on.iter().flat_map(|it| check_references(it, scope)));
        found.extend((output.ephemeral == Some(true)).then(|| not_in_root(output)));
    }
    found.extend(output.preconditions.iter().flat_map(|it| precondition(it, scope)));
    // A precondition that fails keeps the value from being looked at.
    if let (Some(expr), false) = (&output.value, has_errors(&found)) {
        let evaluation = evaluate_in_detail(expr, scope, Trace::Off);
        found.extend(evaluation.diagnostics);
        found.extend(exposes(output, &evaluation.value));
    }
    found
}

/// A false assertion is a warning. The static pass looks at the message alone, though it resolves
/// the condition's references.
pub(super) fn assertion(it: &Validation, scope: &Scope<'_>, is_static: bool) -> Diagnostics {
    if is_static {
        let mut found = check_references(&it.condition, scope);
        found.extend(message(it, scope));
        return found;
    }
    let summary = "Check block assertion failed";
    let warning = Diagnostic::warning(FAILED_EVALUATION, summary);
    condition(it, scope, warning.detail(FALSE).at(Role::Rule, it.condition.span))
}

fn precondition(it: &Validation, scope: &Scope<'_>) -> Diagnostics {
    let summary = "Module output value precondition failed";
    condition(it, scope, error(summary, FALSE, Role::Rule, it.condition.span))
}

/// `failure` when the condition is false. Unlike a validation's, the message must be a string even
/// where the condition holds.
fn condition(it: &Validation, scope: &Scope<'_>, failure: Diagnostic) -> Diagnostics {
    let condition = evaluate_in_detail(&it.condition, scope, Trace::Off);
    let mut found = condition.diagnostics;
    let is_sound = found.is_empty();
    found.extend(message(it, scope));
    if !is_sound {
        return found;
    }
    match truth(&condition.value) {
        Ok(Truth::True | Truth::Unknown | Truth::Undecided) => (),
        Ok(Truth::False) => found.push(failure),
        Err(reason) => {
            found.push(error("Invalid condition result", reason, Role::Rule, it.condition.span));
        }
    }
    found
}

/// What is wrong with the message.
fn message(it: &Validation, scope: &Scope<'_>) -> Diagnostics {
    let Some(expr) = &it.error_message else { return Vec::new() };
    let evaluation = evaluate_in_detail(expr, scope, Trace::Off);
    let mut found = evaluation.diagnostics;
    if let (true, Some(reason)) = (found.is_empty(), not_a_message(&evaluation.value)) {
        found.push(error("Invalid error message", reason, Role::Rule, expr.span));
    }
    found
}

fn not_a_message(value: &Value) -> Option<String> {
    if value.is_known() && value.is_null() {
        return Some("The error message must not be null.".to_owned());
    }
    let error = convert(value, &Type::String).err()?;
    Some(format!("The error message must be a string: {}.", error.reason))
}

/// A root module's output must say that it is sensitive when it is.
fn exposes(output: &Output, value: &Value) -> Option<Diagnostic> {
    let marks = value.deep_marks();
    let (summary, detail) = if marks.is_sensitive() && output.sensitive != Some(true) {
        (
            "Output refers to sensitive values",
            "To show that this is meant, annotate the output: sensitive = true.",
        )
    } else if marks.is_ephemeral() && output.ephemeral != Some(true) {
        ("Ephemeral value not allowed", "The output is not declared ephemeral.")
    } else {
        return None;
    };
    Some(error(summary, detail, Role::Declaration, output.span))
}

fn not_in_root(output: &Output) -> Diagnostic {
    let detail = "A plan's root module cannot have ephemeral outputs.";
    error("Ephemeral output not allowed", detail, Role::Declaration, output.span)
}

fn error(summary: &str, detail: impl Into<String>, role: Role, span: Span) -> Diagnostic {
    Diagnostic::error(FAILED_EVALUATION, summary).detail(detail).at(role, span)
}
