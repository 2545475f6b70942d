//! `==`, `!=` and the operators of order, between terms.

use crate::{
    condition::{
        identities::{
            distinct_length, length_and_number, number_of_true, same_length, set_equality,
            sum_of_lengths, tally, unchanged_by,
        },
        outcomes,
        relation::{Comparison, constants},
        symbolic::{
            Cases, Leaf, Place, Sequence, Term, Truth, as_condition,
            leaves::{converted, equality, order},
            operators::mirror,
            views::View,
        },
    },
    sets::{Extent, Limit, NumberRange, Reason, ValueSet},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr};
use tf_value::{Number, Type, Value};

pub fn truth<'m>(comparison: Comparison<'_, 'm>, left: &'m Expr, right: &'m Expr) -> Truth {
    let [one, other] = [left, right].map(|it| super::cases(it, comparison.context));
    let truth = of_cases(comparison, &one, &other);
    if truth.when_true.formula.is_true() && !truth.when_true.losses.is_empty() {
        return distinct_length::truth(comparison, left, right).unwrap_or(truth);
    }
    truth
}

/// Compares two values, case by case.
pub fn of_cases<'m>(comparison: Comparison<'_, 'm>, left: &Cases<'m>, right: &Cases<'m>) -> Truth {
    if comparison.op == BinaryOp::NotEqual {
        let equal = Comparison { op: BinaryOp::Equal, ..comparison };
        return of_cases(equal, left, right).not();
    }
    if let Some(truth) = sums(comparison.op, left, right) {
        return truth;
    }
    let mut out = Truth::never();
    for (guard, left) in &left.list {
        for (other, right) in &right.list {
            let both = guard.clone().and(other.clone());
            if !both.is_nothing() {
                out = out.or_case(&both, comparison.of_terms(left, right));
            }
        }
    }
    out.error = out.error.or(left.error.clone()).or(right.error.clone());
    out
}

