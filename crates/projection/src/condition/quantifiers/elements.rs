//! "For every element" and "for some element" of a sequence.

use super::binder::Binder;
use crate::{
    condition::symbolic::Truth,
    sets::{Extent, Reason, Region, ValueSet},
};
use diagnostics::Span;

/// The joined answers of a sequence's elements: for which inputs all are true, some is true, and so on.
#[derive(Clone)]
pub struct Elements {
    pub all_true: Extent,
    pub some_true: Extent,
    /// Every element is false or null.
    pub all_false: Extent,
    pub some_false: Extent,
    /// No element fails.
    pub clean: Extent,
    /// Some element fails.
    pub error: Extent,
}

impl Elements {
    /// One element.
    pub fn one(truth: Truth) -> Elements {
        let falsity = truth.when_false.clone().or(truth.null.clone());
        Elements {
            clean: truth.defined(),
            all_true: truth.when_true.clone(),
            some_true: truth.when_true,
            all_false: falsity.clone(),
            some_false: falsity,
            error: truth.error,
        }
    }

    /// No element.
    pub fn none() -> Elements {
        let (all, none) = (Extent::everything(), Extent::nothing());
        Elements {
            all_true: all.clone(),
            some_true: none.clone(),
            all_false: all.clone(),
            some_false: none.clone(),
            clean: all,
            error: none,
        }
    }

    /// No sequence: the source fails.
    pub fn never() -> Elements {
        let none = Extent::nothing;
        Elements {
            all_true: none(),
            some_true: none(),
            all_false: none(),
            some_false: none(),
            clean: none(),
            error: none(),
        }
    }

    pub fn unknown(reason: Reason, span: Span) -> Elements {
        let it = Extent::unknown(reason, span);
        Elements {
            all_true: it.clone(),
            some_true: it.clone(),
            all_false: it.clone(),
            some_false: it.clone(),
            clean: it.clone(),
            error: it,
        }
    }

    /// The same answers, marked as possibly too large.
    pub fn losing(self, reason: &Reason, span: Span) -> Elements {
        let losing =
            |it: Extent| if it.is_nothing() { it } else { it.losing(reason.clone(), span) };
        Elements {
            all_true: losing(self.all_true),
            some_true: losing(self.some_true),
            all_false: losing(self.all_false),
            some_false: losing(self.some_false),
            clean: losing(self.clean),
            error: losing(self.error),
        }
    }

    /// The same answers with another set of inputs for which some element fails.
    pub fn failing(self, error: Extent) -> Elements {
        Elements { error, ..self }
    }

    /// Adds inputs for which the source fails.
    pub fn also_failing(self, error: Extent) -> Elements {
        Elements { error: self.error.or(error), ..self }
    }

    /// The elements of `self`, and after them those of `other`.
    pub fn then(self, other: Elements) -> Elements {
        Elements {
            all_true: self.all_true.and(other.all_true),
            some_true: self.some_true.or(other.some_true),
            all_false: self.all_false.and(other.all_false),
            some_false: self.some_false.or(other.some_false),
            clean: self.clean.and(other.clean),
            error: self.error.or(other.error),
        }
    }

    /// Adds a case: where the guard holds, the elements are those of `other`.
    pub fn or_case(self, guard: &Extent, other: Elements) -> Elements {
        let within = |it: Extent| guard.clone().and(it);
        Elements {
            all_true: self.all_true.or(within(other.all_true)),
            some_true: self.some_true.or(within(other.some_true)),
            all_false: self.all_false.or(within(other.all_false)),
            some_false: self.some_false.or(within(other.some_false)),
            clean: self.clean.or(within(other.clean)),
            error: self.error.or(within(other.error)),
        }
    }

    /// Only where the condition of a `for` is true; where it is false there is no element.
    pub fn only_if(self, condition: Truth) -> Elements {
        let total = condition.error.is_nothing()
            && condition.null.is_nothing()
            && condition.when_false.losses.is_empty()
            && condition.when_true.losses.is_empty();
        let (yes, no) = (condition.when_true, condition.when_false);
        // "Either it is left out, or …" needs no "it is kept" in its second half.
        let implied = |it: Extent| no.clone().or(if total { it } else { yes.clone().and(it) });
        let kept = |it: Extent| yes.clone().and(it);
        Elements {
            all_true: implied(self.all_true),
            some_true: kept(self.some_true),
            all_false: implied(self.all_false),
            some_false: kept(self.some_false),
            clean: implied(self.clean),
            error: condition.error.or(condition.null).or(kept(self.error)),
        }
    }

    /// The answers for all elements of a place; `self` is the answer for the one that `binder` names.
    pub fn over(self, binder: &Binder<'_>) -> Elements {
        let mut missing = binder.place.with_at_least(binder.from).1;
        if binder.is_any() {
            let other = ValueSet::Kind(binder.any).negated();
            missing = missing.or(binder.place.lift(Region::new(false, other), false));
        }
        let out = self.within(binder);
        let error = out.error.clone().or(missing);
        out.failing(error)
    }

    /// Like [`Elements::over`], without the failures of a place that has no elements.
    pub fn within(self, binder: &Binder<'_>) -> Elements {
        Elements {
            all_true: binder.every(self.all_true),
            some_true: binder.some(self.some_true),
            all_false: binder.every(self.all_false),
            some_false: binder.some(self.some_false),
            clean: binder.every(self.clean),
            error: binder.some(self.error),
        }
    }
}
