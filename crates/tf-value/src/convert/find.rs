//! Finds the conversion from one type to another.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::unify::unify_types;
use crate::Type;
use stack::guarded;

/// A conversion that exists between two types.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(super) target: Type,
    pub(super) step: Method,
}

/// Conversions nest as deep as the types, so dropping them needs the same care.
impl Drop for Conversion {
    fn drop(&mut self) {
        let step = std::mem::replace(&mut self.step, Method::Keep);
        if !matches!(step, Method::Keep | Method::Any | Method::Late) {
            guarded(|| drop(step));
        }
    }
}

/// How to convert a known value that is not null.
#[derive(Clone, Debug)]
pub(super) enum Method {
    /// The types are equal.
    Keep,
    /// The target accepts any type.
    Any,
    /// The source type is not known yet.
    Late,
    Stringify,
    ParseNumber,
    ParseBool,
    /// Converts every attribute of the target type that the source has.
    Attributes(BTreeMap<SmolStr, Conversion>),
    Elements(Vec<Conversion>),
    /// Converts a list or set element by element to the target list or set.
    Sequence(Box<Conversion>),
    Map(Box<Conversion>),
    /// Converts a tuple to the target list or set.
    TupleToSequence(Vec<Conversion>),
    /// Converts an object; with the element type to which the attributes were unified, and whether their
    /// conversions may fail.
    ObjectToMap(BTreeMap<SmolStr, Conversion>, Type, bool),
    /// Converts a map; `None` for an optional attribute that no element of the map converts to.
    MapToObject(BTreeMap<SmolStr, Option<Conversion>>),
}

impl Conversion {
    /// The conversion from one type to another, if there is one. It may still fail for a value: a string
    /// that is not a number, a map that lacks an attribute.
    pub fn find(source: &Type, target: &Type) -> Option<Conversion> {
        find(source, target, true)
    }

    /// A conversion that cannot fail and loses nothing: unification allows only these.
    pub fn find_safe(source: &Type, target: &Type) -> Option<Conversion> {
        find(source, target, false)
    }

    /// Keeps values if the types are equal, apart from `optional(…)`, which no value has in its type.
    /// That follows from the conversions found inside: comparing the types at every level would take the
    /// square of their depth.
    fn or_keep(mut self, source: &Type) -> Conversion {
        let keeps = |it: &Conversion| matches!(it.step, Method::Keep);
        let equal = match (&self.step, source, &self.target) {
            (Method::Attributes(inner), Type::Object(from), Type::Object(to)) => {
                from.attributes.len() == to.attributes.len()
                    && (from.optional == to.optional || !source.has_optional())
                    && inner.len() == to.attributes.len()
                    && inner.values().all(keeps)
            }
            (Method::Elements(inner), _, _) => inner.iter().all(keeps),
            (Method::Sequence(inner), Type::List(_), Type::List(_))
            | (Method::Sequence(inner), Type::Set(_), Type::Set(_))
            | (Method::Map(inner), _, _) => keeps(inner),
            _ => false,
        };
        if equal {
            self.step = Method::Keep;
        }
        self
    }
}

/// Like `Conversion::find`, where equal types need no conversion.
pub(super) fn find_or_keep(source: &Type, target: &Type, lossy: bool) -> Option<Conversion> {
    if source.shares(target) {
        return Some(Conversion { target: target.clone(), step: Method::Keep });
    }
    Some(find(source, target, lossy)?.or_keep(source))
}

pub(super) fn find(source: &Type, target: &Type, lossy: bool) -> Option<Conversion> {
    let step = guarded(|| find_step(source, target, lossy))?;
    Some(Conversion { target: target.clone(), step })
}

fn find_step(source: &Type, target: &Type, lossy: bool) -> Option<Method> {
    let step = match (source, target) {
        (_, Type::Dynamic) => Method::Any,
        (Type::Dynamic, _) if lossy => Method::Late,
        (Type::Number | Type::Bool, Type::String) => Method::Stringify,
        (Type::String, Type::Number) if lossy => Method::ParseNumber,
        (Type::String, Type::Bool) if lossy => Method::ParseBool,
        (Type::Object(_), Type::Object(_)) => attributes(source, target, lossy)?,
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            let pairs = from.iter().zip(to.iter());
            let elements = pairs.map(|(from, to)| find_or_keep(from, to, lossy));
            Method::Elements(elements.collect::<Option<_>>()?)
        }
        (Type::List(_), Type::Set(_)) if !lossy => return None,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to)) => {
            Method::Sequence(Box::new(find_or_keep(from, to, lossy)?))
        }
        (Type::Map(from), Type::Map(to)) => Method::Map(Box::new(find_or_keep(from, to, lossy)?)),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => tuple_to_sequence(from, to, lossy)?,
        (Type::Object(_), Type::Map(to)) => object_to_map(source, to, lossy)?,
        (Type::Map(from), Type::Object(_)) if lossy => map_to_object(from, target)?,
        _ => return None,
    };
    Some(step)
}

fn attributes(source: &Type, target: &Type, lossy: bool) -> Option<Method> {
    let (Type::Object(from), Type::Object(to)) = (source, target) else { return None };
    let mut conversions = BTreeMap::new();
    for (name, wanted) in &to.attributes {
        match from.attributes.get(name) {
            Some(given) => {
                conversions.insert(name.clone(), find_or_keep(given, wanted, lossy)?);
            }
            None if to.optional.contains(name) => (),
            None => return None,
        }
    }
    Some(Method::Attributes(conversions))
}

/// The elements of `list(any)` and `set(any)` must have one type in the end.
fn tuple_to_sequence(from: &[Type], to: &Type, lossy: bool) -> Option<Method> {
    if from.is_empty() {
        return Some(Method::TupleToSequence(Vec::new()));
    }
    let mut element = to.clone();
    if *to == Type::Dynamic {
        element = unify_types(from, lossy)?.ty;
        if element == Type::Dynamic && from.iter().any(|it| *it != Type::Dynamic) {
            return None;
        }
    }
    let conversions = from.iter().map(|it| find_or_keep(it, &element, lossy));
    Some(Method::TupleToSequence(conversions.collect::<Option<_>>()?))
}

fn object_to_map(source: &Type, to: &Type, lossy: bool) -> Option<Method> {
    let Type::Object(from) = source else { return None };
    if from.attributes.is_empty() {
        return Some(Method::ObjectToMap(BTreeMap::new(), to.clone(), lossy));
    }
    let mut element = to.clone();
    if *to == Type::Dynamic {
        let types: Vec<Type> = from.attributes.values().cloned().collect();
        element = unify_types(&types, lossy)?.ty;
    }
    let mut conversions = BTreeMap::new();
    for (name, given) in &from.attributes {
        conversions.insert(name.clone(), find_or_keep(given, &element, lossy)?);
    }
    Some(Method::ObjectToMap(conversions, element, lossy))
}

fn map_to_object(from: &Type, target: &Type) -> Option<Method> {
    let Type::Object(to) = target else { return None };
    let mut conversions = BTreeMap::new();
    for (name, wanted) in &to.attributes {
        let conversion = find_or_keep(from, wanted, true);
        if conversion.is_none() && !to.optional.contains(name) {
            return None;
        }
        conversions.insert(name.clone(), conversion);
    }
    Some(Method::MapToObject(conversions))
}
