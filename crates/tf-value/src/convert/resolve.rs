//! Converts nulls and unknowns: to those of the target type, whose `any` is filled in from the source.

use super::unify::unify_types;
use crate::{DYNAMIC, Number, Refinements, Type, Value};
use stack::guarded;

/// The null that a null of the source type converts to.
pub(super) fn null_result(source: &Type, target: &Type) -> Value {
    Value::null(resolve(source, &target.without_optional()))
}

/// The unknown that an unknown converts to; it keeps as many facts as possible.
pub(super) fn unknown_result(value: &Value, target: &Type) -> Value {
    let source = value.ty();
    let target = resolve(source, &target.without_optional());
    let none = Refinements::default();
    let known = value.refinements().unwrap_or(&none);
    let length = match source {
        Type::Tuple(elements) => Some(elements.len()),
        Type::Object(object) => Some(object.attributes.len()),
        _ => None,
    };
    let exactly = |length: usize| {
        let length = Some((Number::from_u64(length as u64), true));
        (length.clone(), length)
    };
    let (lower, upper) = match (source, &target, length) {
        (Type::Object(_), Type::Map(_), Some(length))
        | (Type::Tuple(_), Type::List(_), Some(length))
        | (Type::Tuple(_), Type::Set(_), Some(length @ 0..=1)) => exactly(length),
        (Type::Tuple(_), Type::Set(_), Some(length)) => (exactly(1).0, exactly(length).1),
        (source, target, _) if source.is_collection() && target.is_collection() => {
            let lower = known.lower.clone();
            let set = matches!(target, Type::Set(_));
            let positive = lower.as_ref().is_some_and(|(it, _)| it.sign() > 0);
            let lower = if set { exactly(1).0.filter(|_| positive) } else { lower };
            (lower, known.upper.clone())
        }
        _ => (None, None),
    };
    let refinements = Refinements { not_null: known.not_null, lower, upper, ..none.clone() };
    let unknown = Value::unknown(target);
    if refinements == none { unknown } else { unknown.refined(refinements) }
}

/// The target type with every `Dynamic` replaced by the source's type in that place.
pub(super) fn resolve(source: &Type, target: &Type) -> Type {
    if *source == Type::Dynamic || !target.has_dynamic() {
        return target.clone();
    }
    guarded(|| resolve_open(source, target))
}

fn resolve_open(source: &Type, target: &Type) -> Type {
    match (source, target) {
        (_, Type::Dynamic) => source.clone(),
        (Type::Map(from), Type::Map(to)) => Type::map(resolve(from, to)),
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes.values().cloned().collect();
            Type::map(resolve_unified(&types, to))
        }
        (Type::List(from) | Type::Set(from), Type::List(to)) => Type::list(resolve(from, to)),
        (Type::List(from) | Type::Set(from), Type::Set(to)) => Type::set(resolve(from, to)),
        (Type::Tuple(from), Type::List(to)) => Type::list(resolve_unified(from, to)),
        (Type::Tuple(from), Type::Set(to)) => Type::set(resolve_unified(from, to)),
        (Type::Map(from), Type::Object(to)) => Type::object(
            to.attributes.iter().map(|(name, it)| (name.clone(), resolve(from, it))).collect(),
        ),
        (Type::Object(from), Type::Object(to)) => {
            let resolved = |(name, it): (&smol_str::SmolStr, &Type)| {
                let source = from.attributes.get(name).unwrap_or(&DYNAMIC);
                (name.clone(), resolve(source, it))
            };
            Type::object(to.attributes.iter().map(resolved).collect())
        }
        (Type::Tuple(from), Type::Tuple(to)) => {
            Type::tuple(from.iter().zip(to.iter()).map(|(from, to)| resolve(from, to)).collect())
        }
        _ => target.clone(),
    }
}

fn resolve_unified(from: &[Type], to: &Type) -> Type {
    let unified = unify_types(from, true).map_or(Type::Dynamic, |it| it.ty);
    resolve(&unified, to)
}

impl Value {
    /// Gives a type to a null or unknown without one; every other value has its own.
    pub(super) fn typed_as(mut self, ty: &Type) -> Value {
        if self.ty == Type::Dynamic {
            self.ty = ty.clone();
        }
        self
    }
}
