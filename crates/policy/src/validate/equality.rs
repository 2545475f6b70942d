//! Equality after Terraform's conversion: a constant `22` equals the text `"22"`.

use super::{LocatedValue, outcome::Outcome, trail, trail::Trail};
use crate::language::{Valid, Validator};
use diagnostics::Span;
use stack::guarded;
use tf_value::{Type, Value, ValueContent, convert, ops};

/// Judges a value by what it must equal.
pub(super) fn equal(
    wanted: &Value,
    at: LocatedValue<'_>,
    trail: &Trail<'_>,
    span: Span,
) -> Outcome {
    match is_equal(wanted, at.value) {
        Some(true) => Outcome::PASS,
        Some(false) => Outcome::failed(trail, trail::found(at), span),
        None => Outcome::unknown(trail, at.value, span),
    }
}

/// Whether the validator is a constant that the value certainly equals.
pub(super) fn is_wanted(validator: &Validator, value: &Value) -> bool {
    matches!(&validator.kind, Valid::Equal(wanted, None) if is_equal(wanted, value) == Some(true))
        && validator.condition.is_none()
}

/// `None` if that is not known yet.
fn is_equal(wanted: &Value, value: &Value) -> Option<bool> {
    if wanted.marks().is_undecided() || value.marks().is_undecided() {
        return None;
    }
    match (wanted.content(), value.content()) {
        // The most frequent cases need no conversion.
        (ValueContent::String(wanted), ValueContent::String(value)) => {
            return Some(wanted == value);
        }
        (ValueContent::Bool(wanted), ValueContent::Bool(value)) => return Some(wanted == value),
        _ => (),
    }
    guarded(|| match (wanted.content(), value.content()) {
        (ValueContent::Null, ValueContent::Null) => Some(true),
        (ValueContent::Unknown(_), _) | (_, ValueContent::Unknown(_)) => {
            let of_type = convert(wanted, value.ty());
            let equal = ops::equals(of_type.as_ref().unwrap_or(wanted), value);
            // While the type is not known, nothing is decided.
            let is_typed = of_type.is_ok() && *value.ty() != Type::Dynamic;
            match equal.as_bool() {
                Some(false) if is_typed || wanted.is_null() || value.is_null() => Some(false),
                _ => None,
            }
        }
        (ValueContent::Null, _) | (_, ValueContent::Null) => Some(false),
        (ValueContent::Mapping(wanted), ValueContent::Mapping(value)) => {
            let absent = Value::null(Type::Dynamic);
            let keys = wanted.keys().chain(value.keys().filter(|it| !wanted.contains_key(*it)));
            let of = |key| {
                is_equal(wanted.get(key).unwrap_or(&absent), value.get(key).unwrap_or(&absent))
            };
            all(keys.map(of))
        }
        (ValueContent::Sequence(left), ValueContent::Sequence(right)) => {
            if matches!(wanted.ty(), Type::Set(_)) || matches!(value.ty(), Type::Set(_)) {
                return same_elements(left, right);
            }
            if left.len() != right.len() {
                return Some(false);
            }
            all(left.iter().zip(right.iter()).map(|(left, right)| is_equal(left, right)))
        }
        _ => match convert(wanted, value.ty()) {
            Ok(wanted) => ops::equals(&wanted, value).as_bool(),
            Err(_) => Some(false),
        },
    })
}

/// Whether each element of one is in the other, in any order. Elements are compared one by one, so long lists
/// are undecided.
fn same_elements(left: &[Value], right: &[Value]) -> Option<bool> {
    const MOST: usize = 1000;
    if left.len().max(right.len()) > MOST {
        return None;
    }
    let is_in = |it: &Value, all: &[Value]| any(all.iter().map(|other| is_equal(it, other)));
    let one_way = all(left.iter().map(|it| is_in(it, right)));
    match one_way {
        Some(false) => Some(false),
        _ => match all(right.iter().map(|it| is_in(it, left))) {
            Some(true) => one_way,
            other => other,
        },
    }
}

fn all(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for it in each {
        match it {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => (),
        }
    }
    result
}

fn any(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(each.map(|verdict| verdict.map(|it| !it))).map(|it| !it)
}
