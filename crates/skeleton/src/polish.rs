//! Makes a found value readable: texts and keys that a person would write, where the value stays good.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::hints::{Hints, Topic, singular};
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value, ValueContent};

/// How many texts are tried in one place.
const TRIES: usize = 14;

/// The value without optional attributes and with other texts, as long as it still passes: all at once if that passes,
/// else one after the other.
pub fn polished(
    hints: &Hints,
    name: &str,
    ty: &Type,
    value: &Value,
    is_good: &dyn Fn(&Value) -> bool,
) -> Value {
    for keeps_optional in [false, true] {
        let all = replaced(hints, name, ty, value, keeps_optional);
        if all != *value && is_good(&all) {
            return all;
        }
    }
    one_by_one(hints, name, ty, value, is_good)
}

/// Whether a person may have written a text, such as an enumerated word.
fn is_fine(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-./: ".contains(it);
    let is_word = |end: Option<char>| end.is_some_and(|it| it.is_ascii_alphanumeric());
    let has_ends = is_word(text.chars().next()) && is_word(text.chars().next_back());
    text.len() > 2 && has_ends && text.chars().all(is_plain) && !text.contains("000")
}

/// The value with every text replaced that nobody would write.
fn replaced(hints: &Hints, name: &str, ty: &Type, value: &Value, keeps_optional: bool) -> Value {
    guarded(|| match value.content() {
        ValueContent::String(text) if !is_fine(text) => {
            let texts = hints.texts(Topic { name, examples: &[] });
            texts.into_iter().next().map_or_else(|| value.clone(), Value::string)
        }
        ValueContent::Sequence(all) => {
            let each = all.iter().enumerate().map(|(at, it)| {
                let inner = match ty {
                    Type::Tuple(types) => types.get(at),
                    _ => ty.element(),
                };
                let name = singular(name);
                replaced(hints, &name, inner.unwrap_or(&DYNAMIC), it, keeps_optional)
            });
            Value::tuple(each.collect())
        }
        ValueContent::Mapping(all) => {
            let object = ty.as_object();
            let is_optional =
                |it: &SmolStr| object.is_some_and(|object| object.optional.contains(it));
            let kept = all.iter().filter(|it| keeps_optional || !is_optional(it.0));
            let each = kept.map(|(key, member)| {
                let own = object.and_then(|it| it.attributes.get(key)).or(ty.element());
                let own = own.unwrap_or(&DYNAMIC);
                (key.clone(), replaced(hints, key, own, member, keeps_optional))
            });
            Value::object(each.collect::<BTreeMap<_, _>>())
        }
        _ => value.clone(),
    })
}

fn one_by_one(
    hints: &Hints,
    name: &str,
    ty: &Type,
    value: &Value,
    is_good: &dyn Fn(&Value) -> bool,
) -> Value {
    if value.is_null() {
        return value.clone();
    }
    guarded(|| {
        if let Some(text) = value.as_str() {
            if is_fine(text) {
                return value.clone();
            }
            let texts = hints.texts(Topic { name, examples: &[] });
            let texts = texts.into_iter().take(TRIES).map(Value::string);
            return texts.into_iter().find(|it| is_good(it)).unwrap_or_else(|| value.clone());
        }
        if let Some(elements) = value.as_sequence() {
            let mut all = elements.to_vec();
            for at in 0..all.len() {
                let with = |it: &Value| {
                    let mut all = all.clone();
                    all[at] = it.clone();
                    is_good(&Value::tuple(all))
                };
                let inner = match ty {
                    Type::Tuple(types) => types.get(at),
                    _ => ty.element(),
                };
                let new = one_by_one(hints, name, inner.unwrap_or(&DYNAMIC), &all[at], &with);
                all[at] = new;
            }
            return Value::tuple(all);
        }
        let Some(members) = value.as_mapping() else { return value.clone() };
        let mut all: BTreeMap<SmolStr, Value> = members.clone();
        if let Some(object) = ty.as_object() {
            for key in members.keys().filter(|it| object.optional.contains(*it)) {
                let mut fewer = all.clone();
                fewer.remove(key);
                if is_good(&Value::object(fewer.clone())) {
                    all = fewer;
                }
            }
        }
        for key in members.keys() {
            let Some(old) = all.get(key).cloned() else { continue };
            let with = |it: &Value| {
                let mut all = all.clone();
                all.insert(key.clone(), it.clone());
                is_good(&Value::object(all))
            };
            let own = ty.as_object().and_then(|it| it.attributes.get(key));
            let own = own.or(ty.element()).unwrap_or(&DYNAMIC);
            let new = one_by_one(hints, key, own, &old, &with);
            all.insert(key.clone(), new);
        }
        if ty.as_object().is_some() { Value::object(all) } else { renamed(all, is_good) }
    })
}

/// The keys become `example`, `example-2` and so on, where these are as good.
fn renamed(mut all: BTreeMap<SmolStr, Value>, is_good: &dyn Fn(&Value) -> bool) -> Value {
    let keys: Vec<SmolStr> = all.keys().cloned().collect();
    for (at, old) in keys.iter().enumerate() {
        let new = if at == 0 { "example".into() } else { format!("example-{}", at + 1) };
        let new = SmolStr::new(new);
        let is_fine = old.len() > 2 && old.is_ascii();
        if is_fine || all.contains_key(&new) {
            continue;
        }
        let mut other = all.clone();
        if let Some(value) = other.remove(old) {
            other.insert(new, value);
        }
        if is_good(&Value::object(other.clone())) {
            all = other;
        }
    }
    Value::object(all)
}
