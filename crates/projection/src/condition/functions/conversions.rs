//! `nonsensitive`, `sensitive`, `tobool`, `tolist`, `tomap`, `tonumber`, `toset`, `tostring`.

use crate::{
    condition::{
        context::Context,
        expressions,
        functions::{
            call::Call,
            collection::{are_alike, sequence},
        },
        outcomes,
        symbolic::{Cases, Known, Nulls, Once, Place, Sequence, Term, Truth, views::View},
        types,
        types::{Common, converted},
    },
    sets::{Extent, Kind, Reason, Region, ValueSet},
};
use hcl::Expr;
use tf_eval::functions::Domain;
use tf_value::{Type, Value};

/// `sensitive` and `nonsensitive`: a schema knows no marks.
pub fn marked<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    (call.domain == Domain::Total).then(|| it.clone())
}

/// `tostring`, `tonumber` and `tobool`.
pub fn primitive<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    Some(it.map(|term| of_primitive(term, call)))
}

fn of_primitive<'m>(term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    let Term::Place(place) = term else { return call.untranslated() };
    match (call.name(), &place.ty) {
        ("tostring", Type::String) | ("tonumber", Type::Number) | ("tobool", Type::Bool) => {
            Cases::one(term.clone())
        }
        ("tonumber", Type::String) => Cases::one(Term::Place(place.seen(View::Number))),
        ("tostring", Type::Number) => Cases::one(Term::Place(place.seen(View::Text))),
        ("tostring", Type::Bool) => {
            let known = Known { ty: Type::String, null: false };
            let mut out = Cases::opaque(place.not_null(), place.failing(), known);
            out.add(&place.null(), Cases::constant(Value::null(Type::String)));
            out
        }
        _ => call.untranslated(),
    }
}

pub fn tolist<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    if let Some(place) = any(it) {
        return Some(of_kind(place, Kind::Array, call));
    }
    (are_alike(call, call.args) && !is_converted(it)).then(|| {
        it.map(|term| match term {
            Term::Place(place) if matches!(place.ty, Type::Set(_)) => {
                sequence(Sequence::Elements(place.clone(), Nulls::Stay))
            }
            // A sequence in `Joined` counts as a list in comparisons, which a tuple does not.
            Term::Sequence(_) => sequence(Sequence::Joined(vec![Cases::one(term.clone())])),
            _ => Cases::one(term.clone()),
        })
    })
}

pub fn toset<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    if let Some(place) = any(it) {
        return Some(of_kind(place, Kind::Array, call));
    }
    (are_alike(call, call.args) && !is_converted(it))
        .then(|| sequence(Sequence::Distinct(it.clone(), Once::Converted)))
}

/// Whether the value is a conversion that gives null for null, such as `toset(var.x)`. A second conversion around it is
/// not translated, because it would count the null as a list.
fn is_converted(value: &Cases<'_>) -> bool {
    let is_null =
        |term: &Term<'_>| matches!(term, Term::Sequence(_)) && !outcomes::null(term).is_nothing();
    value.list.iter().any(|(_, term)| is_null(term))
}

pub fn tomap<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    if let Some(place) = any(it) {
        return Some(of_kind(place, Kind::Object, call));
    }
    if !are_alike(call, call.args) {
        return None;
    }
    let of_object =
        |term: &Term<'m>| matches!(term, Term::Place(it) if it.ty.as_object().is_some());
    if !it.list.iter().any(|(_, term)| of_object(term)) {
        return Some(it.clone());
    }
    // The object becomes a map of its attributes, which equals no object.
    let to = call.result();
    matches!(to, Type::Map(_)).then(|| it.map(|term| converted(term, &to, call.span, call.context)))
}

/// A value that may be of any type.
fn any<'t>(cases: &'t Cases<'_>) -> Option<&'t Place> {
    match cases.list.as_slice() {
        [(_, Term::Place(place))] if place.ty == Type::Dynamic && !place.is_unified() => {
            Some(place)
        }
        _ => None,
    }
}

/// A conversion that fails for every value that is not of the kind, and for some that are.
fn of_kind<'m>(place: &Place, kind: Kind, call: &Call<'_, 'm>) -> Cases<'m> {
    let reason = Reason::CallWithThese(call.name().into());
    let is_kind = place.lift(Region::new(false, ValueSet::Kind(kind)), false);
    let others = Region::new(false, ValueSet::Kind(kind).negated());
    let mut out = Cases { list: Vec::new(), error: place.lift(others, true) };
    out.add(&is_kind, Cases::unknown(reason, call.span));
    out.add(&place.null(), Cases::constant(Value::null(Type::Dynamic)));
    out
}

