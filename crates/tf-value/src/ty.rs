//! Types.

use stack::guarded;
use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use smol_str::SmolStr;

use super::node::Facts;

/// A type, or a type constraint where it contains `Dynamic` or optional attributes.
#[derive(Clone, Debug, Eq)]
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
    Tuple(Arc<TupleType>),
}

/// An object type: its attributes, and a summary of all types in them.
#[derive(Clone, Debug)]
pub struct ObjectType {
    declared: Attributes,
    facts: Facts,
    /// The same without `optional(…)`, once somebody asked: each rule of a variable does.
    plain: OnceLock<Type>,
}

/// The attributes of an object type, and which of them a value may leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attributes {
    pub attributes: BTreeMap<SmolStr, Type>,
    /// Only in type constraints: names declared `optional(…)`.
    pub optional: BTreeSet<SmolStr>,
}

/// The types of a tuple's elements, and a summary of all types in them.
#[derive(Clone, Debug)]
pub struct TupleType {
    elements: Vec<Type>,
    facts: Facts,
}

impl From<Attributes> for ObjectType {
    fn from(attributes: Attributes) -> Self {
        let facts = Facts::of(attributes.attributes.values(), !attributes.optional.is_empty());
        ObjectType { declared: attributes, facts, plain: OnceLock::new() }
    }
}

impl Deref for ObjectType {
    type Target = Attributes;

    fn deref(&self) -> &Attributes {
        &self.declared
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        self.facts.size == other.facts.size && self.declared == other.declared
    }
}

impl Eq for ObjectType {}

impl Deref for TupleType {
    type Target = [Type];

    fn deref(&self) -> &[Type] {
        &self.elements
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &Self) -> bool {
        self.facts.size == other.facts.size && self.elements == other.elements
    }
}

impl Eq for TupleType {}

/// Types nest as deep as the user's text, so dropping them needs the same care.
impl Drop for Type {
    fn drop(&mut self) {
        let inner = match self {
            Type::List(it) | Type::Set(it) | Type::Map(it) if it.is_structural() => {
                Arc::get_mut(it).map(std::slice::from_mut)
            }
            Type::Tuple(it) => Arc::get_mut(it).map(|it| it.elements.as_mut_slice()),
            _ => None,
        };
        if let Some(inner @ [_, ..]) = inner {
            guarded(|| inner.fill(Type::Dynamic));
        }
    }
}

/// As for [`Type`].
impl Drop for ObjectType {
    fn drop(&mut self) {
        let attributes = std::mem::take(&mut self.declared.attributes);
        if !attributes.is_empty() {
            guarded(|| drop(attributes));
        }
    }
}

impl From<Attributes> for Type {
    fn from(attributes: Attributes) -> Type {
        Type::Object(Arc::new(attributes.into()))
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Dynamic, Type::Dynamic)
            | (Type::String, Type::String)
            | (Type::Number, Type::Number)
            | (Type::Bool, Type::Bool) => true,
            (Type::List(left), Type::List(right))
            | (Type::Set(left), Type::Set(right))
            | (Type::Map(left), Type::Map(right)) => same(left, right),
            (Type::Object(left), Type::Object(right)) => same(left, right),
            (Type::Tuple(left), Type::Tuple(right)) => same(left, right),
            _ => false,
        }
    }
}

fn same<T: PartialEq + ?Sized>(left: &Arc<T>, right: &Arc<T>) -> bool {
    Arc::ptr_eq(left, right) || guarded(|| **left == **right)
}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Type::Dynamic | Type::String | Type::Number | Type::Bool => (),
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                guarded(|| element.hash(state));
            }
            Type::Object(object) => {
                let content = |it: &mut _| guarded(|| object.declared.hash(it));
                state.write_u64(object.facts.hash(content));
            }
            Type::Tuple(tuple) => {
                let content = |it: &mut _| guarded(|| tuple.elements.hash(it));
                state.write_u64(tuple.facts.hash(content));
            }
        }
    }
}

