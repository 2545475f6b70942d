//! Outputs: their preconditions, and whether their values may be shown. Also the conditions of resources
//! and the assertions of checks, which are judged like preconditions.

use super::{
    resource::Look,
    undecided,
    validation::{Truth, no_text, truth},
};
use diagnostics::{Diagnostic, Diagnostics, LevelReason, Role, Span, has_errors, lints};
use hcl::Expr;
use module::{Output, Validation};
use release::{Release, changes};
use tf_eval::{
    Evaluation, RootReference, Scope, check_references, check_references_in_check,
    evaluate_in_detail, evaluate_part, references,
};
use tf_value::{Marks, Type, Value, convert};

/// The module that declares the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The module that is planned: its outputs have more rules to obey.
    Root,
    /// A module that is judged by itself and may be called by others: the rules for a root module do not
    /// apply.
    Unknown,
    Called,
}

/// All errors of an output, and its value; `None` where the value is not evaluated. Errors that no value
/// changes are found by the static pass alone.
pub(super) fn check(
    output: &Output,
    scope: &Scope<'_>,
    look: Look,
    standing: Standing,
) -> (Option<Value>, Diagnostics) {
    let is_static = look.is_static;
    let mut found = Vec::new();
    if is_static {
        let dependencies = output.depends_on.iter();
        found.extend(dependencies.flat_map(|it| super::body::dependency(it, scope)));
        let is_planned = standing == Standing::Root;
        let is_refused = is_planned && output.ephemeral == Some(true);
        found.extend(is_refused.then(|| not_in_root(output)));
        let is_deprecated =
            output.deprecated.is_some() && scope.release.has(&changes::DEPRECATED_ROOT_OUTPUT);
        found.extend((is_planned && is_deprecated).then(|| deprecated_in_root(output)));
    }
    let of = format!("output.{}", output.name);
    let mut failed = Vec::new();
    for it in &output.preconditions {
        let diagnostics =
            condition(it, scope, Condition { kind: "precondition", of: &of, is_static });
        failed.extend(is_false(&diagnostics).then_some(it));
        found.extend(diagnostics);
    }
    // A failed precondition keeps the value from being evaluated.
    let is_stopped = has_errors(&found) && !look.goes_on;
    let Some(expr) = output.value.as_ref().filter(|_| !is_stopped) else { return (None, found) };
    let (value, diagnostics) = of_value(output, expr, scope, standing);
    found.extend(apart_from(&failed, diagnostics, &[expr]));
    (Some(value), found)
}

/// The value of an output, and the errors in it.
fn of_value(
    output: &Output,
    expr: &Expr,
    scope: &Scope<'_>,
    standing: Standing,
) -> (Value, Diagnostics) {
    let evaluation = evaluate_in_detail(expr, scope);
    let (mut value, mut found) = (evaluation.value, evaluation.diagnostics);
    let is_sound = found.is_empty();
    if let (Some(constraint), true) = (&output.constraint, is_sound) {
        match constraint.accept(&value) {
            Ok(it) => value = it,
            Err(problem) => {
                let secret = output.sensitive == Some(true) || value.deep_marks().is_hidden();
                let reason = if secret { problem.reason } else { problem.to_string() };
                let detail = format!("The value does not match the type of the output: {reason}.");
                found.push(error("Invalid output value", detail, Role::Rule, expr.span));
                let unknown = Value::unknown(constraint.ty.clone());
                return (marked(output, unknown, scope.release), found);
            }
        }
    }
    found.extend(exposes(output, &value, standing, scope.release).filter(|_| is_sound));
    (marked(output, value, scope.release), found)
}

/// Whether a condition was judged and does not hold.
pub(super) fn is_false(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().any(|it| it.is_error() && it.rule == lints::FAILED_CONDITION)
}

