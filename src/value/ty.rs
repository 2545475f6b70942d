//! Types.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use smol_str::SmolStr;

/// A type, or a type constraint where it contains `Dynamic` or optional attributes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// cty's pseudo-type: `any` in a constraint, "not known yet" on a value.
    Dynamic,
    String,
    Number,
    Bool,
    List(Arc<Type>),
    Set(Arc<Type>),
    Map(Arc<Type>),
    Object(Arc<ObjectType>),
    Tuple(Arc<[Type]>),
}

/// The attributes of an object type, and which of them a value may leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectType {
    pub attributes: BTreeMap<SmolStr, Type>,
    /// Only in type constraints: names declared `optional(…)`.
    pub optional: BTreeSet<SmolStr>,
}

impl Type {
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    pub fn tuple(elements: Vec<Type>) -> Type {
        Type::Tuple(elements.into())
    }

    /// An object type without optional attributes.
    pub fn object(attributes: BTreeMap<SmolStr, Type>) -> Type {
        Type::Object(Arc::new(ObjectType { attributes, optional: BTreeSet::new() }))
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::String | Type::Number | Type::Bool)
    }

    /// A list, set or map.
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// The element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            _ => None,
        }
    }

    /// Whether `Dynamic` stands in it anywhere.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::String | Type::Number | Type::Bool => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
            Type::Object(object) => object.attributes.values().any(Type::has_dynamic),
            Type::Tuple(elements) => elements.iter().any(Type::has_dynamic),
        }
    }
}
