//! Whether a value is among constants.

use super::{
    context::Context,
    relation::constants,
    symbolic::{Cases, Leaf, Term, Truth, leaves},
};
use crate::sets::{Reason, Region};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::{Type, Value};

/// Whether the term is among constants, by `==`.
pub fn is_among(subject: &Cases<'_>, values: &[Value], span: Span, context: &Context<'_>) -> Truth {
    among(subject, values, span, false, context)
}

/// Like [`is_among`], but null is an error, as for `contains`.
pub fn is_in(subject: &Cases<'_>, values: &[Value], span: Span, context: &Context<'_>) -> Truth {
    among(subject, values, span, true, context)
}

fn among(
    subject: &Cases<'_>,
    values: &[Value],
    span: Span,
    strict: bool,
    context: &Context<'_>,
) -> Truth {
    let mut out = Truth::never();
    for (guard, term) in &subject.list {
        let truth = match term {
            Term::Place(place) => {
                if place.is_unified() {
                    out = out.or_case(guard, Truth::unknown(Reason::ConvertedElements, span));
                    continue;
                }
                let leaf = leaf_among(values, &place.ty, span);
                place.truth(if strict { leaf.not_null() } else { leaf })
            }
            Term::Constant(value) if strict && value.is_null() => Truth::failure(),
            Term::Constant(value) => {
                let each = values.iter();
                let each = each.map(|it| constants(BinaryOp::Equal, value, it, span, context));
                each.fold(Truth::constant(false), Truth::or)
            }
            Term::Unknown(_, _, Some(known))
                if !(strict && known.null) && values.iter().all(|it| known.is_unlike(it)) =>
            {
                Truth::constant(false)
            }
            Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
            _ => Truth::unknown(Reason::MembershipOf(term.form()), span),
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(subject.error.clone());
    out
}

fn leaf_among(values: &[Value], ty: &Type, span: Span) -> Leaf {
    // By halves, so that a long list is not searched for each of its values.
    match values {
        [] => Leaf::total(Region::nothing(), Region::everything()),
        [one] => {
            let one = leaves::equals(one, ty, span);
            let (nothing, everything) = (Region::nothing(), Region::everything());
            Leaf::total(nothing.or(one.when_true), everything.and(one.when_false))
        }
        many => {
            let (first, second) = many.split_at(many.len() / 2);
            let (first, second) = (leaf_among(first, ty, span), leaf_among(second, ty, span));
            Leaf::total(
                first.when_true.or(second.when_true),
                first.when_false.and(second.when_false),
            )
        }
    }
}
