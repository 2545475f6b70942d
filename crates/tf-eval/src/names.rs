//! Names that iterations bind, and values that only a plan knows.

use super::{
    Namespace,
    evaluator::{Evaluator, dynamic},
};
use diagnostics::{EvalError, Span};
use tf_value::{Marks, Value};

impl Evaluator<'_> {
    /// Whether an iteration or a template's variables bind the name here.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.names.iter().any(|(it, _)| it == name)
    }

    /// The value of a name without steps; the innermost binding counts. An unbound name was reported
    /// before, except in a constant.
    pub(super) fn bound_name(&mut self, name: &str, span: Span) -> Value {
        let bound = self.names.iter().rev().find(|(it, _)| it == name);
        if let Some((_, value)) = bound {
            return value.clone();
        }
        if let ("self", Some(instance)) = (name, self.scope.data.instance()) {
            let this = instance.this.clone().filter(|_| !instance.hides_this);
            let value = this.unwrap_or_else(dynamic);
            if value.deep_marks().is_undecided() {
                self.note_undecided("self");
            }
            return value;
        }
        if self.is_constant() && self.names.is_empty() {
            self.error(
                EvalError::ForbiddenReference,
                "This expression cannot refer to anything.",
                span,
            );
        } else if self.is_constant() {
            self.error(
                EvalError::UnknownName,
                format!(
                    "There is no variable named \"{name}\" \
                here."
                ),
                span,
            );
        }
        dynamic()
    }

    /// An unknown for a value that only a plan knows.
    pub(super) fn undecided_value(&mut self, reason: impl Into<String>) -> Value {
        self.note_undecided(reason);
        dynamic().with_marks(Marks::UNDECIDED)
    }

    /// Notes why a variable's or local's value is undecided.
    pub(super) fn note_undecided_value(&mut self, namespace: Namespace, name: &str) {
        let reasons = self.scope.data.undecided(namespace, name);
        if reasons.is_empty() {
            self.note_undecided(format!("{}.{name}", namespace.root()));
        }
        for it in reasons {
            self.note_undecided(it);
        }
    }
}
