//! Judges a single value: a text, a number, a bool, or a text of some form.

use super::formats;
use crate::language::{Bounds, Valid, bytes, milliseconds};
use release::Constraints;
use tf_eval::functions::grapheme_count;
use tf_value::{Number, Type, Value, ValueContent, convert};

/// Whether a value that is not null is of this kind; `None` where it is not known enough.
pub(super) fn is_valid(kind: &Valid, value: &Value) -> Option<bool> {
    if !value.is_known() {
        return of_unknown(kind, value);
    }
    if matches!(value.content(), ValueContent::Sequence(_) | ValueContent::Mapping(_)) {
        return Some(false);
    }
    Some(match kind {
        Valid::Number { bounds, integer } => convert(value, &Type::Number).is_ok_and(|value| {
            value.as_number().is_some_and(|it| bounds.hold(it) && (!integer || it.is_integer()))
        }),
        Valid::Bool => convert(value, &Type::Bool).is_ok(),
        Valid::ByteSize(bounds) => within(bounds, bytes(value)),
        Valid::Duration(bounds) => within(bounds, milliseconds(value)),
        _ => {
            let text = convert(value, &Type::String).ok();
            text.as_ref().and_then(Value::as_str).is_some_and(|it| is_text(kind, it))
        }
    })
}

/// The hint for an author who confused kinds of values. The `version` of a `module` block is a constraint
/// (`"~> 5.0"`), but `version("~> 5.0")` judges versions.
pub(super) fn help(kind: &Valid, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let is_constraint = matches!(kind, Valid::Version(_))
        && formats::version(text).is_none()
        && Constraints::parse(text).is_some();
    is_constraint
        .then(|| format!("{text:?} is a version constraint, not a version: compare it as a string"))
}

/// Judges an unknown value that is not null, by its type alone.
fn of_unknown(kind: &Valid, value: &Value) -> Option<bool> {
    let is_free = |it: &Bounds| it.min.is_none() && it.max.is_none();
    match (kind, value.ty()) {
        (Valid::String { length, pattern: None }, Type::String | Type::Number | Type::Bool)
            if is_free(length) =>
        {
            Some(true)
        }
        (Valid::Number { bounds, integer: false }, Type::Number) if is_free(bounds) => Some(true),
        (Valid::Bool, Type::Bool) => Some(true),
        _ => None,
    }
}

fn within(bounds: &Bounds, measure: Option<Number>) -> bool {
    measure.is_some_and(|it| bounds.hold(&it))
}

fn is_text(kind: &Valid, text: &str) -> bool {
    match kind {
        Valid::String { length, pattern } => {
            let free = length.min.is_none() && length.max.is_none();
            let count = || Number::from_u64(grapheme_count(text) as u64);
            (free || length.hold(&count())) && pattern.as_ref().is_none_or(|it| it.is_match(text))
        }
        Valid::Hostname => formats::is_hostname(text),
        Valid::Uri(schemes) => formats::scheme(text).is_some_and(|scheme| {
            schemes.is_empty() || schemes.iter().any(|it| it.eq_ignore_ascii_case(scheme))
        }),
        Valid::Ip => text.parse::<std::net::IpAddr>().is_ok(),
        Valid::Cidr => formats::is_cidr(text),
        Valid::Base64 => formats::is_base64(text),
        Valid::Version(constraints) => {
            formats::version(text).is_some_and(|it| constraints.allow(it))
        }
        _ => false,
    }
}
