//! Whether a known value is in a constraint: decides what an absent member stands for.

use super::{Kind, Length, Measure, Range, ValueSet};
use crate::{
    re2,
    value::{Content, Number, Value, guarded},
};

/// `None` where it cannot be told.
pub fn contains(constraint: &ValueSet, value: &Value) -> Option<bool> {
    guarded(|| match constraint {
        ValueSet::Anything => Some(true),
        ValueSet::Nothing => Some(false),
        ValueSet::Kind(kind) => Some(match value.content() {
            Content::Bool(_) => *kind == Kind::Boolean,
            Content::Number(_) => *kind == Kind::Number,
            Content::String(_) => *kind == Kind::String,
            Content::Sequence(_) => *kind == Kind::Array,
            Content::Mapping(_) => *kind == Kind::Object,
            Content::Null | Content::Unknown(_) => return None,
        }),
        ValueSet::OneOf(values) => one_of(values, value),
        ValueSet::Matches(pattern) => match value.as_str() {
            Some(text) => matches(pattern, text),
            None => Some(true),
        },
        ValueSet::Range(range) => Some(value.as_number().is_none_or(|it| in_range(range, it))),
        ValueSet::Length(measure, length) => Some(fits(*measure, *length, value)),
        ValueSet::MultipleOf(divisor) => match value.as_number() {
            Some(number) => Some(number.to_i64()?.unsigned_abs() % divisor == 0),
            None => Some(true),
        },
        ValueSet::Member { name, required, values } => {
            let Some(members) = value.as_mapping() else { return Some(true) };
            match members.get(name).filter(|it| !it.is_null()) {
                Some(member) => contains(values, member),
                None => Some(!required),
            }
        }
        ValueSet::Place { index, required, values } => {
            let Some(elements) = value.as_sequence() else { return Some(true) };
            elements.get(*index).map_or(Some(!required), |it| contains(values, it))
        }
        ValueSet::Items(inner) => every(value.as_sequence()?.iter(), inner),
        ValueSet::SomeItem(inner) => {
            let none = every(value.as_sequence()?.iter(), &inner.as_ref().clone().negated());
            none.map(|it| !it)
        }
        ValueSet::Count(length, inner) => {
            let each = value.as_sequence()?.iter().map(|it| contains(inner, it));
            let verdicts = each.collect::<Option<Vec<bool>>>()?;
            Some(holds(*length, verdicts.into_iter().filter(|it| *it).count()))
        }
        ValueSet::Values(inner) => every(value.as_mapping()?.values(), inner),
        ValueSet::Unique => {
            let elements = value.as_sequence()?;
            let repeated = |(at, it)| elements.iter().take(at).any(|other| other == it);
            Some(!elements.iter().enumerate().any(repeated))
        }
        ValueSet::Keys(inner) => {
            let keys: Vec<Value> = value.as_mapping()?.keys().map(Value::string).collect();
            every(keys.iter(), inner)
        }
        ValueSet::ValuesBeside(names, inner) => {
            let others = value.as_mapping()?.iter().filter(|it| !names.contains(it.0));
            every(others.map(|it| it.1), inner)
        }
        ValueSet::Not(inner) => contains(inner, value).map(|it| !it),
        ValueSet::All(parts) => every_part(parts, value),
        ValueSet::Either(parts) => some_part(parts, value),
        ValueSet::ValuesMatching(..) => None,
    })
}

fn one_of(values: &[Value], value: &Value) -> Option<bool> {
    if values.iter().any(|it| it.content() == value.content() && it.ty() == value.ty()) {
        return Some(true);
    }
    let is_scalar = |it: &Value| it.is_null() || it.ty().is_primitive();
    // Whole collections may be equal in JSON and differ in type.
    let comparable = is_scalar(value) || values.iter().all(is_scalar);
    comparable.then_some(false)
}

/// Patterns are mostly in the language that both dialects share.
fn matches(pattern: &str, text: &str) -> Option<bool> {
    if pattern.contains("(?<=") || pattern.contains("(?=") || pattern.contains("\\u{") {
        return None;
    }
    Some(re2::cached(pattern, re2::Dialect::default()).ok()?.is_match(text))
}

fn in_range(range: &Range, number: &Number) -> bool {
    let lower = range.lower.as_ref().is_none_or(|it| {
        let order = number.compare(&it.value);
        order.is_gt() || it.inclusive && order.is_eq()
    });
    let upper = range.upper.as_ref().is_none_or(|it| {
        let order = number.compare(&it.value);
        order.is_lt() || it.inclusive && order.is_eq()
    });
    lower && upper
}

fn fits(measure: Measure, length: Length, value: &Value) -> bool {
    let count = match (measure, value.content()) {
        (Measure::Characters, Content::String(text)) => text.chars().count(),
        (Measure::Items, Content::Sequence(elements)) => elements.len(),
        (Measure::Properties, Content::Mapping(members)) => members.len(),
        _ => return true,
    };
    holds(length, count)
}

fn holds(length: Length, count: usize) -> bool {
    let count = count as u64;
    length.min.is_none_or(|min| min <= count) && length.max.is_none_or(|max| count <= max)
}

fn every<'v>(elements: impl Iterator<Item = &'v Value>, inner: &ValueSet) -> Option<bool> {
    let mut all = Some(true);
    for element in elements {
        match contains(inner, element) {
            Some(true) => (),
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

fn every_part(parts: &[ValueSet], value: &Value) -> Option<bool> {
    let verdicts: Vec<_> = parts.iter().map(|it| contains(it, value)).collect();
    if verdicts.contains(&Some(false)) {
        return Some(false);
    }
    if verdicts.contains(&None) { None } else { Some(true) }
}

fn some_part(parts: &[ValueSet], value: &Value) -> Option<bool> {
    let verdicts: Vec<_> = parts.iter().map(|it| contains(it, value)).collect();
    if verdicts.contains(&Some(true)) {
        return Some(true);
    }
    if verdicts.contains(&None) { None } else { Some(false) }
}