/// The errors in expressions of a block that do not follow from its failed conditions. A condition may guard whatever
/// refers to the same variables, and to things whose values come from variables.
pub(super) fn apart_from(
    failed: &[&Validation],
    mut found: Diagnostics,
    exprs: &[&Expr],
) -> Diagnostics {
    let guarded = failed.iter().map(|it| references(&it.condition));
    let guarded: Vec<Vec<RootReference<'_>>> = guarded.collect();
    if guarded.is_empty() {
        return found;
    }
    let is_variable = |it: &RootReference<'_>| it.name == "var";
    let may_follow = |expr: &Expr| {
        let used = references(expr);
        let may_guard = |of_condition: &Vec<RootReference<'_>>| {
            let is_shared =
                |one: &RootReference<'_>| used.iter().any(|other| other.first == one.first);
            let are_variables = of_condition.iter().chain(&used).all(is_variable);
            !of_condition.is_empty()
                && !used.is_empty()
                && (!are_variables || of_condition.iter().any(is_shared))
        };
        guarded.iter().any(may_guard)
    };
    let mut exprs = exprs.to_vec();
    exprs.sort_by_key(|it| it.span);
    let holds = |expr: &Expr, at: Span| {
        expr.span.file == at.file && expr.span.start <= at.start && at.start < expr.span.end
    };
    let last_at = |at: Span| {
        let after =
            exprs.partition_point(|it| (it.span.file, it.span.start) <= (at.file, at.start));
        exprs[..after].last().filter(|it| holds(it, at))
    };
    found.retain(|it| {
        let at = it.span().filter(|_| it.is_error());
        at.and_then(last_at).is_none_or(|expr| !may_follow(expr))
    });
    found
}

/// The value as the caller of its module sees it.
fn marked(output: &Output, value: Value, release: Release) -> Value {
    // Some releases do not treat the value as sensitive, but its author does not want it shown.
    let secret = match output.sensitive {
        Some(true) if release.has(&changes::CHILD_SENSITIVE) => Marks::SECRET | Marks::SENSITIVE,
        Some(true) => Marks::SECRET,
        _ => Marks::NONE,
    };
    let ephemeral = if output.ephemeral == Some(true) { Marks::EPHEMERAL } else { Marks::NONE };
    value.with_marks(secret | ephemeral)
}

/// Where a condition is.
#[derive(Clone, Copy)]
pub(super) struct Condition<'a> {
    /// `precondition`, `postcondition`
    pub kind: &'static str,
    /// The block that has the condition: `output.id`, `aws_vpc.main`.
    pub of: &'a str,
    pub is_static: bool,
}

/// The assertion of a `check` block; a false one is a warning. The static pass resolves the condition's
/// references but evaluates only the message.
pub(super) fn assertion(
    it: &Validation,
    name: &str,
    scope: &Scope<'_>,
    is_static: bool,
) -> Diagnostics {
    if is_static {
        let mut found = check_references_in_check(&it.condition, scope, name);
        let refers = it.error_message.iter();
        let wrong: Diagnostics =
            refers.flat_map(|it| check_references_in_check(it, scope, name)).collect();
        let is_plain = |it: &Expr| check_references(it, scope).is_empty();
        if wrong.is_empty() && it.error_message.as_ref().is_none_or(is_plain) {
            found.extend(message(it, scope, None));
        }
        found.extend(wrong);
        return found;
    }
    let warning = Diagnostic::new(&lints::FAILED_CONDITION, "Check block assertion failed")
        .because(LevelReason::CheckBlock);
    // An undecided assertion is a warning too.
    let found = judge(it, scope, Some(name), &format!("the assertion of check.{name}"), warning);
    found.into_iter().filter(|it| it.rule != lints::UNDECIDED_VALIDATION).collect()
}

/// A condition of an output or a resource. The static pass ignores the result of a resource's condition.
pub(super) fn condition(it: &Validation, scope: &Scope<'_>, place: Condition<'_>) -> Diagnostics {
    let Condition { kind, of, is_static } = place;
    let is_of_resource = !of.starts_with("output.");
    if is_static && is_of_resource {
        let exprs = std::iter::once(&it.condition).chain(&it.error_message);
        let evaluations = exprs.map(|it| evaluate_in_detail(it, scope));
        return evaluations.flat_map(|it| it.diagnostics).collect();
    }
    let whose = if is_of_resource { "Resource" } else { "Module output value" };
    let failure = Diagnostic::new(&lints::FAILED_CONDITION, format!("{whose} {kind} failed"));
    judge(it, scope, None, &format!("a {kind} of {of}"), failure)
}

/// Judges a condition; `failure` is reported when it is false. Unlike in a validation, the message must be a
/// string even where the condition holds. `check`: the check of an assertion.
fn judge(
    it: &Validation,
    scope: &Scope<'_>,
    check: Option<&str>,
    what: &str,
    failure: Diagnostic,
) -> Diagnostics {
    let condition = evaluate_within(&it.condition, scope, check);
    let mut found = condition.diagnostics;
    let is_sound = found.is_empty();
    let wrong = message(it, scope, check);
    let is_told = !wrong.is_empty();
    found.extend(wrong);
    if !is_sound {
        return found;
    }
    match truth(&condition.value) {
        Ok(Truth::True | Truth::Unknown) => (),
        Ok(Truth::Undecided) if super::regardless::holds(&it.condition, scope) => (),
        Ok(Truth::Undecided) => {
            found.push(undecided::condition(what, &condition.undecided, it.condition.span));
        }
        // If the condition is undecided, Terraform reports nothing else.
        Ok(Truth::False) if is_told => (),
        Ok(Truth::False) => {
            let detail = message_text(it, scope, check)
                .unwrap_or_else(|| "The condition is false.".to_owned());
            found.push(failure.detail(detail).at(Role::Rule, it.condition.span));
        }
        Err(reason) => {
            found.push(error("Invalid condition result", reason, Role::Rule, it.condition.span));
        }
    }
    found
}

