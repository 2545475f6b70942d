//! `length(x) OP number`.

use super::{
    each_once::each_once, filtered_length, finite_sequence::presences, number_of_true::of_sum,
};
use crate::{
    condition::{
        context::Context,
        outcomes,
        patterns::text,
        relation::Comparison,
        symbolic::{
            Cases, Leaf, Term, Truth,
            leaves::{converted, length},
        },
    },
    sets::{Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::BinaryOp;
use re2::Language;
use tf_value::{Number, Type};

/// How a comparison treats a count of zero: `n > 0` is `AllBut`.
#[derive(Clone, Copy, PartialEq)]
pub enum Zero {
    /// True for zero and nothing else.
    Only,
    /// True for all but zero.
    AllBut,
    Always,
    Other,
}

pub fn zero(op: BinaryOp, number: &Number) -> Zero {
    let exact = number.to_i64();
    match (op, exact) {
        (BinaryOp::Equal | BinaryOp::LessOrEqual, Some(0)) | (BinaryOp::Less, Some(1)) => {
            Zero::Only
        }
        (BinaryOp::NotEqual | BinaryOp::Greater, Some(0)) | (BinaryOp::GreaterOrEqual, Some(1)) => {
            Zero::AllBut
        }
        (BinaryOp::GreaterOrEqual, Some(n)) if n <= 0 => Zero::Always,
        _ => Zero::Other,
    }
}

/// `length(inner) OP number`
pub fn of_length<'m>(comparison: Comparison<'_, 'm>, inner: &Term<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    if let Term::Place(place) = inner {
        let variable = context.is_whole_variable(place).then_some(context.variable);
        return place.truth(length::compared(op, number, &place.ty, variable, span));
    }
    if let Term::Parts(separator, place) = inner {
        return place.truth(of_parts(op, separator, number, &place.ty, span));
    }
    if let Term::Matches(pattern, place) = inner {
        return place.truth(of_matches(comparison, pattern, number, &place.ty));
    }
    let cases = Cases::one(inner.clone());
    match zero(op, number) {
        Zero::Only => return outcomes::is_empty(&cases, context, span),
        Zero::AllBut => return outcomes::is_empty(&cases, context, span).not(),
        Zero::Always => {
            let empty = outcomes::is_empty(&cases, context, span);
            let when_true = empty.when_true.or(empty.when_false);
            return Truth { when_true, error: empty.error, ..Truth::never() };
        }
        Zero::Other => (),
    }
    if let Some(place) = each_once(inner, context) {
        return evaluated(of_length(comparison, &Term::Place(place), number), inner, context);
    }
    if let Some(parts) = presences(inner, context)
        && let Some(truth) = of_sum(op, &parts, number)
    {
        return evaluated(truth, inner, context);
    }
    filtered_length::truth(comparison, inner, number)
        .unwrap_or_else(|| some(comparison, &cases, number))
}

/// Restricts a comparison of a length to where the elements evaluate: `length([var.x.y])` is 1, but fails where
/// `var.x` is null.
fn evaluated<'m>(count: Truth, list: &Term<'m>, context: &Context<'m>) -> Truth {
    let runs = outcomes::runs(list, context);
    Truth {
        when_true: count.when_true.and(runs.clean.clone()),
        when_false: count.when_false.and(runs.clean),
        error: count.error.or(runs.error),
        ..count
    }
}

/// A computed list that has at least so many elements has at least one.
fn some<'m>(comparison: Comparison<'_, 'm>, cases: &Cases<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    let empty = outcomes::is_empty(cases, context, span);
    let any =
        empty.when_true.clone().or(empty.when_false.clone()).losing(Reason::LengthOfList, span);
    let present = empty.when_false.losing(Reason::LengthOfList, span);
    let positive = number.compare(&Number::from_i64(0)).is_gt();
    let (when_true, when_false) = match op {
        BinaryOp::Equal | BinaryOp::GreaterOrEqual | BinaryOp::Greater if positive => {
            (present, any)
        }
        BinaryOp::LessOrEqual | BinaryOp::Less if positive => (any, present),
        _ => (any.clone(), any),
    };
    Truth { when_true, when_false, error: empty.error, ..Truth::never() }
}

/// Whether a pattern is found at the start of a string, and nowhere else.
fn is_found_once(found: &ValueSet) -> bool {
    let ValueSet::Matches(pattern) = found else { return false };
    let parts = Language::parse(pattern).and_then(|it| it.parts());
    parts.is_some_and(|parts| parts.iter().all(|it| it.start))
}

/// `length(regexall(pattern, place)) OP number`
fn of_matches(comparison: Comparison<'_, '_>, pattern: &str, number: &Number, ty: &Type) -> Leaf {
    let Comparison { op, span, context } = comparison;
    let matches = match text::pattern(pattern, &context.releases) {
        Ok(it) => converted::as_string(it, ty, span),
        Err(reason) => return Leaf::unknown(reason, span),
    };
    let once = is_found_once(&matches.when_true.values);
    match (zero(op, number), op, number.to_i64()) {
        (Zero::Only, ..) => matches.not(),
        (Zero::AllBut, ..) => matches,
        (Zero::Always, ..) => {
            Leaf::of_values(Region::new(false, ValueSet::Anything), Region::nothing())
        }
        (_, BinaryOp::Equal, Some(1)) if once => matches,
        (_, BinaryOp::Equal | BinaryOp::GreaterOrEqual | BinaryOp::Greater, Some(1..)) => Leaf {
            when_true: matches.when_true.losing(Reason::MatchCount, span),
            when_false: Region::unknown(Reason::MatchCount, span),
            ..matches
        },
        _ => Leaf::unknown(Reason::MatchCount, span),
    }
}

/// `length(split(separator, place)) OP number`
pub fn of_parts(op: BinaryOp, separator: &str, number: &Number, ty: &Type, span: Span) -> Leaf {
    let exact = number.to_u64();
    match (op, exact) {
        _ if *ty != Type::String => Leaf::unknown(Reason::ConversionToString, span),
        // Each character is a part.
        _ if separator.is_empty() => length::compared(op, number, ty, None, span),
        (BinaryOp::Equal, Some(count)) => match text::split_into(separator, count) {
            Some(it) => Leaf::exactly(it),
            None => Leaf::unknown(Reason::PartCount, span),
        },
        (BinaryOp::Greater, Some(1)) | (BinaryOp::GreaterOrEqual, Some(2)) => {
            Leaf::exactly(text::part("strcontains", separator))
        }
        (BinaryOp::Greater, Some(0)) | (BinaryOp::GreaterOrEqual, Some(0 | 1)) => {
            Leaf::of_values(Region::new(false, ValueSet::Anything), Region::nothing())
        }
        _ => Leaf::unknown(Reason::PartCount, span),
    }
}