impl<'m> Comparison<'_, 'm> {
    fn of_terms(self, left: &Term<'m>, right: &Term<'m>) -> Truth {
        let Comparison { op, span, context } = self;
        match (left, right) {
            (Term::Unknown(reason, span, None), _) | (_, Term::Unknown(reason, span, None)) => {
                Truth::unknown(reason.clone(), *span)
            }
            (Term::Constant(left), Term::Constant(right)) => {
                constants(op, left, right, span, context)
            }
            (term, Term::Constant(value)) => self.with_constant(term, value),
            (Term::Constant(value), term) => match mirror(op) {
                Some(op) => Comparison { op, ..self }.with_constant(term, value),
                None => self.unknown(Reason::Comparison),
            },
            (Term::Floor(floor), Term::Place(place)) | (Term::Place(place), Term::Floor(floor))
                if floor == place && op == BinaryOp::Equal =>
            {
                place.truth(Leaf::exactly(ValueSet::MultipleOf(1)))
            }
            (Term::Count(left), Term::Count(right)) => same_length::truth(self, left, right),
            (Term::Sequence(_), _) | (_, Term::Sequence(_)) if op == BinaryOp::Equal => {
                set_equality::truth(left, right, span, context)
            }
            (Term::Place(one), Term::Place(other)) => places(op, one, other, span),
            (Term::Unknown(reason, span, _), _) | (_, Term::Unknown(reason, span, _)) => {
                Truth::unknown(reason.clone(), *span)
            }
            _ => match (op, as_truth(left, span), as_truth(right, span)) {
                (BinaryOp::Equal, Some(left), Some(right)) => same(left, right),
                _ => self.unknown(Reason::ComparisonOfTwo),
            },
        }
    }

    fn with_constant(self, term: &Term<'m>, value: &Value) -> Truth {
        let Comparison { op, span, context } = self;
        let is_equal = op == BinaryOp::Equal;
        match term {
            Term::Place(place) if is_equal && place.is_unified() && !value.is_null() => {
                place.truth(equality::equals_if_kept(value, span))
            }
            Term::Place(place) if is_equal => place.truth(equality::equals(value, &place.ty, span)),
            Term::Place(place) => match value.as_number() {
                Some(limit) if place.ty == Type::String => {
                    let number = place.seen(View::Number);
                    number.truth(order::compared(op, limit, &number.ty, span))
                }
                Some(limit) if place.ty == Type::Dynamic => {
                    place.truth(converted::ordered(op, limit, span))
                }
                Some(limit) => place.truth(order::compared(op, limit, &place.ty, span)),
                None => self.unknown(Reason::ComputedLimit),
            },
            Term::Bool(truth) if is_equal => bool_is(truth, value),
            Term::Count(_) | Term::Total(_) => match value.as_number() {
                Some(number) => self.of_count(term, number),
                None => self.unknown(Reason::LengthWithoutNumber),
            },
            Term::Sum(parts) => value
                .as_number()
                .and_then(|number| number_of_true::of_sum(op, parts, number))
                .unwrap_or_else(|| self.unknown(Reason::ComparisonOf(term.form()))),
            Term::Tally(positive) => match value.as_number() {
                Some(number) => tally::truth(self, positive, number),
                None => self.unknown(Reason::ComparisonOf(term.form())),
            },
            Term::Shifted(inner, by) => {
                let rest = value.as_number().and_then(|it| it.to_i64()?.checked_sub(*by));
                match rest.map(Value::int) {
                    Some(rest) => self.with_constant(inner, &rest),
                    None => self.unknown(Reason::LengthWithoutNumber),
                }
            }
            Term::Modulo(place, divisor) if is_equal => match leaving(*divisor, value) {
                Some(numbers) => place.truth(Leaf::exactly(numbers)),
                None => self.unknown(Reason::RemainderWithNumber),
            },
            Term::Sequence(_) if is_equal && matches!(value.ty(), Type::Set(_)) => {
                set_equality::truth(term, &Term::Constant(value.clone()), span, context)
            }
            Term::Sequence(it) if is_equal && is_tuple(it) && is_empty_tuple(value) => {
                outcomes::is_empty(&Cases::one(term.clone()), context, span)
            }
            Term::Object(_) | Term::Sequence(_) if is_equal && value.is_null() => {
                let cases = Cases::one(term.clone());
                let (defined, error) =
                    (outcomes::defined(&cases, context), outcomes::failing(&cases, context));
                let when_true = outcomes::null(term);
                let when_false =
                    if when_true.is_nothing() { defined } else { outcomes::there(term, context) };
                Truth { when_true, when_false, error, ..Truth::never() }
            }
            Term::Unknown(_, _, Some(known)) if is_equal && known.is_unlike(value) => {
                Truth::constant(false)
            }
            Term::Unknown(reason, place, Some(_)) => {
                let either = Extent::unknown(reason.clone(), *place);
                let error = if is_equal { Extent::nothing() } else { either.clone() };
                Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() }
            }
            _ => self.unknown(Reason::ComparisonOf(term.form())),
        }
    }

    fn of_count(self, term: &Term<'m>, number: &Number) -> Truth {
        match term {
            Term::Count(inner) => length_and_number::of_length(self, inner, number),
            Term::Total(parts) => sum_of_lengths::truth(self, parts, number),
            _ => self.unknown(Reason::ComparisonOf(term.form())),
        }
    }
}

/// Compares a sum of `? 1 : 0` with a number.
fn sums(op: BinaryOp, left: &Cases<'_>, right: &Cases<'_>) -> Option<Truth> {
    let number = |cases: &Cases<'_>| cases.as_constant().and_then(|it| it.as_number()).cloned();
    match (number(left), number(right)) {
        (None, Some(number)) => number_of_true::of_sum(op, &left.summands()?, &number),
        (Some(number), None) => number_of_true::of_sum(mirror(op)?, &right.summands()?, &number),
        _ => None,
    }
}

