//! Boolean expressions as sets of the assignments for which they are true, false, null, or fail.

use crate::sets::{Extent, Reason, Region, ValueSet};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::Value;

/// A boolean expression. No set is ever derived as the complement of another: each holds at least
/// the assignments that it represents.
///
/// Operators are Kleene's, which Terraform has from 1.12 on. Earlier releases are true for a subset, so a
/// schema made from the true set is sound for every release. They fail more often, which matters inside `try`
/// and `can`: `error` holds the inputs that fail in any release, with a loss if some of them do not fail in
/// every one. `excess` is the outcome since 1.12 for such inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub when_true: Extent,
    pub when_false: Extent,
    pub null: Extent,
    pub error: Extent,
    pub excess: Excess,
}

/// Up to this number, cases are joined one by one, which simplifies more.
const FEW_CASES: usize = 16;

/// The outcome since Terraform 1.12, for inputs on which earlier releases fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    True,
    False,
    Anything,
}

impl Truth {
    pub fn constant(value: bool) -> Truth {
        let (all, none) = (Extent::everything(), Extent::nothing());
        let (when_true, when_false) = if value { (all, none) } else { (none, all) };
        Truth { when_true, when_false, ..Truth::never() }
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
        Truth {
            when_true: none(),
            when_false: none(),
            null: none(),
            error: none(),
            excess: Excess::Anything,
        }
    }

    pub fn unknown(reason: Reason, span: Span) -> Truth {
        let extent = Extent::unknown(reason, span);
        Truth {
            when_true: extent.clone(),
            when_false: extent.clone(),
            null: extent.clone(),
            error: extent,
            excess: Excess::Anything,
        }
    }

    /// One of two outcomes, decided by disjoint guards.
    pub fn or_case(self, guard: &Extent, other: Truth) -> Truth {
        let within = |it: Extent| guard.clone().and(it);
        let excess = match (depends_on_version(&self.error), depends_on_version(&other.error)) {
            (false, _) => other.excess,
            (true, false) => self.excess,
            (true, true) if self.excess == other.excess => self.excess,
            (true, true) => Excess::Anything,
        };
        Truth {
            excess,
            when_true: self.when_true.or(within(other.when_true)),
            when_false: self.when_false.or(within(other.when_false)),
            null: self.null.or(within(other.null)),
            error: self.error.or(within(other.error)),
        }
    }

    /// The outcomes of all cases, which have disjoint guards.
    pub fn of_cases(cases: Vec<(Extent, Truth)>) -> Truth {
        if cases.len() <= FEW_CASES {
            let add = |out: Truth, (guard, truth): (Extent, Truth)| out.or_case(&guard, truth);
            return cases.into_iter().fold(Truth::never(), add);
        }
        // Joined one by one, the first ones would be copied with each of the others.
        let union = |of: fn(&Truth) -> &Extent| {
            Extent::any(cases.iter().map(|(guard, it)| guard.clone().and(of(it).clone())))
        };
        let mut hanging = cases.iter().filter(|it| depends_on_version(&it.1.error));
        let excess = match hanging.next() {
            Some((_, first)) if hanging.all(|it| it.1.excess == first.excess) => first.excess,
            Some(_) => Excess::Anything,
            None => cases.last().map_or(Excess::Anything, |it| it.1.excess),
        };
        Truth {
            when_true: union(|it| &it.when_true),
            when_false: union(|it| &it.when_false),
            null: union(|it| &it.null),
            error: union(|it| &it.error),
            excess,
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
            excess: match self.excess {
                Excess::True => Excess::False,
                Excess::False => Excess::True,
                Excess::Anything => Excess::Anything,
            },
        }
    }

    /// How many parts the largest of its sets has, values and losses included.
    pub fn parts(&self) -> usize {
        let sets = [&self.when_true, &self.when_false, &self.null, &self.error];
        sets.into_iter().map(Extent::parts).max().unwrap_or(0)
    }

    /// False where either is false or null, even if the other is an error.
    pub fn and(self, other: Truth) -> Truth {
        let alike = self.fails_alike(&other);
        let nulls = self.null.clone().or(other.null.clone());
        Truth {
            excess: self.excess_of(&other, Excess::False),
            when_true: self.when_true.and(other.when_true),
            when_false: self.when_false.or(other.when_false).or(nulls.clone()),
            null: Extent::nothing(),
            error: by_version(self.error.or(other.error).or(nulls), alike),
        }
    }

    /// True where either is true, even if the other is an error. A null next to anything else is an error.
    pub fn or(self, other: Truth) -> Truth {
        let alike = self.fails_alike(&other);
        Truth {
            excess: self.excess_of(&other, Excess::True),
            when_true: self.when_true.or(other.when_true),
            when_false: self.when_false.and(other.when_false),
            null: Extent::nothing(),
            error: by_version(self.error.or(other.error).or(self.null).or(other.null), alike),
        }
    }

