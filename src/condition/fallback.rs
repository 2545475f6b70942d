//! Expressions with something to fall back on: `coalesce`, `lookup`, `try`.

use super::{
    Constraint, Region, boolean,
    calls::unknown,
    context::Context,
    formula::Extent,
    term::{Cases, Term},
    terms,
};
use crate::{
    diagnostic::Span,
    syntax::Expr,
    value::{Type, Value},
};

/// The first that is neither null nor an empty string.
pub fn coalesce<'m>(args: &[Cases<'m>], span: Span) -> Cases<'m> {
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for arg in args {
        let mut skipped = Extent::nothing();
        for (guard, term) in &arg.list {
            let guard = rest.clone().and(guard.clone());
            match term {
                Term::Constant(value) if value.is_null() || value.as_str() == Some("") => {
                    skipped = skipped.or(guard);
                }
                Term::Place(place) => {
                    let empty = Constraint::OneOf(vec![Value::string("")]);
                    let (kept, left) = if place.ty == Type::String {
                        (empty.clone().negated(), empty)
                    } else {
                        (Constraint::Anything, Constraint::Nothing)
                    };
                    let present = place.lift(Region::new(false, kept), false);
                    skipped =
                        skipped.or(guard.clone().and(place.lift(Region::new(true, left), false)));
                    out.add(&guard.clone().and(present), Cases::one(term.clone()));
                    out.error = out.error.or(guard.and(place.failing()));
                }
                Term::Constant(_) | Term::Sequence(_) | Term::Object(_) => {
                    out.add(&guard, Cases::one(term.clone()));
                }
                _ => return unknown("coalesce", span),
            }
        }
        out.error = out.error.or(rest.clone().and(arg.error.clone()));
        rest = skipped;
    }
    out.error = out.error.or(rest);
    out
}

/// `lookup(map, key, default)`
pub fn lookup<'m>(
    map: &Cases<'m>,
    key: &Cases<'m>,
    default: Option<&Cases<'m>>,
    span: Span,
) -> Cases<'m> {
    let default = default.cloned().unwrap_or_else(Cases::failure);
    if let Some(key) = key.as_constant() {
        let Some(key) = key.as_str() else { return unknown("lookup", span) };
        return map.map(|term| match term {
            Term::Place(place)
                if matches!(place.ty, Type::Map(_))
                    || place.ty == Type::Dynamic && !place.is_unified() =>
            {
                let has_key = place.has_key(key);
                let mut out = Cases { list: Vec::new(), error: has_key.error };
                let member = terms::member(&Cases::one(term.clone()), key, span);
                out.add(&has_key.when_true, member);
                out.add(&has_key.when_false, default.clone());
                out
            }
            Term::Place(place) if let Some(object) = place.ty.as_object() => {
                if object.attributes.contains_key(key) {
                    terms::member(&Cases::one(term.clone()), key, span)
                } else {
                    default.clone()
                }
            }
            _ => unknown("lookup", span),
        });
    }
    let ([(_, Term::Place(place))], Some(table)) =
        (key.list.as_slice(), map.as_constant().and_then(|it| it.as_mapping()))
    else {
        return unknown("lookup", span);
    };
    if place.ty != Type::String {
        return unknown("lookup", span);
    }
    let keys: Vec<Value> = table.keys().map(Value::string).collect();
    let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
    for (key, value) in table {
        let is_key = Constraint::OneOf(vec![Value::string(key)]);
        out.add(&place.lift(Region::new(false, is_key), false), Cases::constant(value.clone()));
    }
    let others = Constraint::OneOf(keys).negated();
    out.add(&place.lift(Region::new(false, others), false), default);
    out
}

/// `index(list, value)` of a list of constants: the place of the first that is equal.
pub fn position<'m>(list: &Cases<'m>, value: &Cases<'m>, span: Span) -> Cases<'m> {
    let Some(list) = list.as_constant().and_then(|it| it.as_sequence()) else {
        return unknown("index", span);
    };
    value.map(|term| match term {
        Term::Place(place) if place.ty.is_primitive() && !place.is_unified() => {
            let mut seen = Vec::new();
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            for (value, index) in list.iter().zip(0_i64..) {
                if !seen.contains(value) && value.ty() == &place.ty && !value.is_null() {
                    let here = Constraint::OneOf(vec![value.clone()]);
                    let here = place.lift(Region::new(false, here), false);
                    out.add(&here, Cases::constant(Value::int(index)));
                    seen.push(value.clone());
                }
            }
            let others = Constraint::OneOf(seen).negated();
            out.error = out.error.or(place.lift(Region::new(false, others), false));
            out
        }
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => unknown("index", span),
    })
}

/// The first that does not fail.
pub fn attempt<'m>(args: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    if let [first, fallback] = args
        && let Some(fallback) = context.constant(fallback).and_then(|it| it.as_bool())
        && is_bool(&terms::cases(first, context))
    {
        let truth = boolean::truth(first, context).or_else(fallback);
        return Cases::one(Term::Bool(Box::new(truth)));
    }
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        let cases = terms::cases(arg, context);
        let error = cases.failing(context);
        for (guard, term) in cases.list {
            let guard = rest.clone().and(guard);
            let term = match term {
                Term::Bool(mut truth) if index + 1 < args.len() => {
                    truth.error = Extent::nothing();
                    Term::Bool(truth)
                }
                other => other,
            };
            let guard = match &term {
                Term::Bool(_) => guard,
                other => guard.and(Cases::one(other.clone()).defined(context)),
            };
            out.add(&guard, Cases::one(term));
        }
        rest = rest.and(error);
    }
    out.error = rest;
    out
}

fn is_bool(cases: &Cases<'_>) -> bool {
    cases.list.iter().all(|(_, term)| match term {
        Term::Bool(_) => true,
        Term::Constant(value) => value.as_bool().is_some(),
        Term::Place(place) => place.ty == Type::Bool,
        _ => false,
    })
}
