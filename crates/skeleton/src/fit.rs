//! Completes values for what the module takes out of them: lists long enough, texts with enough parts, keys that a
//! table has.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    hints::{Hints, Topic, singular},
    siblings::sibling,
    uses::{
        MOST_INDICES, Use,
        needs::{BASE64, CIDR, TIMESTAMP},
    },
    write,
};
use projection::sets::{Sample, ValueSet, contains, witnesses};
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value};

/// The value with everything that is taken out of it, where this can be added.
pub fn fitted(hints: &Hints, name: &str, ty: &Type, value: &Value, used: &Use) -> Value {
    if value.is_null() {
        return value.clone();
    }
    guarded(|| {
        if let Some(text) = value.as_str() {
            return Value::string(fitted_text(hints, name, text, used));
        }
        if let Some(elements) = value.as_sequence() {
            return fitted_elements(hints, name, ty, elements, used);
        }
        let Some(members) = value.as_mapping() else { return value.clone() };
        let each = members.iter().map(|(key, it)| {
            let inner = used.attributes.get(key).or(used.elements.as_deref());
            let own = ty.as_object().and_then(|object| object.attributes.get(key));
            let ty = own.or(ty.element()).unwrap_or(&DYNAMIC);
            let fit = inner.map(|inner| fitted(hints, key, ty, it, inner));
            (key.clone(), fit.unwrap_or_else(|| it.clone()))
        });
        let mut all: BTreeMap<SmolStr, Value> = each.collect();
        if ty.as_object().is_none() {
            let inner = ty.element().unwrap_or(&DYNAMIC);
            let new = || hints.of_use(&singular(name), inner, used.elements.as_deref());
            let first = all.values().next().cloned().or_else(new);
            for key in used.wanted.iter().filter(|_| used.attributes.is_empty()) {
                if let (Some(it), false) = (&first, all.contains_key(key)) {
                    all.insert(key.clone(), it.clone());
                }
            }
        }
        Value::object(all)
    })
}

