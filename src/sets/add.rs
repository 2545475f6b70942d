//! Adds a conjunct or an alternative to others, and merges it with one of them if possible.

use super::ValueSet;
use crate::value::Value;

/// Adds a conjunct; two forbidden enumerations become one.
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
        other => parts.push(other),
    }
}

/// The part about the member of that name: whether it is required, and its values.
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
    for value in new {
        if !values.contains(&value) {
            values.push(value);
        }
    }
}
