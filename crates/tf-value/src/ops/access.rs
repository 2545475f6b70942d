//! `value.name` and `value[key]`.

use smol_str::SmolStr;

use crate::{ConvertError, Number, Type, Value, ValueContent, convert};

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
