//! Whether a value is among constants.

use super::{
    context::Context,
    relation::constants,
    symbolic::{Cases, Leaf, Term, Truth, leaves::equality},
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
    let each = values.iter().map(|it| equality::equals(it, ty, span));
    let start = Leaf::total(Region::nothing(), Region::everything());
    each.fold(start, |all, one| {
        Leaf::total(all.when_true.or(one.when_true), all.when_false.and(one.when_false))
    })
}
