//! Whether one set lies within another, where their parts show that.

use super::{Length, Measure, ValueSet};
use stack::guarded;

/// The most parts of a set that are compared with those of others.
const MOST: usize = 40;

/// Whether every value of the one set is in the other. `false` proves nothing.
fn is_within(one: &ValueSet, other: &ValueSet) -> bool {
    guarded(|| match (one, other) {
        (one, other) if one == other => true,
        (ValueSet::Nothing, _) | (_, ValueSet::Anything) => true,
        (_, ValueSet::All(parts)) => parts.iter().all(|it| is_within(one, it)),
        (ValueSet::Either(parts), _) => parts.iter().all(|it| is_within(it, other)),
        (ValueSet::All(parts), other) => {
            parts.iter().any(|it| is_within(it, other))
                || matches!(other, ValueSet::Either(them) if is_within_one(one, them))
        }
        (_, ValueSet::Either(parts)) => is_within_one(one, parts),
        (
            ValueSet::Member { name, required, values },
            ValueSet::Member { name: same, required: needed, values: more },
        ) => name == same && (*required || !needed) && is_within(values, more),
        (
            ValueSet::Place { index, required, values },
            ValueSet::Place { index: same, required: needed, values: more },
        ) => index == same && (*required || !needed) && is_within(values, more),
        (
            ValueSet::Place { index, required: true, .. },
            ValueSet::Length(Measure::Items, length),
        ) => length.max.is_none() && length.min.is_none_or(|min| min <= *index as u64 + 1),
        (ValueSet::Items(one), ValueSet::Items(other))
        | (ValueSet::Values(one), ValueSet::Values(other))
        | (ValueSet::Keys(one), ValueSet::Keys(other))
        | (ValueSet::SomeItem(one), ValueSet::SomeItem(other)) => is_within(one, other),
        (ValueSet::Length(measure, length), ValueSet::Length(measured, wider)) => {
            measure == measured && is_shorter(*length, *wider)
        }
        (ValueSet::OneOf(few), ValueSet::OneOf(many)) => few.iter().all(|it| many.contains(it)),
        _ => false,
    })
}

fn is_within_one(one: &ValueSet, parts: &[ValueSet]) -> bool {
    parts.iter().any(|it| is_within(one, it))
}

fn is_shorter(one: Length, other: Length) -> bool {
    let longest = match (one.max, other.max) {
        (_, None) => true,
        (one, Some(most)) => one.is_some_and(|it| it <= most),
    };
    longest && other.min.unwrap_or(0) <= one.min.unwrap_or(0)
}

/// Drops each choice that another conjunct has made already: "A or B, and A or (B and C)" is the second.
pub(super) fn drop_wider_choices(parts: &mut Vec<ValueSet>) {
    let is_small = |it: &ValueSet| !matches!(it, ValueSet::Either(parts) if parts.len() > MOST);
    if parts.len() > MOST || !parts.iter().all(is_small) {
        return;
    }
    let mut at = 0;
    while let Some(one) = parts.get(at) {
        let is_choice = matches!(one, ValueSet::Either(_));
        let mut others = parts.iter().enumerate().filter(|(index, _)| *index != at);
        if is_choice && others.any(|(_, it)| is_within(it, one)) {
            parts.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Drops limits of a length next to a choice of lengths within them: "at most 9, and 0, 2, 4, 6 or 8" becomes
/// "0, 2, 4, 6 or 8".
pub(super) fn drop_wider_lengths(parts: &mut Vec<ValueSet>) {
    let lengths = |set: &ValueSet| match set {
        ValueSet::Either(them) => them.iter().all(|it| matches!(it, ValueSet::Length(..))),
        _ => false,
    };
    let choices: Vec<ValueSet> = parts.iter().filter(|it| lengths(it)).cloned().collect();
    parts.retain(|it| {
        !matches!(it, ValueSet::Length(..)) || !choices.iter().any(|choice| is_within(choice, it))
    });
}
