//! The inputs for which a rule's error message evaluates. Terraform evaluates it even if the condition is true,
//! and refuses the value when the message fails.

use super::{
    context::Context,
    expressions, outcomes,
    quantifiers::{self, Elements},
    symbolic::{Cases, Term, Truth},
};
use crate::sets::{ConstraintRoot, Extent, Kind, Reason, Region, ValueSet};
use hcl::{Expr, ExprKind, TemplatePart};
use release::changes;
use stack::guarded;
use tf_eval::functions::{self, ReturnType, Ty};
use tf_value::Type;

pub fn evaluates<'m>(message: &'m Expr, context: &Context<'m>) -> Extent {
    if matches!(message.kind, ExprKind::String(_)) {
        return Extent::everything();
    }
    let open = || Extent::unknown(Reason::ErrorMessage, message.span);
    text(message, context).unwrap_or_else(open)
}

/// The inputs for which the expression is a text or converts to one; `None` if that is not known.
fn text<'m>(expr: &'m Expr, context: &Context<'m>) -> Option<Extent> {
    guarded(|| {
        let expr = expr.bare();
        if let Some(value) = context.constant(expr) {
            return of_cases(&Cases::constant(value), context);
        }
        match &expr.kind {
            ExprKind::Template(parts) => all(parts.iter().map(|part| match part {
                TemplatePart::Literal { .. } => Some(Extent::everything()),
                TemplatePart::Interpolation(it) if is_no_text(it, context) => {
                    Some(Extent::nothing())
                }
                TemplatePart::Interpolation(it) => {
                    of_any(&expressions::cases(it, context), false).or_else(|| text(it, context))
                }
                TemplatePart::If { .. } | TemplatePart::For { .. } => None,
            })),
            ExprKind::Call { name, args, expand: false } => {
                match (name.name.as_str(), args.as_slice()) {
                    ("format", [format, rest @ ..]) => formatted(format, rest, context),
                    ("join", [separator, list]) => {
                        Some(text(separator, context)?.and(joined(list, context)?))
                    }
                    ("jsonencode", [it]) => defined(it, context),
                    ("title", [it]) => text(it, context),
                    _ => of_cases(&expressions::cases(expr, context), context),
                }
            }
            _ => of_cases(&expressions::cases(expr, context), context),
        }
    })
}

fn all(parts: impl Iterator<Item = Option<Extent>>) -> Option<Extent> {
    Some(Extent::all(parts.collect::<Option<Vec<_>>>()?))
}

fn of_cases<'m>(cases: &Cases<'m>, context: &Context<'m>) -> Option<Extent> {
    let each = cases.list.iter().map(|(guard, term)| {
        let there = match term {
            Term::Place(place) if place.ty.is_primitive() => place.not_null(),
            // A collection is not a string, and neither is null.
            Term::Place(place) if place.ty != Type::Dynamic => Extent::nothing(),
            Term::Constant(value) if value.is_null() => Extent::nothing(),
            Term::Constant(value) if value.ty().is_primitive() => Extent::everything(),
            Term::Count(_) | Term::Shifted(..) => {
                outcomes::defined(&Cases::one(term.clone()), context)
            }
            _ => return None,
        };
        Some(guard.clone().and(there))
    });
    Some(Extent::any(each.collect::<Option<Vec<_>>>()?))
}

/// Whether the expression is an index that never gives a text, by its types alone; it fails or gives a
/// collection: `var.x[0]` of an object without such an attribute, or of a map of objects.
fn is_no_text<'m>(expr: &'m Expr, context: &Context<'m>) -> bool {
    let ExprKind::Index { base, key, .. } = &expr.bare().kind else { return false };
    let base = expressions::cases(base, context);
    let (Some(key), [(_, Term::Place(place))]) = (context.constant(key), base.list.as_slice())
    else {
        return false;
    };
    let is_collection = |it: &Type| !it.is_primitive() && *it != Type::Dynamic;
    match &place.ty {
        Type::Object(object) => {
            let name = key.as_str().map(str::to_owned);
            let name = name.or_else(|| Some(key.as_number()?.to_decimal()));
            let ty = name.as_ref().map(|it| object.attributes.get(it.as_str()));
            ty.is_some_and(|it| it.is_none_or(is_collection))
        }
        Type::List(element) | Type::Map(element) => is_collection(element),
        ty => ty.is_primitive() || matches!(ty, Type::Set(_)),
    }
}

/// Where a value of type `any` is a text. `null`: whether an untyped null does not fail, which only a whole
/// variable can be.
fn of_any(cases: &Cases<'_>, null: bool) -> Option<Extent> {
    let [(_, Term::Place(place))] = cases.list.as_slice() else { return None };
    let is_whole = place.is_root() && matches!(place.root, ConstraintRoot::Variable(_));
    if place.ty != Type::Dynamic || null && !is_whole {
        return None;
    }
    let collections = ValueSet::either([Kind::Array, Kind::Object].map(ValueSet::Kind));
    Some(place.lift(Region::new(null, collections.negated()), false))
}

/// The inputs for which the expression evaluates, also to null.
fn defined<'m>(expr: &'m Expr, context: &Context<'m>) -> Option<Extent> {
    Some(outcomes::defined(&expressions::cases(expr, context), context))
        .filter(|it| it.losses.is_empty())
}

/// The inputs for which every element is a text.
fn joined<'m>(list: &'m Expr, context: &Context<'m>) -> Option<Extent> {
    let source = expressions::cases(list, context);
    let elements =
        expressions::elements(&source, context, list.span, &|element, _| match of_cases(
            element, context,
        ) {
            Some(when_true) => Elements::one(Truth { when_true, ..Truth::never() }),
            None => Elements::unknown(Reason::ElementNoText, list.span),
        });
    Some(quantifiers::all(elements).when_true).filter(|it| it.losses.is_empty())
}

/// Whether the expression is a string whenever it evaluates: a template, or a call of a function that returns
/// one.
fn is_never_null(expr: &Expr) -> bool {
    match &expr.bare().kind {
        ExprKind::Template(_) => true,
        ExprKind::Call { name, .. } => functions::lookup(&name.name)
            .is_some_and(|it| matches!(it.returns, ReturnType::Fixed(Ty::String))),
        _ => false,
    }
}

/// `format` with plain verbs, as many as there are arguments.
fn formatted<'m>(format: &'m Expr, args: &'m [Expr], context: &Context<'m>) -> Option<Extent> {
    let format = context.constant(format)?;
    let mut verbs = Vec::new();
    let mut chars = format.as_str()?.chars();
    while let Some(char) = chars.next() {
        if char == '%' {
            verbs.push(chars.next()?);
        }
    }
    verbs.retain(|it| *it != '%');
    if verbs.len() != args.len() {
        return None;
    }
    // A release without `FORMAT_NULL` turns a call with an untyped null into an unknown, which is not an error
    // unless another argument fails.
    let takes_null = context.releases.some(|it| !it.has(&changes::FORMAT_NULL));
    let is_open = takes_null && context.releases.some(|it| it.has(&changes::FORMAT_NULL));
    let varying = args.iter().filter(|it| context.constant(it).is_none()).count();
    all(verbs.iter().zip(args).map(|(verb, it)| match verb {
        's' | 'q' if varying == 1 => {
            let found = of_any(&expressions::cases(it, context), takes_null);
            let found = found.or_else(|| text(it, context));
            match found {
                Some(found) if is_open && !is_never_null(it) => {
                    Some(found.losing(Reason::FormatOfNull, it.span))
                }
                found => found,
            }
        }
        's' | 'q' => text(it, context),
        'v' => defined(it, context),
        _ => None,
    }))
}
