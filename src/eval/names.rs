//! Names that iterations bind, and values that only a plan could tell.

use super::{
    Namespace,
    evaluator::{Evaluator, dynamic},
};
use crate::value::{Marks, Value};

impl Evaluator<'_> {
    /// Whether an iteration or a template's variables bind the name here.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.names.iter().any(|(it, _)| it == name)
    }

    /// The value of a name that is not followed by anything; the innermost binding counts.
    pub(super) fn bound_name(&self, name: &str) -> Value {
        let bound = self.names.iter().rev().find(|(it, _)| it == name);
        bound.map_or_else(dynamic, |(_, value)| value.clone())
    }

    /// An unknown that stands for something only a plan could tell.
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