/// The first argument that is neither null nor an empty string.
pub fn coalesce<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let given: Vec<&Cases<'m>> = call.args.iter().collect();
    match types::common(&given, call.span, call.context) {
        Common::Of { values, always, .. } => {
            first(&values, call, |index| always || values[index].error == given[index].error)
        }
        Common::None => Some(Cases::failure()),
        Common::Unclear => {
            let reason = Reason::CallWithThese(call.name().into());
            let unclear = |it: &Cases<'m>| types::unclear(it, &reason, call.span);
            let args: Vec<Cases<'m>> = call.args.iter().map(unclear).collect();
            // They may have no type in common.
            Some(types::may_fail(first(&args, call, |_| true)?, &reason, call.span))
        }
    }
}

/// `converts`: whether all values of an argument convert. Terraform skips a value that does not, which is not
/// translated for that argument and the ones after it.
fn first<'m>(
    args: &[Cases<'m>],
    call: &Call<'_, 'm>,
    converts: impl Fn(usize) -> bool,
) -> Option<Cases<'m>> {
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        if !call.context.pay(rest.work()) {
            return None;
        }
        if !converts(index) {
            let reason = Reason::CallWithThese(call.name().into());
            out.add(&rest, Cases::unknown(reason, call.span));
            rest = Extent::nothing();
            break;
        }
        let mut skipped = Extent::nothing();
        for (guard, term) in &arg.list {
            let guard = rest.clone().and(guard.clone());
            match term {
                Term::Constant(value) if value.is_null() || value.as_str() == Some("") => {
                    skipped = skipped.or(guard);
                }
                Term::Place(place) => {
                    let empty = ValueSet::OneOf(vec![Value::string("")]);
                    let (kept, left) = if matches!(place.ty, Type::String | Type::Dynamic) {
                        (empty.clone().negated(), empty)
                    } else {
                        (ValueSet::Anything, ValueSet::Nothing)
                    };
                    let present = place.lift(Region::new(false, kept), false);
                    skipped =
                        skipped.or(guard.clone().and(place.lift(Region::new(true, left), false)));
                    out.add(&guard.clone().and(present), Cases::one(term.clone()));
                    out.error = out.error.or(guard.and(place.failing()));
                }
                // A conversion gives null for null: `toset(var.x)`.
                Term::Sequence(_) if !outcomes::null(term).is_nothing() => {
                    let there = outcomes::there(term, call.context);
                    out.add(&guard.clone().and(there), Cases::one(term.clone()));
                    skipped = skipped.or(guard.and(outcomes::null(term)));
                }
                Term::Constant(_)
                | Term::Sequence(_)
                | Term::Object(_)
                | Term::Unknown(_, _, Some(Known { null: false, ty: Type::Number | Type::Bool })) =>
                {
                    out.add(&guard, Cases::one(term.clone()));
                }
                _ => return None,
            }
        }
        if out.is_given_up() {
            return Some(out);
        }
        out.error = out.error.or(rest.clone().and(arg.error.clone()));
        rest = skipped;
    }
    out.error = out.error.or(rest);
    // An argument that is not needed is evaluated, but not converted; the first is always needed.
    Some(outcomes::beside(out, call.args.iter().skip(1), call.context))
}

// `can` and `try`, which read their arguments themselves.

/// True where the expression evaluates, whatever its value is.
pub fn can<'m>(inner: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let cases = expressions::cases(inner, context);
    let when_false = outcomes::failing(&cases, context);
    let when_true = outcomes::defined(&cases, context);
    let defined = Truth { when_true, error: when_false.clone(), ..Truth::never() };
    let defined = if context.is_kleene() { defined } else { defined.before_kleene() };
    let truth = Truth { when_true: defined.when_true, when_false, ..Truth::never() };
    Cases::one(Term::Bool(Box::new(truth)))
}

/// The first argument that does not fail.
pub fn attempt<'m>(args: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    if let [first, fallback] = args
        && let Some(fallback) = context.constant(fallback).and_then(|it| it.as_bool())
        && types::of_cases(&expressions::cases(first, context), context) == Some(Type::Bool)
    {
        let truth = expressions::truth(first, context);
        let truth = truth.or_else(fallback, context.is_kleene());
        return Cases::one(Term::Bool(Box::new(truth)));
    }
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        let cases = expressions::cases(arg, context);
        let error = outcomes::failing(&cases, context);
        for (guard, term) in cases.list {
            let guard = rest.clone().and(guard);
            let term = match term {
                Term::Bool(truth) if index + 1 < args.len() => {
                    let mut truth =
                        if context.is_kleene() { *truth } else { truth.before_kleene() };
                    truth.error = Extent::nothing();
                    Term::Bool(Box::new(truth))
                }
                other => other,
            };
            let guard = match &term {
                Term::Bool(_) => guard,
                other => guard.and(outcomes::defined(&Cases::one(other.clone()), context)),
            };
            out.add(&guard, Cases::one(term));
        }
        if out.is_given_up() {
            return out;
        }
        rest = rest.and(error);
    }
    out.error = rest;
    out
}
