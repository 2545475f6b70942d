//! Removes parts of unions and intersections that add nothing to them.

use super::{Kind, Length, Measure, ValueSet};
use crate::sets::{
    alternatives::enumerated,
    index::{MANY, Places},
};
use stack::guarded;
use tf_value::Value;

/// The alternatives of a union.
pub fn alternatives(parts: &mut Vec<ValueSet>) {
    // The next three steps change intersections alone, and most unions have none. They compare each part with each.
    if parts.len() <= MANY && parts.iter().any(|it| matches!(it, ValueSet::All(_))) {
        for index in 0..parts.len() {
            if let Some(known) = parts.get(index).cloned() {
                parts.iter_mut().for_each(|it| without_complement(it, &known));
            }
        }
        unite(parts);
        absorb(parts);
    }
    // An empty collection meets every constraint on its elements.
    let empty = parts.iter().find_map(|it| match it {
        ValueSet::Length(measure, Length { min: None | Some(0), max: Some(0) }) => Some(*measure),
        _ => None,
    });
    let Some(measure) = empty else { return };
    let is_empty = |it: &ValueSet| matches!(it, ValueSet::Length(of, Length { max: Some(0), .. }) if *of == measure);
    let is_some =
        |it: &ValueSet| *it == ValueSet::Length(measure, Length { min: Some(1), max: None });
    let of_each = |set: &ValueSet| match set {
        ValueSet::All(inner) => inner.iter().all(|it| is_some(it) || holds_for_none(it)),
        one => holds_for_none(one),
    };
    if !parts.iter().any(of_each) {
        return;
    }
    parts.retain(|it| !is_empty(it));
    for part in parts.iter_mut().filter(|it| of_each(it)) {
        if let ValueSet::All(inner) = part {
            let rest = inner.iter().filter(|it| !is_some(it)).cloned();
            *part = ValueSet::all(rest);
        }
    }
}

/// Whether each value is in one of the alternatives.
pub fn is_everything(parts: &[ValueSet]) -> bool {
    if parts.iter().any(ValueSet::is_everything) {
        return true;
    }
    if parts.len() <= MANY {
        return parts.iter().any(|it| parts.iter().any(|other| it.completes(other)));
    }
    // A complement is looked for. Of lengths and ranges only the longest ones of each side can meet; where there are
    // many of them, that they do is not seen.
    let places = Places::of(parts);
    let is_there = |it: &ValueSet| places.alike(it).iter().any(|at| parts.get(*at) == Some(it));
    parts.iter().any(|it| matches!(it, ValueSet::Not(inner) if is_there(inner)))
}

/// Joins two halves of one set, and lengths of one kind of value that overlap or lie side by side.
fn unite(parts: &mut Vec<ValueSet>) {
    let mut at = 0;
    while let Some(one) = parts.get(at) {
        let mut behind = parts.iter().enumerate().skip(at + 1);
        match behind.find_map(|(index, other)| Some((index, united(one, other)?))) {
            Some((index, both)) => {
                parts.remove(index);
                parts[at] = both;
            }
            None => at += 1,
        }
    }
}

fn united(one: &ValueSet, other: &ValueSet) -> Option<ValueSet> {
    halves(one, other).or_else(|| lengths(one, other))
}

/// "A and B, or A and not B" is "A".
fn halves(one: &ValueSet, other: &ValueSet) -> Option<ValueSet> {
    let (ValueSet::All(one), ValueSet::All(other)) = (one, other) else { return None };
    if one.len() != other.len() {
        return None;
    }
    let mut own = one.iter().filter(|it| !other.contains(it));
    let mut others = other.iter().filter(|it| !one.contains(it));
    let (half, rest) = (own.next()?, others.next()?);
    let is_all = own.next().is_none() && others.next().is_none();
    let is_whole = is_all && (half.completes(rest) || rest.completes(half));
    is_whole.then(|| ValueSet::all(one.iter().filter(|it| *it != half).cloned()))
}

fn lengths(one: &ValueSet, other: &ValueSet) -> Option<ValueSet> {
    let (kind, measure, length) = sized(one)?;
    let (of_kind, measured, further) = sized(other)?;
    if (kind, measure) != (of_kind, measured) {
        return None;
    }
    let is_behind = |low: Length, high: Length| {
        low.max.is_none_or(|max| high.min.unwrap_or(0) <= max.saturating_add(1))
    };
    let min = length.min.unwrap_or(0).min(further.min.unwrap_or(0));
    let max = length.max.zip(further.max).map(|(one, other)| one.max(other));
    let all = match (min, max) {
        _ if !is_behind(length, further) || !is_behind(further, length) => return None,
        (0, None) => ValueSet::Anything,
        (min, max) => {
            let min = Some(min).filter(|it| *it > 0);
            ValueSet::Length(measure, Length { min, max })
        }
    };
    Some(ValueSet::all([ValueSet::Kind(kind), all]))
}

/// The kind and length of values of one kind with limited length, as it is written for a value of any type.
fn sized(set: &ValueSet) -> Option<(Kind, Measure, Length)> {
    match set {
        ValueSet::All(parts) => match parts.as_slice() {
            [ValueSet::Kind(kind), ValueSet::Length(measure, length)] => {
                Some((*kind, *measure, *length))
            }
            _ => None,
        },
        _ => None,
    }
}

