//! Completes values for what the module takes out of them: lists long enough, texts with enough parts, keys that a
//! table has.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    hints::{Hints, Topic, singular},
    uses::{MOST_INDICES, Use},
};
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value};

/// The value with everything that is taken out of it, where this can be added.
pub fn fitted(hints: &Hints, name: &str, ty: &Type, value: &Value, used: &Use) -> Value {
    if value.is_null() {
        return value.clone();
    }
    guarded(|| {
        if let Some(text) = value.as_str() {
            return Value::string(fitted_text(text, used));
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
        Value::object(each.collect::<BTreeMap<SmolStr, Value>>())
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
        let rest = others.into_iter().chain(std::iter::repeat_n(last, MOST_INDICES).flatten());
        all.extend(rest.take(used.least - elements.len()));
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

/// Whether two values are texts, numbers, bools, sequences or mappings alike.
fn has_kind_of(it: &Value, other: &Value) -> bool {
    std::mem::discriminant(it.content()) == std::mem::discriminant(other.content())
}

/// The text if a table has it and each separator is there often enough; else one where this is so.
fn fitted_text(text: &str, used: &Use) -> String {
    if !used.keys.is_empty() && !used.keys.iter().any(|it| it == text) {
        return used.keys[0].to_string();
    }
    // A text that is used as another type, such as `"true"`.
    match used.ty {
        Some(Type::Bool) if !matches!(text, "true" | "false") => return "true".to_owned(),
        Some(Type::Number) if text.parse::<i64>().is_err() => return "1".to_owned(),
        _ => (),
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
                *it = guarded(|| fitted_text(it, inner));
            }
        }
        text = all.join(separator);
    }
    text
}
