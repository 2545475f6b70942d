//! Spellings whose meaning is more than that of their parts.
//!
//! `length(distinct(x)) == length(x)` says that no two elements are equal, though neither length is
//! known. Input is a comparison of terms; output is a [`Truth`](super::symbolic::Truth), or `None` for
//! another spelling. There is a function for each identity, named after what it says.

pub mod counts;
pub mod lengths;

use super::{expressions, quantifiers};
use crate::{
    condition::{
        context::Context,
        membership::is_in,
        patterns,
        quantifiers::Elements,
        symbolic::{Cases, Leaf, Place, Sequence, Term, Truth, truth::mirror, views::View},
    },
    sets::{Length, Measure, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind};
use tf_value::{Type, Value};

// `length(x) % 2 == 1 && length(x) <= 7`: with a bound, a remainder of a length is a choice of lengths.

/// The longest bound; beyond it nobody would read the choice.
const LONGEST: u64 = 40;

/// The truth of an operand of `&&` where the others are true, and false where a length is beyond their
/// bound. `None` for another spelling, or where no other operand is a bound.
pub fn beside<'m>(operand: &'m Expr, others: &[&'m Expr], context: &Context<'m>) -> Option<Truth> {
    let ExprKind::Binary { op, left, right, .. } = &operand.bare().kind else { return None };
    let (length, divisor) = remainder(left)?;
    let is_equal = match op {
        BinaryOp::Equal => true,
        BinaryOp::NotEqual => false,
        _ => return None,
    };
    let (divisor, rest) = (number(divisor, context)?, number(right, context)?);
    let place = counted(length, context)?;
    let longest = others.iter().filter_map(|it| bound(it, &place, context)).min()?;
    let measure = match &place.ty {
        Type::String => Measure::Characters,
        Type::List(_) | Type::Set(_) => Measure::Items,
        Type::Map(_) => Measure::Properties,
        _ => return None,
    };
    if divisor == 0 || longest > LONGEST {
        return None;
    }
    let lengths = (0..=longest).filter(|it| (it % divisor == rest) == is_equal);
    let one = |it| ValueSet::Length(measure, Length { min: Some(it), max: Some(it) });
    Some(place.truth(Leaf::exactly(ValueSet::either(lengths.map(one)))))
}

/// The operands of `%`.
fn remainder(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Binary { op: BinaryOp::Modulo, left, right, .. } = &expr.bare().kind else {
        return None;
    };
    Some((left, right))
}

/// The place whose length the expression is.
fn counted<'m>(expr: &'m Expr, context: &Context<'m>) -> Option<Place> {
    let cases = expressions::cases(expr, context);
    match cases.list.as_slice() {
        [(_, Term::Count(inner))] => match &**inner {
            Term::Place(place) => Some(place.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn number(expr: &Expr, context: &Context<'_>) -> Option<u64> {
    context.constant(expr)?.as_number()?.to_u64()
}

/// The longest length of the place for which the expression is true.
fn bound<'m>(expr: &'m Expr, place: &Place, context: &Context<'m>) -> Option<u64> {
    let ExprKind::Binary { op, left, right, .. } = &expr.bare().kind else { return None };
    let of = |op, length: &'m Expr, limit: &Expr| {
        let limit = number(limit, context)?;
        let longest = match op {
            BinaryOp::LessOrEqual | BinaryOp::Equal => limit,
            BinaryOp::Less => limit.checked_sub(1)?,
            _ => return None,
        };
        (counted(length, context)? == *place).then_some(longest)
    };
    of(*op, left, right).or_else(|| of(mirror(*op)?, right, left))
}

// `setunion([…], x) == toset([…])`: an equation of sets as a condition on their elements.

/// `left == right`, one of them computed: `setunion([…], x) == toset([…])` and
/// `setintersection(x, […]) == x` say that every element of x is in the list.
pub fn set_equality<'m>(
    left: &Term<'m>,
    right: &Term<'m>,
    span: Span,
    context: &Context<'m>,
) -> Truth {
    let equation = |one, other| union(one, other).or_else(|| intersection(one, other));
    let Some((source, among)) = equation(left, right).or_else(|| equation(right, left)) else {
        return Truth::unknown(Reason::ComparisonOfLists, span);
    };
    let elements = expressions::elements(&source, context, span, &|element, _| {
        Elements::one(is_in(element, &among, span, context))
    });
    // A null element is not in the list, but it is not an error.
    let mut truth = quantifiers::all(elements);
    truth.when_false = truth.when_false.losing(Reason::NullElement, span);
    truth
}

/// The operands of a union that is compared with a constant: the computed one, and the constant.
fn union<'m>(left: &Term<'m>, right: &Term<'m>) -> Option<(Cases<'m>, Vec<Value>)> {
    let Sequence::Joined(parts) = inner(left)? else { return None };
    let (source, constant) = match parts.as_slice() {
        [one, other] if one.as_constant().is_some() => (other, one.as_constant()?),
        [one, other] => (one, other.as_constant()?),
        _ => return None,
    };
    let among = texts(constant)?;
    let Term::Constant(all) = right else { return None };
    let all = Some(all).filter(|it| matches!(it.ty(), Type::Set(_))).and_then(texts)?;
    let same = among.iter().all(|it| all.contains(it)) && all.iter().all(|it| among.contains(it));
    (same && source.list.iter().all(|(_, it)| of_strings(it))).then(|| (source.clone(), among))
}

