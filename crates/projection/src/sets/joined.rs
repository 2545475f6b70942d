//! Parts of a set as words join them: the limits of one thing in one, and by a length which elements a
//! list has.

use super::{
    Length, Measure, ValueSet, alternatives, contains, display::conjuncts, value_set::single_or,
};
use tf_value::{Type, Value};

/// The conjuncts: `of 3 to 63 characters`, `from 1 to 5`. `Nothing` alone where there can be no such value.
pub(super) fn together(parts: &[ValueSet], ty: &Type) -> Vec<ValueSet> {
    let parts = merged(parts.to_vec());
    let mut parts = merged(parts.into_iter().map(|it| by_length(it, ty)).collect());
    let least = parts.iter().find_map(|it| match it {
        ValueSet::Length(Measure::Items, length) => length.min,
        _ => None,
    });
    for part in &mut parts {
        if let ValueSet::Place { index, required, .. } = part {
            *required |= least.is_some_and(|it| it > *index as u64);
        }
    }
    parts
}

/// The alternatives: "at most 1 element, or element 1 is so" is "element 1, if there is one, is so".
pub(super) fn choices(parts: &[ValueSet], ty: &Type) -> Vec<ValueSet> {
    let joined =
        |it: &ValueSet| single_or(together(conjuncts(it), ty), ValueSet::Anything, ValueSet::All);
    let mut parts: Vec<ValueSet> = parts.iter().map(joined).collect();
    parts.retain(|it| *it != ValueSet::Nothing);
    let absent = |set: &ValueSet| match set {
        ValueSet::Length(Measure::Items, Length { min: None | Some(0), max }) => *max,
        _ => None,
    };
    let is_of = |set: &ValueSet, count: u64| matches!(set, ValueSet::Place { index, .. } if *index as u64 == count);
    let pair = parts.iter().enumerate().find_map(|(at, part)| {
        let count = absent(part)?;
        Some((at, parts.iter().position(|other| is_of(other, count))?))
    });
    if let Some((at, place)) = pair {
        if let ValueSet::Place { required, .. } = &mut parts[place] {
            *required = false;
        }
        parts.remove(at);
    }
    if parts.is_empty() { vec![ValueSet::Nothing] } else { parts }
}

/// A length in the place of an element that has to be there, or that cannot.
fn by_length(set: ValueSet, ty: &Type) -> ValueSet {
    let no_more =
        |measure, count| ValueSet::Length(measure, Length { min: None, max: Some(count) });
    let is_tuple = matches!(ty, Type::Tuple(_));
    match &set {
        ValueSet::Place { required: true, values, .. } if **values == ValueSet::Nothing => {
            ValueSet::Nothing
        }
        ValueSet::Place { index, required, values } if !is_tuple => match (required, &**values) {
            (true, ValueSet::Anything) => {
                ValueSet::Length(Measure::Items, Length::at_least(*index as u64 + 1))
            }
            (false, ValueSet::Nothing) => no_more(Measure::Items, *index as u64),
            _ => set,
        },
        ValueSet::Items(inner) if **inner == ValueSet::Nothing => no_more(Measure::Items, 0),
        ValueSet::Values(inner) | ValueSet::Keys(inner) if **inner == ValueSet::Nothing => {
            no_more(Measure::Properties, 0)
        }
        _ => set,
    }
}

/// The same parts, the limits of one thing in one. `Nothing` alone where there can be no such value.
fn merged(parts: Vec<ValueSet>) -> Vec<ValueSet> {
    let mut out: Vec<ValueSet> = Vec::with_capacity(parts.len());
    for part in parts {
        let is_met = out.iter_mut().any(|it| match (it, &part) {
            (ValueSet::Length(measure, length), ValueSet::Length(other, further)) => {
                let is_same = measure == other;
                if is_same {
                    *length = length.and(*further);
                }
                is_same
            }
            (ValueSet::Range(range), ValueSet::Range(further)) => {
                let is_other_side = (range.lower.is_none() || further.lower.is_none())
                    && (range.upper.is_none() || further.upper.is_none());
                if is_other_side {
                    range.lower = range.lower.take().or_else(|| further.lower.clone());
                    range.upper = range.upper.take().or_else(|| further.upper.clone());
                }
                is_other_side
            }
            (
                ValueSet::Place { index, required, values },
                ValueSet::Place { index: same, required: needed, values: more },
            ) if index == same => {
                *required |= needed;
                **values = ValueSet::all([(**values).clone(), (**more).clone()]);
                true
            }
            (ValueSet::OneOf(values), ValueSet::OneOf(others)) => {
                let Some(both) = alternatives::shared(values, others) else { return false };
                *values = both;
                true
            }
            (ValueSet::OneOf(values), ValueSet::Kind(_)) => keep(values, &part),
            (it @ ValueSet::Kind(_), ValueSet::OneOf(values)) => {
                let mut values = values.clone();
                let is_told = keep(&mut values, it);
                if is_told {
                    *it = ValueSet::OneOf(values);
                }
                is_told
            }
            _ => false,
        });
        if !is_met {
            out.push(part);
        }
    }
    let is_nothing = |it: &ValueSet| match it {
        ValueSet::Nothing => true,
        ValueSet::OneOf(values) => values.is_empty(),
        _ => false,
    };
    if out.iter().any(is_nothing) { vec![ValueSet::Nothing] } else { out }
}

/// Keeps the values that are in the set, if that is known for each. Returns whether it is.
fn keep(values: &mut Vec<Value>, set: &ValueSet) -> bool {
    let is_told = values.iter().all(|it| contains(set, it).is_some());
    if is_told {
        values.retain(|it| contains(set, it) == Some(true));
    }
    is_told
}
