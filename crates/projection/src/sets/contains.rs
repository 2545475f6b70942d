//! Whether a value is in a set: the default of an absent member, or a witness.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{Kind, Length, Measure, NumberRange, ValueSet};
use stack::guarded;
use tf_value::{Number, Type, Value, ValueContent};

/// Whether the value is in the set; `None` if that is not known.
pub fn contains(constraint: &ValueSet, value: &Value) -> Option<bool> {
    guarded(|| match constraint {
        ValueSet::Anything => Some(true),
        ValueSet::Nothing => Some(false),
        ValueSet::Kind(kind) => Some(match value.content() {
            ValueContent::Bool(_) => *kind == Kind::Boolean,
            ValueContent::Number(_) => *kind == Kind::Number,
            ValueContent::String(_) => *kind == Kind::String,
            ValueContent::Sequence(_) => *kind == Kind::Array,
            ValueContent::Mapping(_) => *kind == Kind::Object,
            ValueContent::Null | ValueContent::Unknown(_) => return None,
        }),
        ValueSet::OneOf(values) => one_of(values, value),
        ValueSet::Matches(pattern) => match value.as_str() {
            Some(text) => matches(pattern, text),
            None => Some(true),
        },
        ValueSet::Range(range) => Some(value.as_number().is_none_or(|it| in_range(range, it))),
        ValueSet::Length(measure, length) => Some(fits(*measure, *length, value)),
        ValueSet::MultipleOf(divisor) => match value.as_number() {
            Some(number) if !number.is_integer() => Some(false),
            Some(number) => {
                let rest = number.modulo(&Number::from_u64(*divisor)).ok()?;
                Some(rest.is_zero())
            }
            None => Some(true),
        },
        ValueSet::Member { name, required, values } => {
            let Some(members) = value.as_mapping() else { return Some(true) };
            match members.get(name) {
                Some(member) if !member.is_null() => contains(values, member),
                // A key of a map is present even if its value is null. What a set says about nulls is in
                // another part.
                Some(_) if matches!(value.ty(), Type::Map(_)) => None,
                _ => Some(!required),
            }
        }
        ValueSet::Place { index, required, values } => {
            let Some(elements) = value.as_sequence() else { return Some(true) };
            elements.get(*index).map_or(Some(!required), |it| contains(values, it))
        }
        ValueSet::Items(_)
        | ValueSet::ItemsFrom(..)
        | ValueSet::SomeItem(_)
        | ValueSet::Count(..)
        | ValueSet::Unique => of_elements(constraint, value.as_sequence(), value),
        ValueSet::Values(_)
        | ValueSet::Keys(_)
        | ValueSet::ValuesBeside(..)
        | ValueSet::ValuesMatching(..) => of_members(constraint, value.as_mapping(), value),
        ValueSet::Not(inner) => contains(inner, value).map(|it| !it),
        ValueSet::All(parts) => all(parts.iter().map(|it| contains(it, value))),
        ValueSet::Either(parts) => some(parts.iter().map(|it| contains(it, value))),
    })
}

/// An unknown value may be of the kind that the set is about.
fn of_other_kind(value: &Value) -> Option<bool> {
    value.is_known().then_some(true)
}

fn of_elements(set: &ValueSet, elements: Option<&[Value]>, value: &Value) -> Option<bool> {
    let Some(elements) = elements else { return of_other_kind(value) };
    match set {
        ValueSet::Items(inner) => every(elements.iter(), inner),
        ValueSet::ItemsFrom(index, inner) => every(elements.iter().skip(*index), inner),
        ValueSet::SomeItem(inner) => some(elements.iter().map(|it| contains(inner, it))),
        ValueSet::Count(length, inner) => {
            let verdicts: Vec<_> = elements.iter().map(|it| contains(inner, it)).collect();
            let least = verdicts.iter().filter(|it| **it == Some(true)).count();
            let most = verdicts.iter().filter(|it| **it != Some(false)).count();
            let all = (least..=most).map(|it| length.has(it as u64)).collect::<Vec<_>>();
            all.iter().all(|it| *it == all[0]).then(|| all[0])
        }
        ValueSet::Unique => {
            let pairs = elements.iter().enumerate();
            let repeated =
                pairs.flat_map(|(at, it)| elements[..at].iter().map(move |other| same(other, it)));
            some(repeated).map(|it| !it)
        }
        _ => None,
    }
}