/// Evaluates an expression; one in a check may refer to the check's own data source.
fn evaluate_within(expr: &Expr, scope: &Scope<'_>, check: Option<&str>) -> Evaluation {
    match check {
        Some(check) if check_references_in_check(expr, scope, check).is_empty() => {
            evaluate_part(expr, scope, &[])
        }
        _ => evaluate_in_detail(expr, scope),
    }
}

/// Errors in the message.
fn message(it: &Validation, scope: &Scope<'_>, check: Option<&str>) -> Diagnostics {
    let Some(expr) = &it.error_message else { return Vec::new() };
    let evaluation = evaluate_within(expr, scope, check);
    let mut found = evaluation.diagnostics;
    if let (true, Some(reason)) = (found.is_empty(), not_a_message(&evaluation.value)) {
        found.push(error("Invalid error message", reason, Role::Rule, expr.span));
    }
    found
}

/// The author's message, where it may be shown.
fn message_text(it: &Validation, scope: &Scope<'_>, check: Option<&str>) -> Option<String> {
    let message = evaluate_within(it.error_message.as_ref()?, scope, check);
    let value = &message.value;
    if value.deep_marks().is_hidden() {
        return Some(
            "The error message contains a sensitive value, so it is not shown.".to_owned(),
        );
    }
    if let Some(reason) = no_text(&message) {
        return Some(format!("The condition is false. The error message {reason}."));
    }
    let text = convert(value, &Type::String).ok()?;
    let text = text.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn not_a_message(value: &Value) -> Option<String> {
    if value.is_known() && value.is_null() {
        return Some("The error message must not be null.".to_owned());
    }
    let error = convert(value, &Type::String).err()?;
    Some(format!("The error message must be a string: {}.", error.reason))
}

/// The error for a value that the output must not expose: a root module's sensitive value needs
/// `sensitive`, and any module's ephemeral value needs `ephemeral`.
fn exposes(
    output: &Output,
    value: &Value,
    standing: Standing,
    release: Release,
) -> Option<Diagnostic> {
    let takes_any = release.has(&changes::EPHEMERAL_OUTPUT_OF_ANY);
    let marks = value.deep_marks();
    let is_bare = marks.is_sensitive() && output.sensitive != Some(true);
    if is_bare && standing == Standing::Unknown {
        return Some(undecided::exposed(&output.name, output.span));
    }
    let is_root = standing != Standing::Called;
    let (summary, detail) = if is_bare && standing == Standing::Root {
        (
            "Output refers to sensitive values",
            "If this is intended, annotate the output as sensitive: sensitive = true.",
        )
    } else if marks.is_ephemeral() && output.ephemeral != Some(true) {
        ("Ephemeral value not allowed", "The output is not declared as ephemeral.")
    } else if !is_root && output.ephemeral == Some(true) && !takes_any && is_lasting(value) {
        (
            "Value not allowed in ephemeral output",
            "The output is declared as ephemeral, but its \
            value is not ephemeral.",
        )
    } else {
        return None;
    };
    Some(error(summary, detail, Role::Declaration, output.span))
}

/// Whether Terraform surely sees a value as not ephemeral: marks inside of the value do not count, and
/// neither does its origin in an ephemeral output of a called module.
fn is_lasting(value: &Value) -> bool {
    !value.marks().is_ephemeral() && !value.deep_marks().is_undecided()
}

fn deprecated_in_root(output: &Output) -> Diagnostic {
    let detail = "Nothing refers to an output of the root module, so it cannot be deprecated.";
    error("Root module output deprecated", detail, Role::Declaration, output.span)
}

fn not_in_root(output: &Output) -> Diagnostic {
    let detail = "The root module cannot have ephemeral outputs.";
    error("Ephemeral output not allowed", detail, Role::Declaration, output.span)
}

fn error(summary: &str, detail: impl Into<String>, role: Role, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::FAILED_EVALUATION, summary).detail(detail).at(role, span)
}
