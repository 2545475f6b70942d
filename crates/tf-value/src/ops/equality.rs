//! Equality as Terraform's `==` has it, and exact sameness.

use super::is_open_where_undecided;
use crate::{Marks, Refinements, Type, Value, ValueContent};
use stack::guarded;

/// Terraform's `==`. It never converts, keeps all marks, and is unknown where the answer is not known
/// yet.
///
/// Nulls are equal whatever their types; other values of different types are not. A known value that the
/// refinements of an unknown one exclude is not equal to it.
pub fn equals(left: &Value, right: &Value) -> Value {
    let mut marks = left.deep_marks() | right.deep_marks();
    let result = match compare(left, right) {
        Some(it) => {
            if marks.is_undecided() && [left, right].into_iter().all(is_open_where_undecided) {
                marks = marks.without(Marks::UNDECIDED);
            }
            Value::bool(it)
        }
        None => Value::unknown_not_null(Type::Bool),
    };
    result.with_marks(marks)
}

/// `None` where the answer is not known yet.
fn compare(left: &Value, right: &Value) -> Option<bool> {
    guarded(|| match (left.content(), right.content()) {
        (ValueContent::Null, ValueContent::Null) => Some(true),
        (ValueContent::Null, ValueContent::Unknown(_)) => never_null(right),
        (ValueContent::Unknown(_), ValueContent::Null) => never_null(left),
        (ValueContent::Null, _) | (_, ValueContent::Null) => Some(false),
        (ValueContent::Unknown(_), ValueContent::Unknown(_)) => None,
        (ValueContent::Unknown(_), _) => known_and_unknown(right, left),
        (_, ValueContent::Unknown(_)) => known_and_unknown(left, right),
        _ => known(left, right),
    })
}

/// A null does not equal a value that is surely not null.
fn never_null(unknown: &Value) -> Option<bool> {
    unknown.refinements().is_some_and(|it| it.not_null).then_some(false)
}

fn known_and_unknown(known: &Value, unknown: &Value) -> Option<bool> {
    let excluded = unknown.refinements().is_some_and(|it| excludes(it, known));
    (excluded || !known.ty().conforms_to(unknown.ty())).then_some(false)
}

/// Whether the refinements of an unknown value exclude a known one that is not null.
fn excludes(refinements: &Refinements, value: &Value) -> bool {
    let size = match value.content() {
        ValueContent::String(it) => return !it.starts_with(refinements.prefix.as_str()),
        ValueContent::Number(it) => it.clone(),
        ValueContent::Sequence(it) if value.ty().is_collection() => {
            super::Number::from_u64(it.len() as u64)
        }
        ValueContent::Mapping(it) if value.ty().is_collection() => {
            super::Number::from_u64(it.len() as u64)
        }
        _ => return false,
    };
    let below = refinements.lower.as_ref().is_some_and(|(bound, inclusive)| {
        let order = size.compare(bound);
        order.is_lt() || order.is_eq() && !inclusive
    });
    let above = refinements.upper.as_ref().is_some_and(|(bound, inclusive)| {
        let order = size.compare(bound);
        order.is_gt() || order.is_eq() && !inclusive
    });
    below || above
}

fn known(left: &Value, right: &Value) -> Option<bool> {
    let open = || has_open_type(left) || has_open_type(right);
    if left.ty() != right.ty() {
        // Types are compared first, so that a large value is not walked for each small one of another
        // type.
        let possible =
            (left.ty().conforms_to(right.ty()) || right.ty().conforms_to(left.ty())) && open();
        return if possible { None } else { Some(false) };
    }
    match (open(), left.ty().has_dynamic()) {
        (true, _) => None,
        (false, true) => contents(left, right, compare),
        (false, false) => contents(left, right, typed),
    }
}

/// Like [`compare`], for values of one completely known type, so the types need no comparison.
fn typed(left: &Value, right: &Value) -> Option<bool> {
    if left.is_null() || right.is_null() || !left.is_known() || !right.is_known() {
        return compare(left, right);
    }
    guarded(|| contents(left, right, typed))
}

type Compare = fn(&Value, &Value) -> Option<bool>;

/// Compares known values of one type, their elements by `compare`.
fn contents(left: &Value, right: &Value, compare: Compare) -> Option<bool> {
    match (left.content(), right.content()) {
        (ValueContent::Sequence(a), ValueContent::Sequence(b)) => match left.ty() {
            Type::Set(_) => sets(a, b, compare),
            _ if a.len() != b.len() => Some(false),
            _ => ordered(a.iter().zip(b.iter()), compare),
        },
        (ValueContent::Mapping(a), ValueContent::Mapping(b)) => {
            if !a.keys().eq(b.keys()) {
                return Some(false);
            }
            unordered(a.values().zip(b.values()), compare)
        }
        (a, b) => Some(a == b),
    }
}

/// Compares pairs in order; the first that differs, or is undecided, decides.
fn ordered<'a>(
    pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    compare: Compare,
) -> Option<bool> {
    for (left, right) in pairs {
        match compare(left, right) {
            Some(true) => (),
            other => return other,
        }
    }
    Some(true)
}

/// Compares pairs in any order; one that differs decides. (Terraform takes the pairs in random order and
/// stops at the first that differs or is undecided.)
fn unordered<'a>(
    pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    compare: Compare,
) -> Option<bool> {
    let mut result = Some(true);
    for (left, right) in pairs {
        match compare(left, right) {
            Some(true) => (),
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

/// Compares sets whose own elements are all known: they are equal if each has the other's elements.
fn sets(left: &[Value], right: &[Value], compare: Compare) -> Option<bool> {
    if left.iter().chain(right).any(|it| !it.is_known()) {
        return None;
    }
    let same = |(a, b): (&Value, &Value)| compare(a, b) == Some(true);
    if left.len() == right.len() && left.iter().zip(right).all(same) {
        return Some(true);
    }
    let has = |set: &[Value], wanted: &Value| set.iter().any(|it| same((it, wanted)));
    Some(left.iter().all(|it| has(right, it)) && right.iter().all(|it| has(left, it)))
}

/// Whether a value of known content has a part of unknown type.
fn has_open_type(value: &Value) -> bool {
    value.ty().has_dynamic()
        && guarded(|| match value.content() {
            ValueContent::Unknown(_) => true,
            ValueContent::Sequence(elements) => elements.iter().any(has_open_type),
            ValueContent::Mapping(elements) => elements.values().any(has_open_type),
            _ => false,
        })
}
