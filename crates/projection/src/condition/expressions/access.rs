//! `base.name`, `base[key]`, references.

use smol_str::SmolStr;

use crate::{
    condition::{
        context::Context,
        outcomes,
        symbolic::{Cases, Place, Sequence, Term, members, views::View},
    },
    sets::{ExpressionKind, Reason},
};
use diagnostics::Span;
use hcl::{Expr, ExprKind};
use tf_value::Type;

pub fn other_reference<'m>(span: Span) -> Cases<'m> {
    Cases::unknown(Reason::OtherReference, span)
}

pub fn attribute<'m>(
    base: &'m Expr,
    name: &SmolStr,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    if let ExprKind::Variable(root) = &base.kind
        && context.names.bound(root).is_none()
    {
        return match root.as_str() {
            "var" => context
                .variable_place(name)
                .map_or_else(|| other_reference(expr.span), |it| Cases::one(Term::Place(it))),
            "local" => local(name, expr, context),
            _ => other_reference(expr.span),
        };
    }
    member(&super::cases(base, context), name, expr.span, context)
}

/// A local's own expression in its place.
fn local<'m>(name: &SmolStr, expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    if let Some(value) = context.constant(expr) {
        return Cases::constant(value);
    }
    let (Some(local), Some(names)) =
        (context.module.locals.get(name), context.names.inside_local())
    else {
        return other_reference(expr.span);
    };
    super::cases(&local.expr, &context.within(&names))
}

/// `term.name`
pub fn member<'m>(base: &Cases<'m>, name: &str, span: Span, context: &Context<'m>) -> Cases<'m> {
    base.map(|term| match term {
        Term::Place(place) => members::reached(place.member(name), span),
        Term::Object(members) => match members.iter().find(|(key, _)| key == name) {
            Some((_, value)) => {
                let others = members.iter().filter(|(key, _)| key != name);
                outcomes::beside(value.clone(), others.map(|it| &it.1), context)
            }
            None => Cases::failure(),
        },
        Term::Constant(value) => match value.as_mapping().map(|it| it.get(name)) {
            Some(Some(value)) => Cases::constant(value.clone()),
            Some(None) => Cases::failure(),
            None if value.is_null() => Cases::failure(),
            None => Cases::unknown(Reason::AttributeOfConstant, span),
        },
        Term::Unknown(_, _, Some(known)) if known.ty.is_primitive() => Cases::failure(),
        // The attribute may have another type than the object, so its type is not known.
        Term::Unknown(reason, span, _) => Cases::unknown(reason.clone(), *span),
        _ => Cases::unknown(Reason::AttributeOf(term.form()), span),
    })
}

pub fn index<'m>(
    base: &Cases<'m>,
    key: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    let Some(key) = key.as_constant() else {
        return Cases::unknown(Reason::ComputedIndex, span);
    };
    if let Some(name) = key.as_str() {
        return member(base, name, span, context);
    }
    let Some(index) = key.as_number().and_then(|it| usize::try_from(it.to_u64()?).ok()) else {
        return Cases::unknown(Reason::FractionalIndex, span);
    };
    base.map(|term| match term {
        Term::Place(place) => members::reached(place.index(index), span),
        Term::Constant(value) => match value.as_sequence().map(|it| it.get(index)) {
            Some(Some(element)) if !matches!(value.ty(), Type::Set(_)) => {
                Cases::constant(element.clone())
            }
            Some(None) => Cases::failure(),
            None if value.is_null() => Cases::failure(),
            _ => Cases::unknown(Reason::IndexIntoConstant, span),
        },
        Term::Parts(separator, place) => part(separator, index, place, span),
        Term::Sequence(it) => match &**it {
            Sequence::Written(elements) => match elements.get(index) {
                Some((_, value)) => {
                    let others = elements.iter().enumerate().filter(|(at, _)| *at != index);
                    outcomes::beside(value.clone(), others.map(|(_, it)| &it.1), context)
                }
                None => Cases::failure(),
            },
            Sequence::Slice { list, from, to } => {
                let (enough, error) = list.with_at_least(to.unwrap_or(*from));
                let mut out = Cases { list: Vec::new(), error };
                let is_there = to.is_none_or(|to| index < to - from);
                let element = from.checked_add(index).filter(|_| is_there);
                let element = element.map(|it| members::reached(list.index(it), span));
                out.add(&enough, element.unwrap_or_else(Cases::failure));
                out
            }
            _ => Cases::unknown(Reason::IndexInto(ExpressionKind::ComputedList), span),
        },
        _ => Cases::unknown(Reason::IndexInto(term.form()), span),
    })
}

/// An element of `split`.
fn part<'m>(separator: &str, index: usize, place: &Place, span: Span) -> Cases<'m> {
    let mut chars = separator.chars();
    let view = match (chars.next(), chars.next()) {
        (None, _) => View::Character(index),
        (Some(separator), None) => View::Split { separator, index },
        _ => return Cases::unknown(Reason::LongSeparator, span),
    };
    Cases::one(Term::Place(place.seen(view)))
}
