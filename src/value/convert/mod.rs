//! Conversion between types and unification of types, as cty does them.

use super::{Path, Type, Value};

/// Why a value does not convert.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvertError {
    /// Where inside the value; empty for a string that does not parse, as in Terraform.
    pub path: Path,
    /// `string required`, `attribute "b" is required`, …
    pub reason: String,
}

/// Converts a value to a type constraint (`Dynamic` inside it is resolved by the value).
pub fn convert(_value: &Value, _target: &Type) -> Result<Value, ConvertError> {
    todo!()
}

/// The one type that all convert to, as the branches of a conditional or the elements of
/// `list(any)` need it.
pub fn unify(_types: &[Type]) -> Option<Type> {
    todo!()
}
