//! The values for which an expression is true, or for which it is false.

use super::{Reason, ValueSet, assignments::joined};
use diagnostics::Span;

/// Why a region is larger than the set of values that it represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub reason: Reason,
    /// The part of the condition that it is about.
    pub span: Span,
}

/// A set of values that holds *at least* the values with some property. It is exact if nothing was lost; it is
/// never too small.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Whether null is in.
    pub null: bool,
    /// The values other than null.
    pub values: ValueSet,
    pub losses: Vec<Loss>,
}

impl Region {
    pub fn new(null: bool, values: ValueSet) -> Region {
        Region { null, values, losses: Vec::new() }
    }

    /// Every value, null included.
    pub fn everything() -> Region {
        Region::new(true, ValueSet::Anything)
    }

    /// No value.
    pub fn nothing() -> Region {
        Region::new(false, ValueSet::Nothing)
    }

    /// Every value, because nothing better is known.
    pub fn unknown(reason: Reason, span: Span) -> Region {
        Region::everything().losing(reason, span)
    }

    /// The same region, marked as possibly too large.
    pub fn losing(mut self, reason: Reason, span: Span) -> Region {
        self.losses.push(Loss { reason, span });
        self
    }

    pub fn and(self, other: Region) -> Region {
        let values = ValueSet::all([self.values, other.values]);
        if values == ValueSet::Nothing {
            // An empty intersection is exact, even if its parts are too large.
            return Region::new(self.null && other.null, values);
        }
        Region { null: self.null && other.null, values, losses: joined(self.losses, other.losses) }
    }

    pub fn or(self, other: Region) -> Region {
        let values = ValueSet::either([self.values, other.values]);
        let losses = joined(self.losses, other.losses);
        Region { null: self.null || other.null, values, losses }
    }

    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}
