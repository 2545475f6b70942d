//! The outcome of a Boolean expression for the values at one place.

use crate::sets::{Reason, Region, ValueSet};
use diagnostics::Span;
use tf_value::Value;

/// The values for which an expression is true, false, null, or an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    pub when_true: Region,
    pub when_false: Region,
    pub null: Region,
    pub error: Region,
}

impl Leaf {
    /// True or false for every value, null included.
    pub fn total(when_true: Region, when_false: Region) -> Leaf {
        Leaf { when_true, when_false, null: Region::nothing(), error: Region::nothing() }
    }

    /// An error for null, true or false for every other value.
    pub fn of_values(when_true: Region, when_false: Region) -> Leaf {
        let error = Region::new(true, ValueSet::Nothing);
        Leaf { error, ..Leaf::total(when_true, when_false) }
    }

    pub fn unknown(reason: Reason, span: Span) -> Leaf {
        let region = Region::unknown(reason, span);
        let [when_true, when_false, null, error] = std::array::from_fn(|_| region.clone());
        Leaf { when_true, when_false, null, error }
    }

    /// True for these values, false for all others; an error for null.
    pub fn exactly(values: ValueSet) -> Leaf {
        let region = |it| Region::new(false, it);
        Leaf::of_values(region(values.clone()), region(values.negated()))
    }

    /// True for these values, an error for all others and null.
    pub fn or_error(values: ValueSet) -> Leaf {
        Leaf {
            when_true: Region::new(false, values.clone()),
            when_false: Region::nothing(),
            null: Region::nothing(),
            error: Region::new(true, values.negated()),
        }
    }

    pub fn not(self) -> Leaf {
        Leaf { when_true: self.when_false, when_false: self.when_true, ..self }
    }

    /// The leaf of a bool itself.
    pub fn of_bool() -> Leaf {
        let only = |it| Region::new(false, ValueSet::OneOf(vec![Value::bool(it)]));
        let null = Region::new(true, ValueSet::Nothing);
        Leaf { null, ..Leaf::total(only(true), only(false)) }
    }

    /// The same, but null is an error.
    pub fn not_null(self) -> Leaf {
        let only = |mut it: Region| {
            it.null = false;
            it
        };
        let error = Region::new(true, ValueSet::Nothing);
        Leaf { when_true: only(self.when_true), when_false: only(self.when_false), error, ..self }
    }
}