fn fitted_elements(hints: &Hints, name: &str, ty: &Type, elements: &[Value], used: &Use) -> Value {
    let name = singular(name);
    let inner = |at: usize| match ty {
        Type::Tuple(all) => all.get(at).unwrap_or(&DYNAMIC),
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    let mut all = elements.to_vec();
    if !matches!(ty, Type::Tuple(_)) && all.len() < used.least {
        let mut others = hints.values(Topic { name: &name, examples: &[] }, inner(0));
        let is_same_kind = |it: &Value| all.first().is_none_or(|first| has_kind_of(it, first));
        others.retain(|it| !all.contains(it) && is_same_kind(it));
        let last = all.last().or(others.first()).cloned();
        let more = (1..=MOST_INDICES).filter_map(|at| last.as_ref().map(|it| sibling(it, at)));
        let rest = others.into_iter().chain(more);
        all.extend(rest.take(used.least - elements.len()));
    }
    if !matches!(ty, Type::Tuple(_)) {
        all.extend(wanted(hints, &name, inner(0), &all, used));
    }
    if let Some(each) = &used.elements {
        all = all
            .iter()
            .enumerate()
            .map(|(at, it)| fitted(hints, &name, inner(at), it, each))
            .collect();
    }
    Value::tuple(all)
}

/// The elements that a list needs for its instances and does not have.
fn wanted(hints: &Hints, name: &str, ty: &Type, all: &[Value], used: &Use) -> Vec<Value> {
    let is_text = all.first().map_or(*ty == Type::String, |it| it.as_str().is_some());
    let texts = used.wanted.iter().filter(|_| is_text).map(|it| Value::string(it.as_str()));
    let mut out: Vec<Value> = texts.filter(|it| !all.contains(it)).collect();
    let new = || hints.of_use(name, ty, used.elements.as_deref());
    let first = all.first().cloned().or_else(new);
    for (attribute, key) in &used.wanted_by {
        let key = Value::string(key.as_str());
        let has_key =
            |element: &Value| element.as_mapping().and_then(|it| it.get(attribute)) == Some(&key);
        let members = first.as_ref().and_then(Value::as_mapping);
        if let Some(members) = members.filter(|_| !all.iter().any(has_key)) {
            let mut members = members.clone();
            members.insert(attribute.clone(), key);
            out.push(Value::object(members));
        }
    }
    out
}

/// Whether two values are texts, numbers, bools, sequences or mappings alike.
fn has_kind_of(it: &Value, other: &Value) -> bool {
    std::mem::discriminant(it.content()) == std::mem::discriminant(other.content())
}

/// The text if a table has it and each separator is there often enough; else one where this is so.
fn fitted_text(hints: &Hints, name: &str, text: &str, used: &Use) -> String {
    if !used.keys.is_empty() && !used.keys.iter().any(|it| it == text) {
        return used.keys[0].to_string();
    }
    // A text that is used as another type, such as `"true"`.
    match used.ty {
        Some(Type::Bool) if !matches!(text, "true" | "false") => return "true".to_owned(),
        Some(Type::Number) if text.parse::<i64>().is_err() => return "1".to_owned(),
        _ => (),
    }
    if let Some(inner) = &used.json
        && let Some(it) = decoded(hints, name, text, inner)
    {
        return it;
    }
    if !used.patterns.is_empty() && !matches(text, used) {
        let named = hints.texts(Topic { name, examples: &[] }).into_iter();
        let several = used.patterns.iter().filter(|_| used.patterns.len() > 1);
        let together = matching(several);
        let mut all = named.chain(together).chain(used.patterns.iter().flat_map(samples));
        if let Some(it) = all.find(|it| matches(it, used)) {
            return it;
        }
    }
    let mut text = text.to_owned();
    for (separator, parts) in &used.splits {
        let separator = separator.as_str();
        let mut all: Vec<String> = text.split(separator).map(ToOwned::to_owned).collect();
        while all.len() < parts.least.min(MOST_INDICES) {
            all.push("example".to_owned());
        }
        for (at, it) in all.iter_mut().enumerate() {
            if let Some(inner) = parts.by_index.get(&at).or(parts.elements.as_deref()) {
                *it = guarded(|| fitted_text(hints, name, it, inner));
            }
        }
        text = all.join(separator);
    }
    text
}

/// A text of JSON with everything that is taken out of it; `None` if the text is one already.
fn decoded(hints: &Hints, name: &str, text: &str, used: &Use) -> Option<String> {
    let has_parts = !used.attributes.is_empty() || used.elements.is_some();
    let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
    if is_json && !has_parts {
        return None;
    }
    let value = hints.of_use(name, &DYNAMIC, Some(used)).filter(|_| has_parts);
    let value = value.map(|it| fitted(hints, name, &DYNAMIC, &it, used));
    Some(value.map_or_else(|| "{}".to_owned(), |it| write::json_line(&it)))
}

/// Whether nothing says that the text does not match what functions take.
fn matches(text: &str, used: &Use) -> bool {
    let value = Value::string(text);
    let refuses =
        |it: &SmolStr| contains(&ValueSet::Matches(it.to_string()), &value) == Some(false);
    !used.patterns.iter().any(refuses)
}

/// Texts that match a pattern.
fn samples(pattern: &SmolStr) -> Vec<String> {
    let known = match pattern.as_str() {
        CIDR => "10.0.0.0/16",
        BASE64 => "ZXhhbXBsZQ==",
        TIMESTAMP => "2030-01-01T00:00:00Z",
        _ => return matching(std::iter::once(pattern)),
    };
    vec![known.to_owned()]
}

/// Texts that match all patterns.
fn matching<'p>(patterns: impl Iterator<Item = &'p SmolStr>) -> Vec<String> {
    let set = ValueSet::all(patterns.map(|it| ValueSet::Matches(it.to_string())));
    let all = witnesses(&set, &Type::String, Sample { count: 3, seed: 1, null: false });
    all.iter().filter_map(|it| it.as_str().map(ToOwned::to_owned)).collect()
}