    /// Like [`Truth::and`], if every release has Kleene's operators: where one side decides, the other one
    /// cannot make it fail.
    pub fn and_decided(self, other: Truth) -> Truth {
        let error = self.undecided(&other, |it| &it.when_true);
        Truth { error, excess: Excess::Anything, ..self.and(other) }
    }

    /// Like [`Truth::or`], if every release has Kleene's operators.
    pub fn or_decided(self, other: Truth) -> Truth {
        let error = self.undecided(&other, |it| &it.when_false);
        Truth { error, excess: Excess::Anything, ..self.or(other) }
    }

    /// The inputs for which one side fails or is null, and the other one is `open` or does so, too.
    fn undecided(&self, other: &Truth, open: impl Fn(&Truth) -> &Extent) -> Extent {
        let none = |it: &Truth| it.error.clone().or(it.null.clone());
        let left = |it: &Truth| open(it).clone().or(none(it));
        none(self).and(left(other)).or(none(other).and(left(self)))
    }

    /// The work of joining it with one of the same size.
    pub fn work(&self) -> u64 {
        let Truth { when_true, when_false, null, error, .. } = self;
        [when_true, when_false, null, error].into_iter().map(Extent::work).sum()
    }

    /// Whether the failures are the same in every release: neither side can fail, or both fail together.
    fn fails_alike(&self, other: &Truth) -> bool {
        let never_null = self.null.is_nothing() && other.null.is_nothing();
        never_null && self.error == other.error && self.error.losses.is_empty()
    }

    /// The excess of an operator: `decided`, where one operand decides alone, unless the excess of an operand
    /// is another one.
    fn excess_of(&self, other: &Truth, decided: Excess) -> Excess {
        let open = |it: &Truth| depends_on_version(&it.error) && it.excess != decided;
        if open(self) || open(other) { Excess::Anything } else { decided }
    }

    /// `self ? then : otherwise`: only the branch taken counts.
    pub fn choose(self, then: Truth, otherwise: Truth) -> Truth {
        let fails = self.error.or(self.null);
        let mut out = Truth::never().or_case(&self.when_true, then);
        out = out.or_case(&self.when_false, otherwise);
        if depends_on_version(&fails) {
            out.excess = Excess::Anything;
        }
        out.error = out.error.or(fails);
        out
    }

    /// The truth if no release has Kleene's operators. The other sets still hold inputs whose failure later
    /// releases hide; a loss says so.
    pub fn before_kleene(self) -> Truth {
        Truth {
            when_true: defined_in_any_release(self.when_true, &self.error),
            when_false: defined_in_any_release(self.when_false, &self.error),
            null: defined_in_any_release(self.null, &self.error),
            ..self
        }
    }

    /// `try(self, fallback)` with a constant fallback. If that is the excess, the release makes no difference.
    pub fn or_else(self, fallback: bool, is_kleene: bool) -> Truth {
        let excess = if fallback { Excess::True } else { Excess::False };
        let is_alike = self.excess == excess;
        let it = if is_kleene || is_alike { self } else { self.before_kleene() };
        let mut error = it.error;
        if is_alike {
            error.losses.retain(|it| it.reason != Reason::HangsOnRelease);
        }
        let (yes, no) = (it.when_true, it.when_false);
        let (when_true, when_false) =
            if fallback { (yes.or(error), no) } else { (yes, no.or(error)) };
        Truth { when_true, when_false, null: it.null, ..Truth::never() }
    }
}

/// The inputs for which an expression has a value. If its failures depend on the release a loss is added:
/// without Kleene's operators it may fail for some of these inputs, too.
fn defined_in_any_release(defined: Extent, error: &Extent) -> Extent {
    if depends_on_version(error) {
        return defined.losing(Reason::BeforeKleene, Span::default());
    }
    defined
}

fn by_version(error: Extent, alike: bool) -> Extent {
    if alike || error.is_nothing() {
        return error;
    }
    error.losing(Reason::HangsOnRelease, Span::default())
}

fn depends_on_version(error: &Extent) -> bool {
    error.losses.iter().any(|it| it.reason == Reason::HangsOnRelease)
}

// The outcome of a Boolean expression for the values at one place.

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

// Operators that compare.

pub fn is_comparison(op: BinaryOp) -> bool {
    mirror(op).is_some()
}

/// The operator that means the same with its sides exchanged; `None` for operators that do not compare.
pub fn mirror(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::Equal,
        BinaryOp::NotEqual => BinaryOp::NotEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        _ => return None,
    })
}

/// The comparison that is true exactly where this one is false.
pub fn complement(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Greater => BinaryOp::LessOrEqual,
        BinaryOp::GreaterOrEqual => BinaryOp::Less,
        BinaryOp::Less => BinaryOp::GreaterOrEqual,
        BinaryOp::LessOrEqual => BinaryOp::Greater,
        other => other,
    }
}
