//! `nonsensitive`, `sensitive`, `tobool`, `tolist`, `tomap`, `tonumber`, `toset`, `tostring`.

use super::{
    call::Call,
    collection::{are_alike, sequence},
};
use crate::{
    condition::{
        common_type::converted,
        outcomes,
        symbolic::{Cases, Known, Nulls, Once, Place, Sequence, Term, views::View},
    },
    sets::{Kind, Reason, Region, ValueSet},
};
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