/// The source of an intersection with constants that is compared with the source, and the constants.
fn intersection<'m>(left: &Term<'m>, right: &Term<'m>) -> Option<(Cases<'m>, Vec<Value>)> {
    let Sequence::Filtered { source, among, kept: true, .. } = inner(left)? else { return None };
    let [(_, term)] = source.list.as_slice() else { return None };
    (same_set(term, right)?).then(|| (source.clone(), among.clone()))
}

/// Whether the second term is the first one as a set.
fn same_set(source: &Term<'_>, other: &Term<'_>) -> Option<bool> {
    let of_source: &Place = place(source)?;
    Some(match other {
        Term::Place(other) => matches!(other.ty, Type::Set(_)) && of_source == other,
        other => {
            let Term::Sequence(it) = other else { return None };
            let Sequence::Distinct(inner, _) = &**it else { return None };
            let [(_, inner)] = inner.list.as_slice() else { return None };
            of_source == place(inner)?
        }
    })
}

fn place<'t>(term: &'t Term<'_>) -> Option<&'t Place> {
    if let Term::Place(place) = term { Some(place) } else { None }
}

fn inner<'t, 'm>(term: &'t Term<'m>) -> Option<&'t Sequence<'m>> {
    let Term::Sequence(it) = term else { return None };
    let Sequence::Distinct(it, _) = &**it else { return None };
    let [(_, Term::Sequence(it))] = it.list.as_slice() else { return None };
    Some(it)
}

fn texts(value: &Value) -> Option<Vec<Value>> {
    let values = value.as_sequence()?;
    values.iter().all(|it| it.as_str().is_some()).then(|| values.to_vec())
}

fn of_strings(term: &Term<'_>) -> bool {
    match term {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
        Term::Constant(value) => texts(value).is_some(),
        _ => false,
    }
}

// `x == trimspace(x)`: strings that a function leaves as they are.

/// `x == trimspace(x)`, `x == lower(x)`: strings that a function leaves as they are.
pub fn unchanged_by(place: &Place, seen: &Place, span: Span) -> Option<Truth> {
    let is = |view| *seen == place.seen(view);
    let without = |pattern: &str| ValueSet::Matches(pattern.to_owned()).negated();
    let changed = match () {
        () if is(View::Trim(None)) => {
            let pattern = format!("^{space}|{space}$", space = patterns::SPACE);
            return Some(place.truth(Leaf::exactly(without(&pattern))));
        }
        () if is(View::Lower) => "[A-Z]",
        () if is(View::Upper) => "[a-z]",
        () => return None,
    };
    let when_true = Region::new(false, without(changed)).losing(Reason::LettersBeyondAscii, span);
    Some(place.truth(Leaf::of_values(when_true, Region::unknown(Reason::LettersBeyondAscii, span))))
}