/// Compares two places. No keyword of JSON Schema does that, so mostly only their presence is known.
fn places(op: BinaryOp, one: &Place, other: &Place, span: Span) -> Truth {
    if op == BinaryOp::Equal && one == other {
        let (when_true, error) = (one.reachable(), one.failing());
        return Truth { when_true, error, ..Truth::never() };
    }
    if op == BinaryOp::Equal {
        if one.ty == Type::Bool && other.ty == Type::Bool {
            let truth = |it: &Place| it.truth(Leaf::of_bool());
            return same(truth(one), truth(other));
        }
        if let Some(truth) =
            unchanged_by::truth(one, other, span).or_else(|| unchanged_by::truth(other, one, span))
        {
            return truth;
        }
        let error = one.failing().or(other.failing());
        let either = Extent::unknown(Reason::ComparisonOfTwo, span);
        return Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() };
    }
    if one.ty != Type::Number || other.ty != Type::Number {
        return Truth::unknown(Reason::ComparisonOfTwo, span);
    }
    let both = one.not_null().and(other.not_null()).losing(Reason::ComparisonOfTwo, span);
    let missing = [one.null(), one.failing(), other.null(), other.failing()];
    Truth {
        when_true: both.clone(),
        when_false: both,
        error: Extent::any(missing),
        ..Truth::never()
    }
}

fn as_truth(term: &Term<'_>, span: Span) -> Option<Truth> {
    match term {
        Term::Bool(truth) => Some((**truth).clone()),
        Term::Place(place) if place.ty == Type::Bool => {
            Some(as_condition::of_cases(&Cases::one(term.clone()), span))
        }
        _ => None,
    }
}

/// True where both are true, both are false, or both are null.
fn same(left: Truth, right: Truth) -> Truth {
    let both = |one: &Extent, other: &Extent| one.clone().and(other.clone());
    let yes = both(&left.when_true, &right.when_true)
        .or(both(&left.when_false, &right.when_false))
        .or(both(&left.null, &right.null));
    let no = both(&left.when_true, &right.when_false)
        .or(both(&left.when_false, &right.when_true))
        .or(both(&left.null, &right.when_true.clone().or(right.when_false.clone())))
        .or(both(&right.null, &left.when_true.clone().or(left.when_false.clone())));
    Truth { when_true: yes, when_false: no, error: left.error.or(right.error), ..Truth::never() }
}

/// The numbers `n` with `n % divisor == rest`; `rest` has the sign of `n`.
fn leaving(divisor: u64, rest: &Value) -> Option<ValueSet> {
    let rest = rest.as_number()?.to_i64()?;
    if rest == 0 {
        return Some(ValueSet::MultipleOf(divisor));
    }
    if rest.unsigned_abs() >= divisor {
        return Some(ValueSet::Nothing);
    }
    // Only for 2 are all other numbers of one remainder: the odd numbers.
    let odd = [ValueSet::MultipleOf(1), ValueSet::MultipleOf(2).negated()];
    let limit = Some(Limit { value: Number::from_i64(0), inclusive: false });
    let range = match rest {
        1 => NumberRange { lower: limit, upper: None },
        _ => NumberRange { lower: None, upper: limit },
    };
    (divisor == 2).then(|| ValueSet::all(odd.into_iter().chain([ValueSet::Range(range)])))
}

fn is_tuple(sequence: &Sequence<'_>) -> bool {
    match sequence {
        Sequence::For(_, it) => it.key.is_none(),
        Sequence::Flattened(_) | Sequence::Written(_) => true,
        _ => false,
    }
}

fn is_empty_tuple(value: &Value) -> bool {
    matches!(value.ty(), Type::Tuple(elements) if elements.is_empty())
}

fn bool_is(truth: &Truth, value: &Value) -> Truth {
    let Truth { when_true, when_false, null, error, .. } = truth.clone();
    let (yes, no) = match value.as_bool() {
        Some(true) => (when_true, when_false.or(null)),
        Some(false) => (when_false, when_true.or(null)),
        None if value.is_null() => (null, when_true.or(when_false)),
        None => (Extent::nothing(), when_true.or(when_false).or(null)),
    };
    Truth { when_true: yes, when_false: no, error, ..Truth::never() }
}
