//! The elements of a value as `for` and splat see them.

use crate::value::{Type, Value};

/// Whether a value of the type has elements.
pub(super) fn is_iterable(ty: &Type) -> bool {
    ty.is_collection() || matches!(ty, Type::Object(_) | Type::Tuple(_))
}

/// Keys and elements, in order, of a known value: indices of lists and tuples, names of maps and
/// objects; a set's elements are their own keys.
pub(super) fn elements(value: &Value) -> Vec<(Value, Value)> {
    if let Some(mapping) = value.as_mapping() {
        return mapping.iter().map(|(name, it)| (Value::string(name), it.clone())).collect();
    }
    let sequence = value.as_sequence().unwrap_or_default();
    if matches!(value.ty(), Type::Set(_)) {
        return sequence.iter().map(|it| (it.clone(), it.clone())).collect();
    }
    (0..).map(Value::int).zip(sequence.iter().cloned()).collect()
}
