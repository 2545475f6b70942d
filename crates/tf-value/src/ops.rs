//! Operations that work on every type: equality, element access, length.

use super::{ConvertError, Marks, Number, Refinements, Type, Value, ValueContent, convert};
use smol_str::SmolStr;
use stack::guarded;

/// The elements of a known list, set, tuple, map or object with their keys, in Terraform's order. The
/// key is the index in a list or tuple, the element itself in a set, and a string in a map or object, in
/// bytewise order. `None` for every other value. The elements do not carry the outer value's marks.
pub fn elements(value: &Value) -> Option<impl Iterator<Item = (Value, &Value)>> {
    let is_set = matches!(value.ty(), Type::Set(_));
    let (sequence, mapping) = match value.content() {
        ValueContent::Sequence(elements) => (Some(elements), None),
        ValueContent::Mapping(elements) => (None, Some(elements)),
        _ => return None,
    };
    let sequence = sequence.into_iter().flat_map(|it| it.iter()).enumerate();
    let mapping = mapping.into_iter().flat_map(|it| it.iter());
    Some(
        sequence
            .map(move |(index, it)| {
                (
                    if is_set { it.clone() } else { Value::number(Number::from_u64(index as u64)) },
                    it,
                )
            })
            .chain(mapping.map(|(key, it)| (Value::string(key), it))),
    )
}

/// Whether a value of this type has elements.
pub fn is_iterable(ty: &Type) -> bool {
    ty.is_collection() || matches!(ty, Type::Object(_) | Type::Tuple(_))
}

/// The number of elements, with the value's marks: a number of 64 bits. It is unknown, with the known
/// bounds, for an unknown collection and for a set with unknown elements. `None` for null and for types
/// without elements.
pub fn length(value: &Value) -> Option<Value> {
    let ty = value.ty();
    let whole = |length: usize| Value::number(Number::from_u64(length as u64));
    let length = match (ty, value.content()) {
        (Type::Tuple(elements), _) => whole(elements.len()),
        (Type::Object(object), _) => whole(object.attributes.len()),
        (_, ValueContent::Unknown(_)) if ty.is_collection() => unknown_length(value),
        (Type::Dynamic, ValueContent::Unknown(_)) => Value::unknown_not_null(Type::Number),
        (Type::Set(_), ValueContent::Sequence(it)) if it.len() > 1 && !value.is_wholly_known() => {
            let bound = |length: usize| Some((Number::from_u64(length as u64), true));
            between(bound(1), bound(it.len()))
        }
        (_, ValueContent::Sequence(elements)) => whole(elements.len()),
        (_, ValueContent::Mapping(elements)) => whole(elements.len()),
        _ => return None,
    };
    Some(length.with_marks(value.marks()))
}

fn unknown_length(value: &Value) -> Value {
    let known = value.refinements();
    let lower = known.and_then(|it| it.lower.clone());
    let lower = lower.unwrap_or((Number::from_i64(0), true));
    between(Some(lower), known.and_then(|it| it.upper.clone()))
}

fn between(lower: Option<(Number, bool)>, upper: Option<(Number, bool)>) -> Value {
    if let (Some((lower, true)), Some((upper, true))) = (&lower, &upper)
        && lower == upper
    {
        return Value::number(lower.clone());
    }
    let refinements = Refinements { not_null: true, lower, upper, ..Refinements::default() };
    Value::unknown(Type::Number).refined(refinements)
}

/// Whether whatever only a plan knows in the value is unknown here. A known result of an operation on such values does not
/// depend on the plan. For example: `aws_vpc.main[*] == "a"` is false, whatever the provider returns.
pub fn is_open_where_undecided(value: &Value) -> bool {
    if !value.deep_marks().is_undecided() {
        return true;
    }
    if value.is_known() && value.marks().is_undecided() {
        return false;
    }
    guarded(|| match value.content() {
        ValueContent::Sequence(elements) => elements.iter().all(is_open_where_undecided),
        ValueContent::Mapping(elements) => elements.values().all(is_open_where_undecided),
        _ => true,
    })
}

