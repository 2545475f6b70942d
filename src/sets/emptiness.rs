//! Whether a set has no value: of a type, null left aside.

use super::{Length, Limit, Measure, ValueSet, contains::contains};
use crate::value::{Type, Value};

/// `true` only where no value of the type is in. `false` proves nothing.
pub fn is_empty(constraint: &ValueSet, ty: &Type) -> bool {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match constraint {
        ValueSet::Nothing => true,
        ValueSet::OneOf(values) => values.iter().all(Value::is_null),
        ValueSet::Either(parts) => parts.iter().all(|it| is_empty(it, ty)),
        ValueSet::All(parts) => {
            parts.iter().any(|it| is_empty(it, ty)) || is_contradiction(parts, ty)
        }
        ValueSet::Range(_) | ValueSet::Length(..) => {
            is_contradiction(std::slice::from_ref(constraint), ty)
        }
        ValueSet::Member { name, required, values } => match ty {
            Type::Object(object) if *required || !object.optional.contains(name) => {
                object.attributes.get(name).is_some_and(|ty| is_empty(values, ty))
            }
            Type::Map(element) => *required && is_empty(values, element),
            _ => false,
        },
        _ => false,
    })
}

/// Whether the parts leave nothing to each other: limits that cross, or members of an enumeration that
/// the others refuse.
fn is_contradiction(parts: &[ValueSet], ty: &Type) -> bool {
    let choices = parts.iter().find_map(|it| match it {
        ValueSet::OneOf(values) => Some(values),
        _ => None,
    });
    if let Some(values) = choices
        && ty.is_primitive()
    {
        let is_refused = |value: &Value| {
            value.is_null() || parts.iter().any(|it| contains(it, value) == Some(false))
        };
        return values.iter().all(is_refused);
    }
    match ty {
        Type::Number => limits_cross(parts),
        Type::String => lengths_cross(parts, Measure::Characters),
        Type::List(_) | Type::Set(_) => lengths_cross(parts, Measure::Items),
        Type::Map(_) => lengths_cross(parts, Measure::Properties),
        _ => false,
    }
}

fn limits_cross(parts: &[ValueSet]) -> bool {
    let ranges = || {
        parts.iter().filter_map(|it| match it {
            ValueSet::Range(it) => Some(it),
            _ => None,
        })
    };
    let crosses = |lower: &Limit, upper: &Limit| {
        let order = lower.value.compare(&upper.value);
        order.is_gt() || order.is_eq() && !(lower.inclusive && upper.inclusive)
    };
    let lowers = ranges().filter_map(|it| it.lower.as_ref());
    let uppers = || ranges().filter_map(|it| it.upper.as_ref());
    lowers.into_iter().any(|lower| uppers().any(|upper| crosses(lower, upper)))
}

fn lengths_cross(parts: &[ValueSet], measure: Measure) -> bool {
    let lengths = parts.iter().filter_map(|it| match it {
        ValueSet::Length(of, length) if *of == measure => Some(*length),
        _ => None,
    });
    let both = lengths.fold(Length::default(), |all, it| Length {
        min: all.min.max(it.min),
        max: all.max.into_iter().chain(it.max).min(),
    });
    both.min.zip(both.max).is_some_and(|(min, max)| min > max)
}
