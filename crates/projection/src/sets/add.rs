//! Adds a conjunct or an alternative to others, and merges it with one of them if possible.

use std::collections::HashMap;

use super::{ValueSet, contains};
use tf_value::{Value, ValueContent};

/// The most pairs of values that are compared to intersect two enumerations.
const PAIRS: usize = 250_000;

/// Below this number of new values each is compared with all others.
const FEW: usize = 32;

/// Adds a conjunct; two enumerations become one, and so do two that are forbidden.
pub(super) fn conjunct(parts: &mut Vec<ValueSet>, new: ValueSet) {
    if parts.contains(&new) {
        return;
    }
    match new {
        ValueSet::Member { name, required, values } => match member_of(parts, &name) {
            Some((needed, old)) => {
                *needed |= required;
                let before = std::mem::replace(old, ValueSet::Anything);
                *old = ValueSet::all([before, *values]);
            }
            None => parts.push(ValueSet::Member { name, required, values }),
        },
        ValueSet::Not(inner) => {
            let forbidden = parts.iter_mut().find_map(|it| match it {
                ValueSet::Not(other) => enumerated(other),
                _ => None,
            });
            match (*inner, forbidden) {
                (ValueSet::OneOf(values), Some(others)) => add_values(others, values),
                (inner, _) => parts.push(ValueSet::Not(Box::new(inner))),
            }
        }
        ValueSet::OneOf(values) => {
            let mut choices = parts.iter_mut().filter_map(enumerated);
            let is_taken = choices.any(|others| match shared(others, &values) {
                Some(both) => {
                    *others = both;
                    true
                }
                None => false,
            });
            if !is_taken {
                parts.push(ValueSet::OneOf(values));
            }
        }
        other => parts.push(other),
    }
}

/// The values that are in both, in the order of the first; `None` if that is unknown for one of them.
pub(super) fn shared(values: &[Value], others: &[Value]) -> Option<Vec<Value>> {
    if values.len().saturating_mul(others.len()) > PAIRS {
        return None;
    }
    let others = ValueSet::OneOf(others.to_vec());
    let mut both = Vec::new();
    for value in values {
        if contains(&others, value)? {
            both.push(value.clone());
        }
    }
    Some(both)
}

/// Whether the member of that name is required, and its values, in the part that speaks of it.
fn member_of<'p>(
    parts: &'p mut [ValueSet],
    member: &str,
) -> Option<(&'p mut bool, &'p mut ValueSet)> {
    parts.iter_mut().find_map(|it| match it {
        ValueSet::Member { name, required, values } if name == member => {
            Some((required, values.as_mut()))
        }
        _ => None,
    })
}

/// The values of an enumeration, to be changed.
pub(super) fn enumerated(set: &mut ValueSet) -> Option<&mut Vec<Value>> {
    if let ValueSet::OneOf(values) = set { Some(values) } else { None }
}

/// Adds a disjunct; two enumerations become one.
pub(super) fn alternative(parts: &mut Vec<ValueSet>, new: ValueSet) {
    if parts.contains(&new) {
        return;
    }
    match new {
        ValueSet::Member { name, required, values } => match member_of(parts, &name) {
            Some((needed, old)) => {
                *needed &= required;
                let null = old.accepts_null() || values.accepts_null();
                let before = std::mem::replace(old, ValueSet::Nothing);
                let both = ValueSet::either([before, *values]);
                *old = if null { both.with_null() } else { both };
            }
            None => parts.push(ValueSet::Member { name, required, values }),
        },
        ValueSet::OneOf(values) => match parts.iter_mut().find_map(enumerated) {
            Some(others) => add_values(others, values),
            None => parts.push(ValueSet::OneOf(values)),
        },
        other => parts.push(other),
    }
}

fn add_values(values: &mut Vec<Value>, new: Vec<Value>) {
    if new.len() < FEW {
        for value in new {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        return;
    }
    let mut places: HashMap<String, Vec<usize>> = HashMap::default();
    for (at, it) in values.iter().enumerate() {
        places.entry(text(it)).or_default().push(at);
    }
    for value in new {
        let alike = places.entry(text(&value)).or_default();
        if !alike.iter().any(|at| values[*at] == value) {
            alike.push(values.len());
            values.push(value);
        }
    }
}

/// A text that equal values share.
fn text(value: &Value) -> String {
    match value.content() {
        ValueContent::String(it) => it.to_string(),
        ValueContent::Number(it) if it.is_zero() => String::new(),
        ValueContent::Number(it) => it.identity(),
        _ => String::new(),
    }
}
