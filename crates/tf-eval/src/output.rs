//! A value as Terraform shows it in an output.

use release::{Release, changes};
use tf_value::{Number, Value};

/// The value in an output. On its way through a plan a fraction that is exactly a double becomes one,
/// and then prints with the digits of a double. A whole number prints with those of 64 bits, and the
/// negative zero loses its sign. Marks and unknowns stay.
pub fn as_output(value: &Value, release: Release) -> Value {
    value.change_numbers(&|it| stored(it, release))
}

/// The number after storing; `None` if it does not change.
fn stored(number: &Number, release: Release) -> Option<Number> {
    if number.is_zero() {
        return Some(Number::from_i64(0));
    }
    if let Some(whole) = number.to_i64() {
        return Some(Number::from_i64(whole));
    }
    let keeps_digits = number.is_integer() && release.has(&changes::STORED_DIGITS);
    if keeps_digits || number.is_infinite() {
        return None;
    }
    let double = Number::from_f64(number.to_f64());
    double.compare(number).is_eq().then_some(double)
}
