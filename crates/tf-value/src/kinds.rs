//! The value itself: constructors and accessors.

use std::{collections::BTreeMap, sync::Arc};

use smol_str::SmolStr;

use super::{Elements, Marks, Number, Type};
use stack::guarded;

/// A value: its type, its content, its marks. Cheap to clone.
///
/// Invariants: elements of a list, set or map all have the collection's element type; a set's
/// elements are distinct, unmarked (their marks are the set's) and in Terraform's set order;
/// strings are in Unicode NFC.
#[derive(Clone, Debug)]
pub struct Value {
    pub(super) ty: Type,
    pub(super) content: ValueContent,
    pub(super) marks: Marks,
}

/// Compares type, marks, content, and the refinements of unknowns.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.ty == other.ty && same(self, other, self.ty.has_dynamic(), Number::eq)
    }
}

/// Like `==`, for values of one type. `open` if values inside may still differ in type; `number` compares two numbers.
fn same(left: &Value, right: &Value, open: bool, number: fn(&Number, &Number) -> bool) -> bool {
    let inside = |(a, b): (&Value, &Value)| (!open || a.ty == b.ty) && same(a, b, open, number);
    left.marks == right.marks
        && match (&left.content, &right.content) {
            (ValueContent::Sequence(a), ValueContent::Sequence(b)) => {
                a.len() == b.len() && guarded(|| a.iter().zip(b.iter()).all(inside))
            }
            (ValueContent::Mapping(a), ValueContent::Mapping(b)) => {
                a.keys().eq(b.keys()) && guarded(|| a.values().zip(b.values()).all(inside))
            }
            (ValueContent::Unknown(a), ValueContent::Unknown(b)) => a == b,
            (ValueContent::Bool(a), ValueContent::Bool(b)) => a == b,
            (ValueContent::Number(a), ValueContent::Number(b)) => number(a, b),
            (ValueContent::String(a), ValueContent::String(b)) => a == b,
            (ValueContent::Null, ValueContent::Null) => true,
            _ => false,
        }
}

/// Values nest as deep as the user's text, so dropping them needs the same care.
impl Drop for Value {
    fn drop(&mut self) {
        let nests = match &self.content {
            ValueContent::Sequence(it) => !it.is_empty() && Arc::strong_count(it) == 1,
            ValueContent::Mapping(it) => !it.is_empty() && Arc::strong_count(it) == 1,
            _ => false,
        };
        if nests {
            let content = std::mem::replace(&mut self.content, ValueContent::Null);
            guarded(|| drop(content));
        }
    }
}

/// The content of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueContent {
    Null,
    /// Unknown, with the facts that are known about it.
    Unknown(Option<Arc<Refinements>>),
    Bool(bool),
    Number(Number),
    String(SmolStr),
    /// A list, set or tuple.
    Sequence(Arc<Elements<Vec<Value>>>),
    /// A map or object.
    Mapping(Arc<Elements<BTreeMap<SmolStr, Value>>>),
}

/// Facts about an unknown value. For example: the unknown `"web-${aws_vpc.main.id}"` has the prefix
/// "web-".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refinements {
    pub not_null: bool,
    /// The lower bound of a number, or of a collection's length; each with "inclusive".
    pub lower: Option<(Number, bool)>,
    pub upper: Option<(Number, bool)>,
    /// A string's first characters.
    pub prefix: SmolStr,
}

impl ValueContent {
    pub(super) fn sequence(elements: Vec<Value>) -> ValueContent {
        ValueContent::Sequence(Arc::new(elements.into()))
    }

    pub(super) fn mapping(elements: BTreeMap<SmolStr, Value>) -> ValueContent {
        ValueContent::Mapping(Arc::new(elements.into()))
    }
}

impl Value {
    /// The null of a type; `Type::Dynamic` for the literal `null`.
    pub fn null(ty: Type) -> Value {
        Value { ty, content: ValueContent::Null, marks: Marks::NONE }
    }

    /// An unknown of a type; `Type::Dynamic` when not even the type is known.
    pub fn unknown(ty: Type) -> Value {
        Value { ty, content: ValueContent::Unknown(None), marks: Marks::NONE }
    }

