//! Where a rule's error message can be evaluated. Terraform does so even where the condition is true,
//! and refuses the value when the message fails.

use super::{
    Constraint, Kind, Region,
    context::Context,
    formula::Extent,
    term::{Cases, Term},
    terms,
};
use crate::{
    syntax::{Expr, ExprKind, TemplatePart},
    value::Type,
};

pub fn evaluates<'m>(message: &'m Expr, context: &Context<'m>) -> Extent {
    let open = || Extent::unknown("an error message that may fail", message.span);
    if context.constant(message).is_some() {
        return Extent::everything();
    }
    let ExprKind::Template(parts) = &message.kind else { return open() };
    let part = |part: &'m TemplatePart| match part {
        TemplatePart::Literal { .. } => Extent::everything(),
        TemplatePart::Interpolation(it) => {
            text(&terms::cases(it, context), context).unwrap_or_else(open)
        }
        TemplatePart::If { .. } | TemplatePart::For { .. } => open(),
    };
    Extent::all(parts.iter().map(part))
}

/// Where it is a text, or something that becomes one; `None` where that is not known.
fn text<'m>(cases: &Cases<'m>, context: &Context<'m>) -> Option<Extent> {
    let each = cases.list.iter().map(|(guard, term)| {
        let there = match term {
            Term::Place(place) if place.ty.is_primitive() => place.not_null(),
            Term::Place(place) if place.ty == Type::Dynamic => {
                let collections = [Kind::Array, Kind::Object].map(Constraint::Kind);
                let others = Constraint::either(collections).negated();
                place.lift(Region::new(false, others), false)
            }
            Term::Constant(value) if value.is_null() => Extent::nothing(),
            Term::Constant(value) if value.ty().is_primitive() => Extent::everything(),
            Term::Count(_) => Cases::one(term.clone()).defined(context),
            _ => return None,
        };
        Some(guard.clone().and(there))
    });
    Some(Extent::any(each.collect::<Option<Vec<_>>>()?))
}