/// The pseudo-type of a value whose type is unknown.
pub static DYNAMIC: Type = Type::Dynamic;

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
        let facts = Facts::of(&elements, false);
        Type::Tuple(Arc::new(TupleType { elements, facts }))
    }

    /// An object type without optional attributes.
    pub fn object(attributes: BTreeMap<SmolStr, Type>) -> Type {
        Attributes { attributes, optional: BTreeSet::new() }.into()
    }

    /// The number of types in it, itself included, with shared parts unfolded.
    pub fn size(&self) -> u64 {
        match self {
            Type::Dynamic | Type::String | Type::Number | Type::Bool => 1,
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                guarded(|| element.size().saturating_add(1))
            }
            Type::Object(object) => object.facts.size.saturating_add(1),
            Type::Tuple(tuple) => tuple.facts.size.saturating_add(1),
        }
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::String | Type::Number | Type::Bool)
    }

    /// Whether both share their content, so that they are equal without a comparison.
    pub fn shares(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::List(left), Type::List(right))
            | (Type::Set(left), Type::Set(right))
            | (Type::Map(left), Type::Map(right)) => Arc::ptr_eq(left, right),
            (Type::Object(left), Type::Object(right)) => Arc::ptr_eq(left, right),
            (Type::Tuple(left), Type::Tuple(right)) => Arc::ptr_eq(left, right),
            (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
        }
    }

    /// Whether it has types inside.
    fn is_structural(&self) -> bool {
        !self.is_primitive() && !matches!(self, Type::Dynamic)
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

    /// The attributes of an object type.
    pub fn as_object(&self) -> Option<&ObjectType> {
        match self {
            Type::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The element types of a tuple type.
    pub fn as_tuple(&self) -> Option<&[Type]> {
        match self {
            Type::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// Whether the type conforms to the wanted one, in which `Dynamic` matches any type.
    pub fn conforms_to(&self, wanted: &Type) -> bool {
        *wanted == Type::Dynamic
            || self.shares(wanted)
            || guarded(|| match (self, wanted) {
                (Type::List(given), Type::List(wanted))
                | (Type::Set(given), Type::Set(wanted))
                | (Type::Map(given), Type::Map(wanted)) => given.conforms_to(wanted),
                (Type::Object(given), Type::Object(wanted)) => {
                    given.attributes.keys().eq(wanted.attributes.keys())
                        && all_conform(given.attributes.values(), wanted.attributes.values())
                }
                (Type::Tuple(given), Type::Tuple(wanted)) => {
                    given.len() == wanted.len() && all_conform(given.iter(), wanted.iter())
                }
                _ => false,
            })
    }

    /// Whether `Dynamic` occurs anywhere in it.
    pub fn has_dynamic(&self) -> bool {
        guarded(|| match self {
            Type::Dynamic => true,
            Type::String | Type::Number | Type::Bool => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
            Type::Object(object) => object.facts.has_dynamic,
            Type::Tuple(tuple) => tuple.facts.has_dynamic,
        })
    }

    /// Whether an object type in it has optional attributes.
    pub fn has_optional(&self) -> bool {
        guarded(|| match self {
            Type::Dynamic | Type::String | Type::Number | Type::Bool => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_optional(),
            Type::Object(object) => object.facts.has_optional,
            Type::Tuple(tuple) => tuple.facts.has_optional,
        })
    }

    /// The type of values of this constraint: no attribute is optional, at any depth.
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        guarded(|| match self {
            Type::Dynamic | Type::String | Type::Number | Type::Bool => self.clone(),
            Type::List(element) => Type::list(element.without_optional()),
            Type::Set(element) => Type::set(element.without_optional()),
            Type::Map(element) => Type::map(element.without_optional()),
            Type::Object(object) => {
                let each = || {
                    object.attributes.iter().map(|(name, it)| (name.clone(), it.without_optional()))
                };
                object.plain.get_or_init(|| Type::object(each().collect())).clone()
            }
            Type::Tuple(elements) => {
                Type::tuple(elements.iter().map(Type::without_optional).collect())
            }
        })
    }

    /// The type with another one in place of each `Dynamic` in it.
    #[must_use]
    pub fn with_dynamic(&self, other: &Type) -> Type {
        guarded(|| match self {
            Type::Dynamic => other.clone(),
            Type::String | Type::Number | Type::Bool => self.clone(),
            Type::List(element) => Type::list(element.with_dynamic(other)),
            Type::Set(element) => Type::set(element.with_dynamic(other)),
            Type::Map(element) => Type::map(element.with_dynamic(other)),
            Type::Object(object) => {
                let each = object.attributes.iter();
                Type::object(
                    each.map(|(name, it)| (name.clone(), it.with_dynamic(other))).collect(),
                )
            }
            Type::Tuple(elements) => {
                Type::tuple(elements.iter().map(|it| it.with_dynamic(other)).collect())
            }
        })
    }

    /// The name in messages about values: `list of string`, `object`, `dynamic`.
    pub fn friendly_name(&self) -> String {
        self.name("dynamic", "dynamic")
    }

    /// The name in messages about the wanted type: `any type`, `list of any single type`.
    pub fn constraint_name(&self) -> String {
        self.name("any type", "any single type")
    }

    fn name(&self, dynamic: &str, element_dynamic: &str) -> String {
        let mut name = String::new();
        let mut ty = self;
        loop {
            let (word, element) = match ty {
                Type::List(element) => ("list of ", element),
                Type::Set(element) => ("set of ", element),
                Type::Map(element) => ("map of ", element),
                Type::Dynamic if name.is_empty() => return dynamic.to_owned(),
                Type::Dynamic => return name + element_dynamic,
                Type::String => return name + "string",
                Type::Number => return name + "number",
                Type::Bool => return name + "bool",
                Type::Object(_) => return name + "object",
                Type::Tuple(_) => return name + "tuple",
            };
            name.push_str(word);
            ty = element;
        }
    }
}

fn all_conform<'a>(
    given: impl Iterator<Item = &'a Type>,
    wanted: impl Iterator<Item = &'a Type>,
) -> bool {
    given.zip(wanted).all(|(given, wanted)| given.conforms_to(wanted))
}