/// The union of the marks of all values, without those inside of them.
pub fn marks_of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Marks {
    values.into_iter().fold(Marks::NONE, |marks, it| marks | it.marks())
}

/// Why an access fails.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessError {
    /// The value itself is null.
    Null,
    /// The key is null.
    NullKey,
    /// The object has no attribute of this name.
    MissingAttribute(SmolStr),
    /// The map has no element with this key.
    MissingElement(SmolStr),
    /// The list or tuple is shorter; `next` if the index is exactly its length.
    OutOfRange { length: usize, next: bool },
    /// The index of a list or tuple is negative.
    NegativeIndex,
    /// The index is not a whole number.
    FractionalIndex,
    /// The key is not of the type of the collection's keys.
    KeyType(ConvertError),
    /// Sets have no index.
    Set,
    /// A list, set or tuple has no attributes; `of_objects` when its elements have.
    Sequence { of_objects: bool },
    /// The type has neither indices nor attributes.
    Primitive,
}

/// `value.name`: an attribute of an object or an element of a map, with the marks of the value.
pub fn attribute(value: &Value, name: &str) -> Result<Value, AccessError> {
    if value.is_null() {
        return Err(AccessError::Null);
    }
    let name = crate::nfc(name);
    let found = match (value.ty(), value.content()) {
        (Type::Dynamic, _) => Value::unknown(Type::Dynamic),
        (Type::Object(object), content) => match (object.attributes.get(&name), content) {
            (None, _) => return Err(AccessError::MissingAttribute(name)),
            (Some(ty), ValueContent::Unknown(_)) => Value::unknown(ty.clone()),
            (Some(_), ValueContent::Mapping(it)) => it.get(&name).cloned().unwrap_or_else(dynamic),
            (Some(_), _) => dynamic(),
        },
        (Type::Map(element), ValueContent::Unknown(_)) => Value::unknown((**element).clone()),
        (Type::Map(_), ValueContent::Mapping(elements)) => match elements.get(&name) {
            Some(it) => it.clone(),
            None => return Err(AccessError::MissingElement(name)),
        },
        (Type::List(element) | Type::Set(element), _) => {
            let of_objects = matches!(**element, Type::Object(_));
            return Err(AccessError::Sequence { of_objects });
        }
        (Type::Tuple(elements), _) => {
            let of_objects = elements.iter().any(|it| matches!(it, Type::Object(_)));
            return Err(AccessError::Sequence { of_objects });
        }
        _ => return Err(AccessError::Primitive),
    };
    Ok(found.with_marks(value.marks()))
}

/// `value[key]`, with the marks of both.
pub fn index(value: &Value, key: &Value) -> Result<Value, AccessError> {
    if value.is_null() {
        return Err(AccessError::Null);
    }
    if key.is_null() {
        return Err(AccessError::NullKey);
    }
    let marks = value.marks() | key.marks();
    if matches!(value.ty(), Type::Dynamic) || matches!(key.ty(), Type::Dynamic) {
        return Ok(dynamic().with_marks(marks));
    }
    let found = match value.ty() {
        Type::List(_) | Type::Tuple(_) => position(value, key)?,
        Type::Map(element) => {
            let key = convert(key, &Type::String).map_err(AccessError::KeyType)?;
            match (key.as_str(), value.as_mapping()) {
                (Some(key), Some(elements)) => match elements.get(key) {
                    Some(it) => it.clone(),
                    None => return Err(AccessError::MissingElement(key.into())),
                },
                _ => Value::unknown((**element).clone()),
            }
        }
        Type::Object(_) => {
            let key = convert(key, &Type::String).map_err(AccessError::KeyType)?;
            match key.as_str() {
                Some(name) if value.is_known() => attribute(value, name)?,
                _ => dynamic(),
            }
        }
        Type::Set(_) => return Err(AccessError::Set),
        _ => return Err(AccessError::Primitive),
    };
    Ok(found.with_marks(marks))
}

