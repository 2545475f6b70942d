//! Canonical values, for which the schema is exactly as strict as Terraform.

use stack::guarded;
use tf_value::{Type, Value, ValueContent};

/// The limit for comparing the elements of a set with each other.
const MOST_ELEMENTS: usize = 64;

/// Whether a given value (not yet converted) is surely canonical for a type: every kind is the declared
/// one, texts are ASCII, numbers have no more digits than every reader keeps, no set repeats an element,
/// objects have all required attributes and no others, and nothing is null. The schema accepts such a
/// value if Terraform does, unless it requires variables with defaults. Other values may be canonical
/// too.
pub fn is_plain(value: &Value, ty: &Type) -> bool {
    guarded(|| match (ty, value.content()) {
        (Type::String, ValueContent::String(text)) => is_plain_text(text),
        (Type::Bool, ValueContent::Bool(_)) => true,
        (Type::Number, ValueContent::Number(number)) => is_plain_number(&number.to_decimal()),
        (Type::List(element), ValueContent::Sequence(elements)) => {
            elements.iter().all(|it| is_plain(it, element))
        }
        (Type::Set(element), ValueContent::Sequence(elements)) => {
            let is_new = |index: usize| !elements[..index].contains(&elements[index]);
            elements.len() <= MOST_ELEMENTS
                && elements.iter().all(|it| is_plain(it, element))
                && (1..elements.len()).all(is_new)
        }
        (Type::Tuple(types), ValueContent::Sequence(elements)) => {
            types.len() == elements.len()
                && elements.iter().zip(types.iter()).all(|(it, ty)| is_plain(it, ty))
        }
        (Type::Map(element), ValueContent::Mapping(elements)) => {
            elements.iter().all(|(key, it)| is_plain_text(key) && is_plain(it, element))
        }
        (Type::Object(object), ValueContent::Mapping(attributes)) => {
            let required = object.attributes.keys().filter(|it| !object.optional.contains(*it));
            let has_own = |(name, it): (&_, &Value)| {
                object.attributes.get(name).is_some_and(|ty| is_plain(it, ty))
            };
            required.into_iter().all(|it| attributes.contains_key(it))
                && attributes.iter().all(|(name, it)| has_own((name, it)))
        }
        _ => false,
    })
}

/// Whether each code point is one character, in every normal form. A carriage return and a line feed are
/// one character together.
fn is_plain_text(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

/// Whether a number keeps its digits: binary floats of 64 bits, the only numbers of most readers, keep
/// 15.
fn is_plain_number(decimal: &str) -> bool {
    decimal.len() <= 15 && decimal.bytes().all(|it| matches!(it, b'0'..=b'9' | b'.' | b'-'))
}
