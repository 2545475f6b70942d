//! Collects the texts in a default.

use std::collections::BTreeSet;

use super::texts::is_number;
use crate::schema::Json;
use stack::guarded;
use tf_value::{Content, DYNAMIC, Type, Value, typeexpr::Defaults};

/// Adds the texts of a default, without the attribute names that the type declares.
pub(super) fn of_value(value: &Value, ty: &Type, texts: &mut BTreeSet<String>) {
    let inner = |key: &str| match ty {
        Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    guarded(|| match value.content() {
        Content::Null | Content::Unknown(_) | Content::Bool(_) => (),
        Content::Number(it) => add(&it.to_decimal(), texts),
        Content::String(it) => add(it, texts),
        Content::Sequence(elements) => {
            for (index, it) in elements.iter().enumerate() {
                let ty = match ty {
                    Type::Tuple(types) => types.get(index).unwrap_or(&DYNAMIC),
                    _ => inner(""),
                };
                of_value(it, ty, texts);
            }
        }
        Content::Mapping(members) => {
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

/// Adds the texts of every `default` in the schema of a variable, without keys, since most of these are
/// declared attributes.
pub fn texts_of_defaults(schema: &Json, texts: &mut BTreeSet<String>) {
    guarded(|| match schema {
        Json::Object(members) => {
            for (keyword, it) in members {
                if keyword == "default" {
                    of_json(it, false, texts);
                } else {
                    texts_of_defaults(it, texts);
                }
            }
        }
        Json::Array(elements) => elements.iter().for_each(|it| texts_of_defaults(it, texts)),
        _ => (),
    });
}

pub(super) fn of_json(json: &Json, with_keys: bool, texts: &mut BTreeSet<String>) {
    guarded(|| match json {
        Json::Null | Json::Bool(_) => (),
        Json::Number(it) => add(&it.to_string(), texts),
        Json::String(it) => add(it, texts),
        Json::Array(elements) => elements.iter().for_each(|it| of_json(it, with_keys, texts)),
        Json::Object(members) => {
            for (key, it) in members {
                if with_keys {
                    add(key, texts);
                }
                of_json(it, with_keys, texts);
            }
        }
        Json::Record(members) => members.iter().for_each(|(_, it)| of_json(it, with_keys, texts)),
    });
}

/// Adds a text, unless it is empty or a single digit, which reveals as little.
fn add(text: &str, texts: &mut BTreeSet<String>) {
    let is_trivial = |it: &str| it.is_empty() || (is_number(it) && it.len() < 2);
    if !is_trivial(text.trim()) {
        texts.insert(text.to_owned());
    }
}