fn dynamic() -> Value {
    Value::unknown(Type::Dynamic)
}

/// The element of a list or tuple at a position.
fn position(value: &Value, key: &Value) -> Result<Value, AccessError> {
    let key = convert(key, &Type::Number).map_err(AccessError::KeyType)?;
    let (length, of_unknown) = match value.ty() {
        Type::Tuple(elements) => (Some(elements.len()), Type::Dynamic),
        ty => (
            value.as_sequence().map(<[Value]>::len),
            ty.element().cloned().unwrap_or(Type::Dynamic),
        ),
    };
    let (Some(number), Some(length)) = (key.as_number(), length) else {
        return Ok(Value::unknown(of_unknown));
    };
    let index = whole(number, length)?;
    match (value.as_sequence().and_then(|it| it.get(index)), value.ty()) {
        (Some(it), _) => Ok(it.clone()),
        (None, Type::Tuple(elements)) => {
            Ok(Value::unknown(elements.get(index).cloned().unwrap_or(Type::Dynamic)))
        }
        (None, _) => Ok(dynamic()),
    }
}

/// The index as a position below the length.
fn whole(number: &Number, length: usize) -> Result<usize, AccessError> {
    if number.sign() < 0 {
        return Err(AccessError::NegativeIndex);
    }
    if !number.is_integer() && !number.is_infinite() {
        return Err(AccessError::FractionalIndex);
    }
    match number.to_u64().and_then(|it| usize::try_from(it).ok()) {
        Some(index) if index < length => Ok(index),
        index => Err(AccessError::OutOfRange { length, next: index == Some(length) }),
    }
}

// Equality as Terraform's `==` has it, and exact sameness.

/// Terraform's `==`. It never converts, keeps all marks, and is unknown where the answer is not known
/// yet.
///
/// Nulls are equal whatever their types; other values of different types are not. A known value that the
/// refinements of an unknown one exclude is not equal to it.
pub fn equals(left: &Value, right: &Value) -> Value {
    let mut marks = left.deep_marks() | right.deep_marks();
    let result = match compare(left, right) {
        Some(it) => {
            if marks.is_undecided() && [left, right].into_iter().all(is_open_where_undecided) {
                marks = marks.without(Marks::UNDECIDED);
            }
            Value::bool(it)
        }
        None => Value::unknown_not_null(Type::Bool),
    };
    result.with_marks(marks)
}

/// `None` where the answer is not known yet.
fn compare(left: &Value, right: &Value) -> Option<bool> {
    guarded(|| match (left.content(), right.content()) {
        (ValueContent::Null, ValueContent::Null) => Some(true),
        (ValueContent::Null, ValueContent::Unknown(_)) => never_null(right),
        (ValueContent::Unknown(_), ValueContent::Null) => never_null(left),
        (ValueContent::Null, _) | (_, ValueContent::Null) => Some(false),
        (ValueContent::Unknown(_), ValueContent::Unknown(_)) => None,
        (ValueContent::Unknown(_), _) => known_and_unknown(right, left),
        (_, ValueContent::Unknown(_)) => known_and_unknown(left, right),
        _ => known(left, right),
    })
}

/// A null does not equal a value that is surely not null.
fn never_null(unknown: &Value) -> Option<bool> {
    unknown.refinements().is_some_and(|it| it.not_null).then_some(false)
}

fn known_and_unknown(known: &Value, unknown: &Value) -> Option<bool> {
    let excluded = unknown.refinements().is_some_and(|it| excludes(it, known));
    (excluded || !known.ty().conforms_to(unknown.ty())).then_some(false)
}

