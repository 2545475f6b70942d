//! `lookup`.

use super::call::Call;
use crate::{
    condition::{
        common_type::converted,
        expressions::access,
        outcomes,
        symbolic::{Cases, Term},
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use tf_value::{Type, Value};

/// `lookup(map, key, default)`; the default is converted to the type of the map's elements.
pub fn lookup<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let ([map, key], default) = call.args.split_at(call.args.len().min(2)) else { return None };
    let default = match default {
        [] => None,
        [one] => Some(one),
        // Too many arguments are an error, although none of them is.
        _ => return None,
    };
    if let Some(key) = key.as_constant() {
        let key = key.as_str()?;
        let mut out = Cases { list: Vec::new(), error: map.error.clone() };
        for (guard, term) in &map.list {
            out.add(guard, of_key(term, key, default, call)?);
        }
        return Some(out);
    }
    let ([(_, Term::Place(place))], Some(table)) = (key.list.as_slice(), map.as_constant()) else {
        return None;
    };
    let members = table.as_mapping()?;
    if place.ty != Type::String {
        return None;
    }
    let keys: Vec<Value> = members.keys().map(Value::string).collect();
    let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
    for (key, value) in members {
        let is_key = ValueSet::OneOf(vec![Value::string(key)]);
        out.add(&place.lift(Region::new(false, is_key), false), Cases::constant(value.clone()));
    }
    let others = ValueSet::OneOf(keys).negated();
    let element = default.map(|it| of_element(table.ty(), it, call));
    out.add(&place.lift(Region::new(false, others), false), otherwise(element.as_ref()));
    Some(failing_with(out, element.as_ref(), call))
}

fn of_key<'m>(
    term: &Term<'m>,
    key: &str,
    default: Option<&Cases<'m>>,
    call: &Call<'_, 'm>,
) -> Option<Cases<'m>> {
    let member = || access::member(&Cases::one(term.clone()), key, call.span, call.context);
    let place = match term {
        Term::Place(it) => it,
        Term::Object(members) => {
            let is_there = members.iter().any(|(name, _)| name == key);
            // The object may have become a map, to whose elements the default must convert.
            let is_told = default.is_none() || is_there && !is_given(default);
            let unknown = || Cases::unknown(Reason::UnlikeDefault, call.span);
            return Some(if is_told { member() } else { unknown() });
        }
        _ => return None,
    };
    if matches!(place.ty, Type::Map(_)) || place.ty == Type::Dynamic && !place.is_unified() {
        let has_key = place.has_key(key);
        let mut out = Cases { list: Vec::new(), error: has_key.error };
        let element = default.map(|it| of_element(&place.ty, it, call));
        out.add(&has_key.when_true, member());
        out.add(&has_key.when_false, otherwise(element.as_ref()));
        return Some(if is_of_unlike(&place.ty, default) {
            unlike(failing_with(out, default, call), call)
        } else {
            failing_with(out, element.as_ref(), call)
        });
    }
    let object = place.ty.as_object()?;
    Some(if object.attributes.contains_key(key) {
        failing_with(member(), default, call)
    } else {
        let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
        out.add(&place.not_null(), otherwise(default));
        out
    })
}

/// Whether there is a default for a map whose element type depends on its values.
fn is_of_unlike(ty: &Type, default: Option<&Cases<'_>>) -> bool {
    ty.element().is_some_and(Type::has_dynamic) && is_given(default)
}

/// Whether there is a default other than null, which every type has.
fn is_given(default: Option<&Cases<'_>>) -> bool {
    default.is_some_and(|it| !it.as_constant().is_some_and(Value::is_null))
}

/// The default must be of the elements' type even if it is not needed: `lookup({ a = true }, "a", 1)` fails.
fn unlike<'m>(mut cases: Cases<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    for (guard, _) in &mut cases.list {
        *guard = guard.clone().losing(Reason::UnlikeDefault, call.span);
    }
    cases.error = cases.error.or(Extent::unknown(Reason::UnlikeDefault, call.span));
    cases
}

/// A default that fails makes the call fail even if it is not needed.
fn failing_with<'m>(
    mut cases: Cases<'m>,
    default: Option<&Cases<'m>>,
    call: &Call<'_, 'm>,
) -> Cases<'m> {
    let error = default.map_or_else(Extent::nothing, |it| outcomes::failing(it, call.context));
    if error.is_nothing() {
        return cases;
    }
    let defined = default.map_or_else(Extent::everything, |it| outcomes::defined(it, call.context));
    for (guard, _) in &mut cases.list {
        *guard = guard.clone().and(defined.clone());
    }
    cases.error = cases.error.or(error);
    cases
}

/// What is given where the key is not there; a failure without a default.
fn otherwise<'m>(default: Option<&Cases<'m>>) -> Cases<'m> {
    default.cloned().unwrap_or_else(Cases::failure)
}

/// For a map, the default converted to the type of its elements. The conversion may fail even if the default is not
/// needed. For an object, the default itself.
fn of_element<'m>(ty: &Type, default: &Cases<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match ty {
        // The default is converted to the type that the elements got.
        Type::Map(element) if element.has_dynamic() => default.map(|it| match it {
            Term::Constant(value) if value.is_null() => Cases::one(it.clone()),
            _ => Cases::unknown(Reason::UnlikeDefault, call.span),
        }),
        Type::Map(element) => {
            default.map(|it| converted(it, &element.without_optional(), call.span, call.context))
        }
        _ => default.clone(),
    }
}
