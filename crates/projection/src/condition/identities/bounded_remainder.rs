//! `length(x) % 2 == 1 && length(x) <= 7`: with a bound, a remainder of a length is a choice of lengths.

use crate::{
    condition::{
        context::Context,
        expressions,
        symbolic::{Leaf, Place, Term, Truth, operators::mirror},
    },
    sets::{Length, Measure, ValueSet},
};
use hcl::{BinaryOp, Expr, ExprKind};
use tf_value::Type;

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
