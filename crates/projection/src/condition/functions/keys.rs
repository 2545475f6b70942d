//! `keys`, `values`.

use super::{call::Call, collection::sequence};
use crate::condition::{
    outcomes,
    symbolic::{Cases, Nulls, Sequence, Term, members},
};
use tf_value::{Type, Value};

pub fn keys<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [map] = call.args else { return None };
    Some(map.map(|term| members(true, term, call)))
}

pub fn values<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [map] = call.args else { return None };
    Some(map.map(|term| members(false, term, call)))
}

fn members<'m>(keys: bool, term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match term {
        Term::Place(place) if matches!(place.ty, Type::Map(_)) => sequence(if keys {
            Sequence::Keys(place.clone())
        } else {
            Sequence::Elements(place.clone(), Nulls::Fail)
        }),
        Term::Place(place) if keys && place.ty == Type::Dynamic => {
            sequence(Sequence::Keys(place.clone()))
        }
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        Term::Constant(value) => call.of_constants(std::slice::from_ref(value)),
        Term::Place(place) => match members::attributes(place) {
            Some(attributes) => {
                let element = |(key, it): (Value, Cases<'m>)| {
                    if keys { Cases::constant(key) } else { it }
                };
                let written = Sequence::written(attributes.into_iter().map(element).collect());
                let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
                out.add(&place.not_null(), sequence(written));
                out
            }
            None => call.untranslated(),
        },
        Term::Object(members) => {
            let element = |(key, it): &(smol_str::SmolStr, Cases<'m>)| {
                if keys { Cases::constant(Value::string(key)) } else { it.clone() }
            };
            let written = sequence(Sequence::written(members.iter().map(element).collect()));
            // The values evaluate, too.
            let cases = Cases::one(term.clone());
            let mut out =
                Cases { list: Vec::new(), error: outcomes::failing(&cases, call.context) };
            out.add(&outcomes::defined(&cases, call.context), written);
            out
        }
        _ => call.untranslated(),
    }
}
