//! `can` and `try`: they evaluate their arguments and keep the errors.

use super::{
    call::Argument,
    evaluator::{Evaluator, dynamic},
    references,
};
use diagnostics::{Cause, Diagnostic, Diagnostics, EvalError, Span, has_errors};
use hcl::{Expr, ExprKind};
use release::changes;
use tf_value::{Marks, Type, Value};

impl Evaluator<'_> {
    /// Whether the argument can be evaluated; unknown while any part of its value is unknown.
    pub(super) fn can(&mut self, args: &[Argument<'_>]) -> Value {
        let Some(argument) = args.first() else { return dynamic() };
        if let Some(marks) = self.rests_on_unknown(argument) {
            return Value::unknown(Type::Bool).with_marks(marks);
        }
        let (value, errors) = self.attempt(argument);
        if has_errors(&errors) {
            return Value::bool(false);
        }
        if (value.is_wholly_known() || !self.looks_at_values()) && !self.is_stopped() {
            return Value::bool(true);
        }
        Value::unknown(Type::Bool).with_marks(undecided_marks(&value))
    }

    /// The first argument that can be evaluated; dynamic while any part of its value is unknown, since
    /// it may yet fail.
    pub(super) fn try_each(&mut self, args: &[Argument<'_>], span: Span) -> Value {
        let mut failures = Vec::new();
        for argument in args {
            if let Some(marks) = self.rests_on_unknown(argument) {
                return dynamic().with_marks(marks);
            }
            let (value, errors) = self.attempt(argument);
            if has_errors(&errors) {
                failures.extend(errors.into_iter().filter(Diagnostic::is_error));
            } else if value.is_wholly_known() || !self.looks_at_values() {
                return value;
            } else {
                let is_opened = value.deep_marks().contains(Marks::OPENED) && cannot_fail(argument);
                let opened = if is_opened { Marks::OPENED } else { Marks::NONE };
                return dynamic().with_marks(undecided_marks(&value) | opened);
            }
        }
        if !self.is_stopped() {
            let mut causes = failures.iter().filter_map(|it| it.cause.as_ref());
            let error = match causes.find_map(Cause::missing_file) {
                Some(path) => EvalError::MissingFile { of_argument: false, path: path.to_owned() },
                None => EvalError::FailedCall,
            };
            self.error(error, nothing_worked(&failures), span);
        }
        dynamic()
    }

    /// Whether the release decides by an argument's value, and not by its references, whether it may yet
    /// fail.
    fn looks_at_values(&self) -> bool {
        self.scope.release.has(&changes::GUARDS_LOOK_AT_VALUES)
    }

    /// For a release that decides by references: the marks of the argument, if it refers to anything
    /// unknown. A reference that fails is known to fail.
    fn rests_on_unknown(&mut self, argument: &Argument<'_>) -> Option<Marks> {
        let Argument::Expr(expr) = argument else { return None };
        if self.looks_at_values() {
            return None;
        }
        let mut found = None;
        references::for_each_root(expr, &[], &mut |root| {
            if found.is_none() {
                let (value, errors) = self.attempt(&Argument::Expr(root.whole()));
                let is_unknown = !has_errors(&errors) && !value.is_wholly_known();
                found = is_unknown.then(|| undecided_marks(&value));
            }
        });
        found
    }

    fn attempt(&mut self, argument: &Argument<'_>) -> (Value, Diagnostics) {
        let before = self.mark();
        let value = self.argument(argument);
        (value, self.errors_since(before))
    }
}

/// Whether the argument is a resource or one of its attributes: if it can be evaluated before the resource is known,
/// it can be evaluated afterwards.
fn cannot_fail(argument: &Argument<'_>) -> bool {
    let Argument::Expr(expr) = argument else { return false };
    let mut expr: &Expr = expr;
    for _ in 0..=OF_RESOURCE {
        match &expr.kind {
            ExprKind::GetAttr { base, .. } => expr = base,
            kind => return matches!(kind, ExprKind::Variable(_)),
        }
    }
    false
}

/// The names after the first of a reference to an attribute of a resource: `ephemeral.TYPE.NAME.ATTRIBUTE`.
const OF_RESOURCE: usize = 3;

/// Terraform drops the marks of an unknown here; our own are kept.
fn undecided_marks(value: &Value) -> Marks {
    if value.deep_marks().is_undecided() { Marks::UNDECIDED } else { Marks::NONE }
}

fn nothing_worked(failures: &Diagnostics) -> String {
    if failures.is_empty() {
        return "Call to function \"try\" failed: at least one argument is required.".to_string();
    }
    let reasons = failures.iter().map(|it| format!("\n- {}: {}", it.summary, it.detail));
    let reasons: String = reasons.collect();
    format!("Call to function \"try\" failed: no expression succeeded:{reasons}")
}
