//! Reads arguments as Go's native types, with Terraform's words for arguments that do not fit.

use tf_value::Value;

const NOT_WHOLE: &str =
    "value must be a whole number, between -9223372036854775808 and 9223372036854775807";
const NOT_DOUBLE: &str = "value must be within the range of a 64-bit floating-point number";

/// A known number as Go's `int`. Errors: a message for a `Failure`.
pub fn whole_number(value: &Value) -> Result<i64, &'static str> {
    let number = value.as_number().filter(|it| it.is_integer());
    number.and_then(tf_value::Number::to_i64).ok_or(NOT_WHOLE)
}

/// A known number as Go's `float64`, rounded; only an infinity may become one.
pub fn double(value: &Value) -> Result<f64, &'static str> {
    let number = value.as_number().ok_or(NOT_DOUBLE)?;
    let double = number.to_f64();
    if double.is_infinite() && !number.is_infinite() { Err(NOT_DOUBLE) } else { Ok(double) }
}

/// The text of a known string; empty for anything else.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The elements of a known list, set or tuple; none for anything else.
pub fn elements(value: &Value) -> &[Value] {
    value.as_sequence().unwrap_or_default()
}
