//! Collects the texts in a default.

use std::collections::BTreeSet;

use super::texts::is_number;
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value, ValueContent, typeexpr::Defaults};

/// Adds the texts of a default, without the attribute names that the type declares.
pub(super) fn of_value(value: &Value, ty: &Type, texts: &mut BTreeSet<String>) {
    let inner = |key: &str| match ty {
        Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    guarded(|| match value.content() {
        ValueContent::Null | ValueContent::Unknown(_) | ValueContent::Bool(_) => (),
        ValueContent::Number(it) => add(&it.to_decimal(), texts),
        ValueContent::String(it) => add(it, texts),
        ValueContent::Sequence(elements) => {
            for (index, it) in elements.iter().enumerate() {
                let ty = match ty {
                    Type::Tuple(types) => types.get(index).unwrap_or(&DYNAMIC),
                    _ => inner(""),
                };
                of_value(it, ty, texts);
            }
        }
        ValueContent::Mapping(members) => {
            for (key, it) in members.iter() {
                if !matches!(ty, Type::Object(object) if object.attributes.contains_key(key)) {
                    add(key, texts);
                }
                of_value(it, inner(key), texts);
            }
        }
    });
}

pub(super) fn of_defaults(defaults: &Defaults, ty: &Type, texts: &mut BTreeSet<String>) {
    let inner = |key: &str| match ty {
        Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
        Type::Tuple(types) => {
            key.parse::<usize>().ok().and_then(|it| types.get(it)).unwrap_or(&DYNAMIC)
        }
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    for (name, value) in defaults.values.iter().chain(&defaults.written) {
        of_value(value, inner(name), texts);
    }
    for (key, child) in &defaults.children {
        guarded(|| of_defaults(child, inner(key), texts));
    }
}

fn add(text: &str, texts: &mut BTreeSet<String>) {
    if reveals(text) {
        texts.insert(text.to_owned());
    }
}

/// Whether finding a text again would reveal something: it is neither empty nor a single digit.
pub fn reveals(text: &str) -> bool {
    let text = text.trim();
    let is_digit = is_number(text) && text.len() < 2;
    !text.is_empty() && !is_digit
}
