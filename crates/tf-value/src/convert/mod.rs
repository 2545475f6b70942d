//! Conversion between types and unification of types, as cty does them.
//!
//! A conversion is found by comparing types ([`Conversion::find`]) and then applied to a value. An error
//! that follows from the types alone is a *structural* error, found before any value is read. For
//! example: no tuple converts to `string`, but whether `"a"` converts to `number` depends on the value.

mod apply;
mod mismatch;
mod unify;

use std::fmt;

use super::{DYNAMIC, Number, Path, Refinements, Step, Type, Value, quoted};
use stack::guarded;
use unify::unify_types;

pub use mismatch::{difference, mismatch};
pub use unify::{Conversion, Unified, unify, unify_unsafe};

/// Why a value does not convert.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvertError {
    /// The place inside of the value.
    pub path: Path,
    /// `string required`, `attribute "b" is required`, `a number is required`, …
    pub reason: String,
    /// Where elements differ that should have one type, and how. Empty for other reasons, and not in Terraform's
    /// text.
    pub difference: String,
    /// Whether the types alone cause the error. Terraform's text names the path of such an error, but no
    /// path for a string that does not parse.
    pub structural: bool,
}

impl ConvertError {
    /// The difference as an addition to the reason.
    pub fn more(&self) -> String {
        if self.difference.is_empty() { String::new() } else { format!(": {}", self.difference) }
    }
}

/// Terraform's text: `attribute "o": element 0: string required`.
impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.path.0.iter().filter(|_| self.structural) {
            match step {
                Step::Attribute(name) => write!(f, "attribute {}: ", quoted(name))?,
                Step::Index(key) => match (key.as_str(), key.as_number()) {
                    (Some(key), _) => write!(f, "element {}: ", quoted(key))?,
                    (_, Some(index)) => write!(f, "element {}: ", index.to_decimal())?,
                    _ => (),
                },
            }
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ConvertError {}

/// Converts a value to a type constraint; the value decides what a `Dynamic` in it becomes.
///
/// Nulls and unknowns convert to those of the target type. Marks stay where they are, but marks of a
/// set's elements move to the set. Attributes that the object type lacks are dropped, and missing
/// optional ones become null.
///
/// Where elements must have one type and only a provider knows the type of one of them, the result is undecided:
/// `{ enabled = true, url = aws_sqs_queue.main.url }` is a `map(any)` if the URL is a string.
pub fn convert(value: &Value, target: &Type) -> Result<Value, ConvertError> {
    if value.ty() == target {
        return Ok(value.clone());
    }
    let converted = match Conversion::find(value.ty(), target) {
        Some(conversion) => conversion.apply(value),
        None if *value.ty() == target.without_optional() => Ok(value.clone()),
        None => Err(mismatch(value.ty(), target)),
    };
    or_undecided(converted, value, target)
}

/// The result of a conversion, or an undecided value in place of an error that the type of an open part may avoid.
fn or_undecided(
    converted: Result<Value, ConvertError>,
    value: &Value,
    target: &Type,
) -> Result<Value, ConvertError> {
    if converted.is_err() && target.has_dynamic() && value.has_open_type() {
        return Ok(Value::unknown(target.without_optional()).with_marks(value.deep_marks()));
    }
    converted
}

// Converts nulls and unknowns: to those of the target type, whose `any` is filled in from the source.

/// The null that a null of the source type converts to.
fn null_result(source: &Type, target: &Type) -> Value {
    Value::null(resolve(source, &target.without_optional()))
}

/// The unknown that an unknown converts to; it keeps as many facts as possible.
fn unknown_result(value: &Value, target: &Type) -> Value {
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
fn resolve(source: &Type, target: &Type) -> Type {
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
    fn typed_as(mut self, ty: &Type) -> Value {
        if self.ty == Type::Dynamic {
            self.ty = ty.clone();
        }
        self
    }
}