/// Whether the refinements of an unknown value exclude a known one that is not null.
fn excludes(refinements: &Refinements, value: &Value) -> bool {
    let size = match value.content() {
        ValueContent::String(it) => return !it.starts_with(refinements.prefix.as_str()),
        ValueContent::Number(it) => it.clone(),
        ValueContent::Sequence(it) if value.ty().is_collection() => {
            Number::from_u64(it.len() as u64)
        }
        ValueContent::Mapping(it) if value.ty().is_collection() => {
            Number::from_u64(it.len() as u64)
        }
        _ => return false,
    };
    let below = refinements.lower.as_ref().is_some_and(|(bound, inclusive)| {
        let order = size.compare(bound);
        order.is_lt() || order.is_eq() && !inclusive
    });
    let above = refinements.upper.as_ref().is_some_and(|(bound, inclusive)| {
        let order = size.compare(bound);
        order.is_gt() || order.is_eq() && !inclusive
    });
    below || above
}

fn known(left: &Value, right: &Value) -> Option<bool> {
    let open = || left.has_unknown_type() || right.has_unknown_type();
    if left.ty() != right.ty() {
        // Types are compared first, so that a large value is not walked for each small one of another
        // type.
        let possible =
            (left.ty().conforms_to(right.ty()) || right.ty().conforms_to(left.ty())) && open();
        return if possible { None } else { Some(false) };
    }
    match (open(), left.ty().has_dynamic()) {
        (true, _) => None,
        (false, true) => contents(left, right, compare),
        (false, false) => contents(left, right, typed),
    }
}

/// Like [`compare`], for values of one completely known type, so the types need no comparison.
fn typed(left: &Value, right: &Value) -> Option<bool> {
    if left.is_null() || right.is_null() || !left.is_known() || !right.is_known() {
        return compare(left, right);
    }
    guarded(|| contents(left, right, typed))
}

type Compare = fn(&Value, &Value) -> Option<bool>;

/// Compares known values of one type, their elements by `compare`.
fn contents(left: &Value, right: &Value, compare: Compare) -> Option<bool> {
    match (left.content(), right.content()) {
        (ValueContent::Sequence(a), ValueContent::Sequence(b)) => match left.ty() {
            Type::Set(_) => sets(a, b, compare),
            _ if a.len() != b.len() => Some(false),
            _ => ordered(a.iter().zip(b.iter()), compare),
        },
        (ValueContent::Mapping(a), ValueContent::Mapping(b)) => {
            if !a.keys().eq(b.keys()) {
                return Some(false);
            }
            unordered(a.values().zip(b.values()), compare)
        }
        (a, b) => Some(a == b),
    }
}

/// Compares pairs in order; the first that differs, or is undecided, decides.
fn ordered<'a>(
    pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    compare: Compare,
) -> Option<bool> {
    for (left, right) in pairs {
        match compare(left, right) {
            Some(true) => (),
            other => return other,
        }
    }
    Some(true)
}

/// Compares pairs in any order; one that differs decides. (Terraform takes the pairs in random order and
/// stops at the first that differs or is undecided.)
fn unordered<'a>(
    pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    compare: Compare,
) -> Option<bool> {
    let mut result = Some(true);
    for (left, right) in pairs {
        match compare(left, right) {
            Some(true) => (),
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

/// Compares sets whose own elements are all known: they are equal if each has the other's elements.
fn sets(left: &[Value], right: &[Value], compare: Compare) -> Option<bool> {
    if left.iter().chain(right).any(|it| !it.is_known()) {
        return None;
    }
    let same = |(a, b): (&Value, &Value)| compare(a, b) == Some(true);
    if left.len() == right.len() && left.iter().zip(right).all(same) {
        return Some(true);
    }
    let has = |set: &[Value], wanted: &Value| set.iter().any(|it| same((it, wanted)));
    Some(left.iter().all(|it| has(right, it)) && right.iter().all(|it| has(left, it)))
}