/// "A, or B and not A" is "A or B".
fn without_complement(part: &mut ValueSet, known: &ValueSet) {
    let ValueSet::All(inner) = part else { return };
    let is_complement = |it: &ValueSet| match (it, known) {
        (ValueSet::Not(it), ValueSet::OneOf(values)) => {
            matches!(&**it, ValueSet::OneOf(few) if few.iter().all(|it| values.contains(it)))
        }
        (ValueSet::Not(it), known) => **it == *known,
        (it, known) => is_other_member(it, known),
    };
    // So is "A, or B and (C or not A)".
    let is_implied = |set: &ValueSet| match set {
        ValueSet::Either(parts) => {
            parts.iter().any(|it| it.completes(known) || known.completes(it))
        }
        one => is_complement(one),
    };
    if inner.iter().any(is_implied) {
        let rest = inner.iter().filter(|it| !is_implied(it)).cloned();
        *part = ValueSet::all(rest);
    }
}

/// "A, or A and B" is "A".
fn absorb(parts: &mut Vec<ValueSet>) {
    let is_inside = |it: &ValueSet| match it {
        ValueSet::All(inner) => inner.iter().any(|conjunct| parts.contains(conjunct)),
        _ => false,
    };
    let mut inside = parts.iter().map(is_inside).collect::<Vec<_>>().into_iter();
    parts.retain(|_| !inside.next().unwrap_or_default());
}

/// Whether every object is in exactly one of the two: one set's constraint on a member excludes the other's.
/// Null may be in both, but never in neither: the null of an attribute counts as its absence, that of an input
/// does not.
pub fn is_other_member(one: &ValueSet, other: &ValueSet) -> bool {
    let ValueSet::Member { name, required, values } = one else { return false };
    let ValueSet::Member { name: same, required: needed, values: excluded } = other else {
        return false;
    };
    let complement = || without_null((**values).clone().negated());
    let has_null = values.accepts_null() || excluded.accepts_null();
    name == same
        && has_null
        && required != needed
        && complement() == without_null((**excluded).clone())
}

/// Removes null from an enumeration, or from a forbidden one.
pub fn without_null(set: ValueSet) -> ValueSet {
    match set {
        ValueSet::OneOf(values) => {
            let values: Vec<Value> = values.into_iter().filter(|it| !it.is_null()).collect();
            if values.is_empty() { ValueSet::Nothing } else { ValueSet::OneOf(values) }
        }
        ValueSet::Not(inner) => without_null(*inner).negated(),
        other => other,
    }
}

/// Whether an array or object without elements is in.
fn holds_for_none(constraint: &ValueSet) -> bool {
    matches!(
        constraint,
        ValueSet::Items(_)
            | ValueSet::ItemsFrom(..)
            | ValueSet::Values(_)
            | ValueSet::Keys(_)
            | ValueSet::ValuesBeside(..)
            | ValueSet::ValuesMatching(..)
            | ValueSet::Unique
    )
}

/// Whether it refuses collections and nothing else.
fn is_no_collection(constraint: &ValueSet) -> bool {
    fn is_collection(it: &ValueSet) -> bool {
        match it {
            ValueSet::Kind(kind) => matches!(kind, Kind::Array | Kind::Object),
            ValueSet::Either(parts) => parts.iter().all(is_collection),
            _ => false,
        }
    }
    matches!(constraint, ValueSet::Not(inner) if is_collection(inner))
}

/// The values of an enumeration.
fn choices(set: &ValueSet) -> Option<&Vec<Value>> {
    if let ValueSet::OneOf(values) = set { Some(values) } else { None }
}

/// Removes forbidden values from the choices of an intersection; `false` where no choice is left.
pub fn conjuncts(parts: &mut Vec<ValueSet>) -> bool {
    if parts.iter().filter_map(choices).any(Vec::is_empty) {
        return false;
    }
    let is_scalar = |it: &Value| it.ty().is_primitive();
    let forbidden = |set: &ValueSet| match set {
        ValueSet::Not(inner) => choices(inner).filter(|it| it.iter().all(is_scalar)).cloned(),
        _ => None,
    };
    if !parts.iter().find_map(choices).is_some_and(|it| it.iter().all(is_scalar)) {
        return true;
    }
    parts.retain(|it| !is_no_collection(it));
    let gone: Vec<Value> = parts.iter().filter_map(forbidden).flatten().collect();
    if gone.is_empty() {
        return true;
    }
    parts.retain(|it| forbidden(it).is_none());
    parts.iter_mut().find_map(enumerated).is_none_or(|left| {
        left.retain(|it| !gone.contains(it));
        !left.is_empty()
    })
}

/// Removes "not null" next to a set that null is not in: an object is not null.
pub fn not_null(parts: &mut Vec<ValueSet>) {
    let is_not_null = |it: &ValueSet| matches!(it, ValueSet::Not(inner) if inner.is_only_null());
    if parts.iter().any(|it| !is_not_null(it) && !it.accepts_null()) {
        parts.retain(|it| !is_not_null(it));
    }
}

impl ValueSet {
    /// Whether it has lengths of "at least 0".
    pub fn has_zero_minimums(&self) -> bool {
        guarded(|| {
            matches!(self, ValueSet::Length(_, Length { min: Some(0), .. }))
                || self.children().iter().any(ValueSet::has_zero_minimums)
        })
    }

    /// The same set without lengths of "at least 0": `minItems: 0, maxItems: 3` is `maxItems: 3`.
    pub fn drop_zero_minimums(&mut self) {
        guarded(|| {
            if let ValueSet::Length(_, Length { min: min @ Some(0), max }) = self {
                *min = None;
                if max.is_none() {
                    *self = ValueSet::Anything;
                }
            }
            self.children_mut().iter_mut().for_each(ValueSet::drop_zero_minimums);
        });
    }
}

// Whether one set lies within another, where their parts show that.

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
    let choices = parts.iter().filter(|it| lengths(it));
    let choices: Vec<ValueSet> = choices.take(MOST).cloned().collect();
    parts.retain(|it| {
        !matches!(it, ValueSet::Length(..)) || !choices.iter().any(|choice| is_within(choice, it))
    });
}
