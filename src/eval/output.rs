//! A value as Terraform shows it in an output.

use crate::value::{Content, Number, Type, Value, guarded};

/// The value as it is in an output: on its way through a plan, a fraction that is exactly a double
/// becomes one, and then prints with the digits that a double needs; so does a whole number with
/// those of 64 bits, and the negative zero loses its sign. Marks and unknowns stay.
pub fn as_output(value: &Value) -> Value {
    let result = guarded(|| match value.content() {
        Content::Number(number) => Value::number(stored(number)),
        Content::Sequence(elements) => {
            let elements = elements.iter().map(as_output).collect();
            match value.ty() {
                Type::List(element) => Value::list((**element).clone(), elements),
                Type::Set(element) => Value::set((**element).clone(), elements),
                _ => Value::tuple(elements),
            }
        }
        Content::Mapping(elements) => {
            let elements = elements.iter().map(|(key, it)| (key.clone(), as_output(it))).collect();
            match value.ty() {
                Type::Map(element) => Value::map((**element).clone(), elements),
                _ => Value::object(elements),
            }
        }
        _ => value.clone(),
    });
    result.with_marks(value.marks())
}

fn stored(number: &Number) -> Number {
    if number.is_zero() {
        return Number::from_i64(0);
    }
    if let Some(whole) = number.to_i64() {
        return Number::from_i64(whole);
    }
    if number.is_integer() || number.is_infinite() {
        return number.clone();
    }
    let double = Number::from_f64(number.to_f64());
    if double.compare(number).is_eq() { double } else { number.clone() }
}
