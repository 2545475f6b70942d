//! For which values an expression is true, and for which it is false.

use super::Constraint;
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

    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }

    /// Whether it is exactly everything.
    fn is_all(&self) -> bool {
        self.is_exact() && self.null && self.values == Constraint::Anything
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
        if self.is_all() || other.is_all() {
            return Region::everything();
        }
        let values = Constraint::either([self.values, other.values]);
        let losses = joined(self.losses, other.losses);
        Region { null: self.null || other.null, values, losses }
    }
}

fn joined(mut losses: Vec<Loss>, more: Vec<Loss>) -> Vec<Loss> {
    for loss in more {
        if !losses.contains(&loss) {
            losses.push(loss);
        }
    }
    losses
}

/// A boolean expression as the pair of its true and its false set; for what is in neither it is
/// null or an error. The false set is never derived as "not the true set".
///
/// Operators are Kleene's, which Terraform has from 1.12 on; what is true before that is a subset,
/// so that a schema made from the true set is sound for every version.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub when_true: Region,
    pub when_false: Region,
}

impl Truth {
    pub fn constant(value: bool) -> Truth {
        let (all, none) = (Region::everything(), Region::nothing());
        if value {
            Truth { when_true: all, when_false: none }
        } else {
            Truth { when_true: none, when_false: all }
        }
    }

    pub fn unknown(reason: impl Into<String>, span: Span) -> Truth {
        let region = Region::unknown(reason, span);
        Truth { when_true: region.clone(), when_false: region }
    }

    /// True for these values, false for all others; an error for null.
    pub fn exactly(values: Constraint) -> Truth {
        Truth {
            when_true: Region::new(false, values.clone()),
            when_false: Region::new(false, values.negated()),
        }
    }

    #[expect(clippy::should_implement_trait, reason = "named as its siblings `and` and `or` are")]
    pub fn not(self) -> Truth {
        Truth { when_true: self.when_false, when_false: self.when_true }
    }

    pub fn and(self, other: Truth) -> Truth {
        Truth {
            when_true: self.when_true.and(other.when_true),
            when_false: self.when_false.or(other.when_false),
        }
    }

    pub fn or(self, other: Truth) -> Truth {
        Truth {
            when_true: self.when_true.or(other.when_true),
            when_false: self.when_false.and(other.when_false),
        }
    }

    /// `self ? then : otherwise`: only the branch taken counts.
    pub fn choose(self, then: Truth, otherwise: Truth) -> Truth {
        let (yes, no) = (self.when_true, self.when_false);
        Truth {
            when_true: yes.clone().and(then.when_true).or(no.clone().and(otherwise.when_true)),
            when_false: yes.and(then.when_false).or(no.and(otherwise.when_false)),
        }
    }
}