fn of_members(
    set: &ValueSet,
    members: Option<&BTreeMap<SmolStr, Value>>,
    value: &Value,
) -> Option<bool> {
    let Some(members) = members else { return of_other_kind(value) };
    match set {
        ValueSet::Values(inner) => every(members.values(), inner),
        ValueSet::Keys(inner) => {
            let keys: Vec<Value> = members.keys().map(Value::string).collect();
            every(keys.iter(), inner)
        }
        ValueSet::ValuesBeside(names, inner) => {
            every(members.iter().filter(|it| !names.contains(it.0)).map(|it| it.1), inner)
        }
        ValueSet::ValuesMatching(pattern, inner) => {
            all(members.iter().map(|(key, member)| match matches(pattern, key) {
                Some(false) => Some(true),
                Some(true) => contains(inner, member),
                None => contains(inner, member).filter(|it| *it),
            }))
        }
        _ => None,
    }
}

fn one_of(values: &[Value], value: &Value) -> Option<bool> {
    some(values.iter().map(|it| same(it, value)))
}

/// Whether two values are the same in JSON: their types do not matter, and a null attribute is the same as an
/// absent one.
fn same(left: &Value, right: &Value) -> Option<bool> {
    match (left.content(), right.content()) {
        (ValueContent::Unknown(_), _) | (_, ValueContent::Unknown(_)) => None,
        (ValueContent::Sequence(a), ValueContent::Sequence(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            // The elements of a set have no order.
            let is_set = |it: &Value| matches!(it.ty(), Type::Set(_));
            let verdict = guarded(|| all(a.iter().zip(b.iter()).map(|(a, b)| same(a, b))));
            let is_ordered = is_set(left) == is_set(right);
            verdict.filter(|it| *it || is_ordered)
        }
        (ValueContent::Mapping(a), ValueContent::Mapping(b)) => {
            let missing = |from: &BTreeMap<SmolStr, Value>, other: &BTreeMap<SmolStr, Value>| {
                let lacking = from.iter().filter(|it| !other.contains_key(it.0));
                lacking
                    .map(|it| if it.1.is_null() { None } else { Some(false) })
                    .collect::<Vec<_>>()
            };
            let shared = a.iter().filter_map(|(name, it)| Some((it, b.get(name)?)));
            let verdicts = guarded(|| shared.map(|(a, b)| same(a, b)).collect::<Vec<_>>());
            all(verdicts.into_iter().chain(missing(a, b)).chain(missing(b, a)))
        }
        (left, right) => Some(left == right),
    }
}

/// Patterns are mostly in the language that both dialects share.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let pattern = re2::readable(pattern)?;
    Some(re2::cached(&pattern, re2::Dialect::default()).ok()?.is_match(text))
}

fn in_range(range: &NumberRange, number: &Number) -> bool {
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
        (Measure::Characters, ValueContent::String(text)) => text.chars().count(),
        (Measure::Items, ValueContent::Sequence(elements)) => elements.len(),
        (Measure::Properties, ValueContent::Mapping(members)) => members.len(),
        _ => return true,
    };
    length.has(count as u64)
}

fn every<'v>(elements: impl Iterator<Item = &'v Value>, inner: &ValueSet) -> Option<bool> {
    all(elements.map(|it| contains(inner, it)))
}

/// Whether all are true; a single false one decides.
fn all(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for it in verdicts {
        match it {
            Some(true) => (),
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// Whether at least one is true.
fn some(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(verdicts.map(|told| told.map(|it| !it))).map(|it| !it)
}