    /// An unknown of a type, known not to be null.
    pub fn unknown_not_null(ty: Type) -> Value {
        let refinements = Refinements { not_null: true, ..Refinements::default() };
        Value::unknown(ty).refined(refinements)
    }

    pub fn bool(it: bool) -> Value {
        Value { ty: Type::Bool, content: ValueContent::Bool(it), marks: Marks::NONE }
    }

    pub fn number(it: Number) -> Value {
        Value { ty: Type::Number, content: ValueContent::Number(it), marks: Marks::NONE }
    }

    /// A number with the 64 bits of precision of Go's integers.
    pub fn int(it: i64) -> Value {
        Value::number(Number::from_i64(it))
    }

    /// A string, normalised to NFC.
    pub fn string(it: impl AsRef<str>) -> Value {
        let content = ValueContent::String(super::nfc(it.as_ref()));
        Value { ty: Type::String, content, marks: Marks::NONE }
    }

    /// A list; every element must be of type `element` (marks allowed).
    pub fn list(element: Type, elements: Vec<Value>) -> Value {
        let content = ValueContent::sequence(elements);
        Value { ty: Type::list(element), content, marks: Marks::NONE }
    }

    /// A set: sorts, removes duplicates, and takes over the elements' marks. A set with an element that is not
    /// completely known keeps elements that it cannot compare.
    pub fn set(element: Type, elements: Vec<Value>) -> Value {
        super::set::make(element, elements)
    }

    /// A map; every element must be of type `element`.
    pub fn map(element: Type, elements: BTreeMap<SmolStr, Value>) -> Value {
        let content = ValueContent::mapping(elements);
        Value { ty: Type::map(element), content, marks: Marks::NONE }
    }

    /// An object; its type follows from its attributes.
    pub fn object(attributes: BTreeMap<SmolStr, Value>) -> Value {
        let ty = attributes.iter().map(|(name, it)| (name.clone(), it.ty.clone())).collect();
        let content = ValueContent::mapping(attributes);
        Value { ty: Type::object(ty), content, marks: Marks::NONE }
    }

    /// A tuple; its type follows from its elements.
    pub fn tuple(elements: Vec<Value>) -> Value {
        let ty = Type::tuple(elements.iter().map(|it| it.ty.clone()).collect());
        Value { ty, content: ValueContent::sequence(elements), marks: Marks::NONE }
    }

    /// As [`Value::object`]. It shares the type `like` where that is its type: who makes many objects of one kind need
    /// not make that many types.
    pub fn object_like(attributes: BTreeMap<SmolStr, Value>, like: &Type) -> Value {
        let is_like = |like: &super::ObjectType| {
            let types = attributes.iter().map(|(name, it)| (name, &it.ty));
            like.optional.is_empty() && like.attributes.iter().eq(types)
        };
        match like {
            Type::Object(it) if is_like(it) => {
                let content = ValueContent::mapping(attributes);
                Value { ty: like.clone(), content, marks: Marks::NONE }
            }
            _ => Value::object(attributes),
        }
    }

    /// As [`Value::tuple`], with a shared type as in [`Value::object_like`].
    pub fn tuple_like(elements: Vec<Value>, like: &Type) -> Value {
        match like {
            Type::Tuple(it) if it.iter().eq(elements.iter().map(|it| &it.ty)) => Value {
                ty: like.clone(),
                content: ValueContent::sequence(elements),
                marks: Marks::NONE,
            },
            _ => Value::tuple(elements),
        }
    }

    pub fn ty(&self) -> &Type {
        &self.ty
    }

    pub fn content(&self) -> &ValueContent {
        &self.content
    }

    pub fn is_null(&self) -> bool {
        matches!(self.content, ValueContent::Null)
    }

    /// Whether the value itself is known; values inside of it may be unknown.
    pub fn is_known(&self) -> bool {
        !matches!(self.content, ValueContent::Unknown(_))
    }

    /// Whether the value and everything inside of it is known.
    pub fn is_wholly_known(&self) -> bool {
        match &self.content {
            ValueContent::Unknown(_) => false,
            ValueContent::Sequence(it) => it.is_known,
            ValueContent::Mapping(it) => it.is_known,
            _ => true,
        }
    }

