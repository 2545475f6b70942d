//! Operations that work on every type: equality, element access, length.

mod access;
mod equality;

pub use access::{AccessError, attribute, index};
pub use equality::equals;

use super::{Marks, Number, Refinements, Type, Value, ValueContent};
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
