//! Boolean expressions as sets of the assignments for which they are true, false, null, or fail.

use super::formula::Extent;
use crate::diagnostic::Span;

/// A boolean expression. None of the sets is ever derived as the complement of another: each holds
/// at least the assignments that it stands for.
///
/// Operators are Kleene's, which Terraform has from 1.12 on; what is true before that is a subset,
/// so that a schema made from the true set is sound for every version. Earlier versions fail more
/// often, which matters inside `try` and `can`: `error` is what fails in any version, with a loss
/// where it does not fail in every one.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub when_true: Extent,
    pub when_false: Extent,
    pub null: Extent,
    pub error: Extent,
}

impl Truth {
    pub fn constant(value: bool) -> Truth {
        let (all, none) = (Extent::everything(), Extent::nothing());
        let (when_true, when_false) = if value { (all, none) } else { (none, all) };
        Truth { when_true, when_false, null: Extent::nothing(), error: Extent::nothing() }
    }

    /// Null, whatever the values are.
    pub fn null() -> Truth {
        Truth { null: Extent::everything(), ..Truth::never() }
    }

    /// An error, whatever the values are.
    pub fn failure() -> Truth {
        Truth { error: Extent::everything(), ..Truth::never() }
    }

    /// No outcome at all: the neutral element of [`Truth::or_case`].
    pub fn never() -> Truth {
        let none = Extent::nothing;
        Truth { when_true: none(), when_false: none(), null: none(), error: none() }
    }

    pub fn unknown(reason: impl Into<String>, span: Span) -> Truth {
        let extent = Extent::unknown(reason, span);
        Truth {
            when_true: extent.clone(),
            when_false: extent.clone(),
            null: extent.clone(),
            error: extent,
        }
    }

    /// One of two outcomes, decided by disjoint guards.
    pub fn or_case(self, guard: &Extent, other: Truth) -> Truth {
        let within = |it: Extent| guard.clone().and(it);
        Truth {
            when_true: self.when_true.or(within(other.when_true)),
            when_false: self.when_false.or(within(other.when_false)),
            null: self.null.or(within(other.null)),
            error: self.error.or(within(other.error)),
        }
    }

    /// The set for which it gives a value, null included.
    pub fn defined(&self) -> Extent {
        self.when_true.clone().or(self.when_false.clone()).or(self.null.clone())
    }

    pub fn not(self) -> Truth {
        Truth {
            when_true: self.when_false,
            when_false: self.when_true,
            null: Extent::nothing(),
            error: self.error.or(self.null),
        }
    }

    /// False where either is, also beside an error; a null beside a true or a null is false.
    pub fn and(self, other: Truth) -> Truth {
        let alike = self.fails_alike(&other);
        let beside =
            |null: &Extent, it: &Truth| null.clone().and(it.when_true.clone().or(it.null.clone()));
        let nulls = beside(&self.null, &other).or(beside(&other.null, &self));
        Truth {
            when_true: self.when_true.and(other.when_true),
            when_false: self.when_false.or(other.when_false).or(nulls.clone()),
            null: Extent::nothing(),
            error: by_version(self.error.or(other.error).or(nulls), alike),
        }
    }

    /// True where either is, also beside an error; a null beside anything else is an error.
    pub fn or(self, other: Truth) -> Truth {
        let alike = self.fails_alike(&other);
        Truth {
            when_true: self.when_true.or(other.when_true),
            when_false: self.when_false.and(other.when_false),
            null: Extent::nothing(),
            error: by_version(self.error.or(other.error).or(self.null).or(other.null), alike),
        }
    }

    /// Whether the same fails in every version: neither side can fail.
    fn fails_alike(&self, other: &Truth) -> bool {
        let total = |it: &Truth| it.error.is_nothing() && it.null.is_nothing();
        total(self) && total(other)
    }

    /// `self ? then : otherwise`: only the branch taken counts.
    pub fn choose(self, then: Truth, otherwise: Truth) -> Truth {
        let fails = self.error.or(self.null);
        let mut out = Truth::never().or_case(&self.when_true, then);
        out = out.or_case(&self.when_false, otherwise);
        out.error = out.error.or(fails);
        out
    }
}

fn by_version(error: Extent, alike: bool) -> Extent {
    if alike || error.is_nothing() {
        return error;
    }
    error.losing("a failure that depends on Terraform's version", Span::default())
}
