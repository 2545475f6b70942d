//! For which values an expression is true, and for which it is false.

use super::{Constraint, formula::joined};
use crate::diagnostic::Span;

/// Why a region is larger than the set of values that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Part of a sentence: "a comparison with `var.other`, which is no constant".
    pub reason: String,
    /// The part of the condition that it is about.
    pub span: Span,
}

/// A set of values that holds *at least* those for which something is so. It is exact when
/// nothing was lost; it is never too small.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Whether null is in.
    pub null: bool,
    /// The values other than null.
    pub values: Constraint,
    pub losses: Vec<Loss>,
}

impl Region {
    pub fn new(null: bool, values: Constraint) -> Region {
        Region { null, values, losses: Vec::new() }
    }

    /// Every value, null included.
    pub fn everything() -> Region {
        Region::new(true, Constraint::Anything)
    }

    /// No value.
    pub fn nothing() -> Region {
        Region::new(false, Constraint::Nothing)
    }

    /// Every value, for want of knowing better.
    pub fn unknown(reason: impl Into<String>, span: Span) -> Region {
        Region::everything().losing(reason, span)
    }

    /// The same region, admitted to be too large.
    pub fn losing(mut self, reason: impl Into<String>, span: Span) -> Region {
        self.losses.push(Loss { reason: reason.into(), span });
        self
    }

    pub fn and(self, other: Region) -> Region {
        let values = Constraint::all([self.values, other.values]);
        if values == Constraint::Nothing {
            // What is empty however large its parts were taken is exactly empty.
            return Region::new(self.null && other.null, values);
        }
        Region { null: self.null && other.null, values, losses: joined(self.losses, other.losses) }
    }

    pub fn or(self, other: Region) -> Region {
        let values = Constraint::either([self.values, other.values]);
        let losses = joined(self.losses, other.losses);
        Region { null: self.null || other.null, values, losses }
    }

    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}

/// What an expression gives for the values at one place: true, false, or an error.
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
        let error = Region::new(true, Constraint::Nothing);
        Leaf { error, ..Leaf::total(when_true, when_false) }
    }

    pub fn unknown(reason: impl Into<String>, span: Span) -> Leaf {
        let region = Region::unknown(reason, span);
        let [when_true, when_false, null, error] = std::array::from_fn(|_| region.clone());
        Leaf { when_true, when_false, null, error }
    }

    /// True for these values, false for all others; an error for null.
    pub fn exactly(values: Constraint) -> Leaf {
        let region = |it| Region::new(false, it);
        Leaf::of_values(region(values.clone()), region(values.negated()))
    }

    /// True for these values, an error for all others and null.
    pub fn or_error(values: Constraint) -> Leaf {
        Leaf {
            when_true: Region::new(false, values.clone()),
            when_false: Region::nothing(),
            null: Region::nothing(),
            error: Region::new(true, values.negated()),
        }
    }

    #[expect(clippy::should_implement_trait, reason = "as in `Truth`")]
    pub fn not(self) -> Leaf {
        Leaf { when_true: self.when_false, when_false: self.when_true, ..self }
    }
}
