//! `+`, `-`, `*`, `/`, `%`.

use std::rc::Rc;

use crate::{
    condition::{
        context::{Context, Folded},
        symbolic::{Cases, Term},
    },
    sets::Reason,
};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::Type;

pub fn arithmetic<'m>(
    op: BinaryOp,
    left: &Cases<'m>,
    right: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        return match context.fold_binary(op, left, right, span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error => Cases::failure(),
            Folded::Unclear => Cases::unknown(Reason::ArithmeticWithConstants, span),
        };
    }
    if let (BinaryOp::Add, Some(one), Some(other)) = (op, left.summands(), right.summands()) {
        return Cases::one(Term::Sum(Rc::new(one.into_iter().chain(other).collect())));
    }
    if let Some(shifted) = shifted(op, left, right) {
        return shifted;
    }
    if op == BinaryOp::Add {
        return left.map(|one| right.map(|other| total(one, other, span)));
    }
    if let (BinaryOp::Modulo, [(_, Term::Place(place))], Some(divisor)) =
        (op, left.list.as_slice(), right.as_constant())
        && place.ty == Type::Number
        && let Some(divisor) = divisor.as_number().and_then(tf_value::Number::to_u64)
        && divisor > 0
    {
        return Cases::one(Term::Modulo(place.clone(), divisor));
    }
    let constant = [left, right].iter().any(|it| it.as_constant().is_some());
    Cases::unknown(Reason::Arithmetic { op, constant }, span)
}

/// A length and a whole number.
fn shifted<'m>(op: BinaryOp, left: &Cases<'m>, right: &Cases<'m>) -> Option<Cases<'m>> {
    let number = |it: &Cases<'m>| it.as_constant()?.as_number()?.to_i64();
    let (lengths, by) = match (op, number(left), number(right)) {
        (BinaryOp::Add, None, Some(by)) => (left, by),
        (BinaryOp::Add, Some(by), None) => (right, by),
        (BinaryOp::Subtract, None, Some(by)) => (left, by.checked_neg()?),
        _ => return None,
    };
    let more = |term: &Term<'m>| match term {
        Term::Count(_) => Some((term.clone(), by)),
        Term::Shifted(inner, other) => Some(((**inner).clone(), by.checked_add(*other)?)),
        _ => None,
    };
    let all_lengths = lengths.list.iter().all(|(_, it)| more(it).is_some());
    all_lengths.then(|| {
        lengths.map(|it| match more(it) {
            Some((inner, by)) => Cases::one(Term::Shifted(Box::new(inner), by)),
            None => Cases::failure(),
        })
    })
}

/// A sum of lengths.
fn total<'m>(one: &Term<'m>, other: &Term<'m>, span: Span) -> Cases<'m> {
    let lengths = |it: &Term<'m>| match it {
        Term::Count(_) => Some(vec![it.clone()]),
        Term::Total(parts) => Some(parts.to_vec()),
        _ => None,
    };
    if let (Some(one), Some(other)) = (lengths(one), lengths(other)) {
        return Cases::one(Term::Total(Rc::new([one, other].concat())));
    }
    let constant = [one, other].iter().any(|it| matches!(it, Term::Constant(_)));
    Cases::unknown(Reason::Arithmetic { op: BinaryOp::Add, constant }, span)
}