    /// Whether no expression can distinguish the two values. Equal values may differ: `-0` and `0` are equal, and
    /// `1 / -0` and `1 / 0` are not.
    pub fn is_identical(&self, other: &Value) -> bool {
        self.ty == other.ty && same(self, other, self.ty.has_dynamic(), Number::is_identical)
    }

    /// Whether a part is a value whose type only a provider knows, such as the attribute of a resource.
    pub fn has_open_type(&self) -> bool {
        self.deep_marks().is_undecided() && self.has_unknown_type()
    }

    /// Whether an unknown part may be of any type. A null is not: it converts to every type.
    pub fn has_unknown_type(&self) -> bool {
        self.ty().has_dynamic()
            && guarded(|| match self.content() {
                ValueContent::Unknown(_) => true,
                ValueContent::Sequence(it) => it.iter().any(Value::has_unknown_type),
                ValueContent::Mapping(it) => it.values().any(Value::has_unknown_type),
                _ => false,
            })
    }

    /// The truth of a known, non-null bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self.content {
            ValueContent::Bool(it) => Some(it),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<&Number> {
        match &self.content {
            ValueContent::Number(it) => Some(it),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            ValueContent::String(it) => Some(it),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple. They do not carry the outer value's marks.
    pub fn as_sequence(&self) -> Option<&[Value]> {
        match &self.content {
            ValueContent::Sequence(it) => Some(it),
            _ => None,
        }
    }

    /// The elements of a known map or object. They do not carry the outer value's marks.
    pub fn as_mapping(&self) -> Option<&BTreeMap<SmolStr, Value>> {
        match &self.content {
            ValueContent::Mapping(it) => Some(it),
            _ => None,
        }
    }

    /// The facts about an unknown value.
    pub fn refinements(&self) -> Option<&Refinements> {
        match &self.content {
            ValueContent::Unknown(Some(it)) => Some(it),
            _ => None,
        }
    }

    /// The same unknown value with more facts about it. A known length turns an unknown list into a list
    /// of unknown elements. A known value stays as it is.
    pub fn refined(mut self, refinements: Refinements) -> Value {
        if !self.is_known() {
            self.content = refinements
                .settled(&self.ty)
                .unwrap_or_else(|| ValueContent::Unknown(Some(Arc::new(refinements))));
        }
        self
    }

    /// The marks of the value itself, without those inside of it.
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// The marks of the value and of everything inside it.
    pub fn deep_marks(&self) -> Marks {
        match &self.content {
            ValueContent::Sequence(elements) => self.marks | elements.marks,
            ValueContent::Mapping(elements) => self.marks | elements.marks,
            _ => self.marks,
        }
    }

    /// The same value with these marks added.
    pub fn with_marks(mut self, marks: Marks) -> Value {
        self.marks |= marks;
        self
    }

    /// The same value without these marks of its own.
    pub fn without_marks(mut self, marks: Marks) -> Value {
        self.marks = self.marks.without(marks);
        self
    }

    /// The value without its own marks, and those marks.
    pub fn unmark(mut self) -> (Value, Marks) {
        let marks = std::mem::take(&mut self.marks);
        (self, marks)
    }

    /// The value without any marks inside or outside, and all of them.
    pub fn unmark_deep(mut self) -> (Value, Marks) {
        let marks = self.deep_marks();
        if !marks.is_empty() {
            self.remove_marks();
        }
        (self, marks)
    }

    fn remove_marks(&mut self) {
        self.marks = Marks::NONE;
        match &self.content {
            ValueContent::Sequence(it) if !it.marks.is_empty() => {
                let elements = guarded(|| it.iter().map(unmarked).collect());
                self.content = ValueContent::sequence(elements);
            }
            ValueContent::Mapping(it) if !it.marks.is_empty() => {
                let elements =
                    guarded(|| it.iter().map(|(key, it)| (key.clone(), unmarked(it))).collect());
                self.content = ValueContent::mapping(elements);
            }
            _ => (),
        }
    }
}

fn unmarked(value: &Value) -> Value {
    value.clone().unmark_deep().0
}
