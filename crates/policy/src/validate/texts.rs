//! Judges a single value: a text, a number, a bool, or a text of some form.

use std::{net::IpAddr, sync::Arc};

use super::{LocatedValue, ValueJudge, trail};
use crate::{
    language::{Bounds, Valid, Validator, bytes, milliseconds},
    validate::{outcome::Outcome, trail::Trail},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use diagnostics::{FileId, Span};
use hcl::json;
use release::{Constraints, Version};
use tf_eval::functions::grapheme_count;
use tf_value::{Number, Type, Value, ValueContent, convert, json::value_from_json};

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
        && version(text).is_none()
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
        Valid::Hostname => is_hostname(text),
        Valid::Uri(schemes) => scheme(text).is_some_and(|scheme| {
            schemes.is_empty() || schemes.iter().any(|it| it.eq_ignore_ascii_case(scheme))
        }),
        Valid::Ip => text.parse::<std::net::IpAddr>().is_ok(),
        Valid::Cidr => is_cidr(text),
        Valid::Base64 => is_base64(text),
        Valid::Version(constraints) => version(text).is_some_and(|it| constraints.allow(it)),
        _ => false,
    }
}

// Texts of some form: host names, URIs, networks, versions, JSON.

/// RFC 1123: labels of letters, digits and inner hyphens, at most 63 long, 253 in all.
fn is_hostname(text: &str) -> bool {
    let is_label = |text: &str| {
        (1..=63).contains(&text.len())
            && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

/// The scheme of a URI (RFC 3986); `None` if the text is not a URI.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let is_of_scheme = |it: u8| it.is_ascii_alphanumeric() || b"+-.".contains(&it);
    let is_scheme =
        scheme.starts_with(|it: char| it.is_ascii_alphabetic()) && scheme.bytes().all(is_of_scheme);
    (is_scheme && is_rest(rest)).then_some(scheme)
}

/// Whether it has only characters of a URI, each percent sign is followed by two digits, only one `#` begins
/// the fragment, and brackets enclose an address.
fn is_rest(rest: &str) -> bool {
    let (hierarchy, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = hierarchy.split_once('?').unwrap_or((hierarchy, ""));
    let is_plain = |text: &str, extra: &[u8]| {
        let bytes = text.as_bytes();
        bytes.iter().enumerate().all(|(at, it)| match it {
            b'%' => bytes
                .get(at + 1..at + 3)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
            it => {
                it.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=:@/".contains(it)
                    || extra.contains(it)
            }
        })
    };
    if !is_plain(query, b"?") || !is_plain(fragment, b"?") {
        return false;
    }
    let Some(authority) = hierarchy.strip_prefix("//") else { return is_plain(hierarchy, b"") };
    let (authority, trail) = authority.split_at(authority.find('/').unwrap_or(authority.len()));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((address, port)) => {
            if address.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            ("", port.strip_prefix(':').or((port.is_empty()).then_some("")))
        }
        None => match host.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host, Some("")),
        },
    };
    let is_port = port.is_some_and(|part| part.bytes().all(|it| it.is_ascii_digit()));
    is_port
        && is_plain(user, b"")
        && !user.contains(['@', '/'])
        && is_plain(host, b"")
        && !host.contains([':', '@'])
        && is_plain(trail, b"")
}

/// An address, a slash and the length of a prefix, as Go reads it.
fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let Ok(address) = address.parse::<IpAddr>() else { return false };
    let most = if address.is_ipv4() { 32 } else { 128 };
    let is_number = !length.is_empty() && length.bytes().all(|it| it.is_ascii_digit());
    let is_short = length == "0" || !length.starts_with('0');
    is_number && is_short && length.parse::<u32>().is_ok_and(|it| it <= most)
}

fn is_base64(text: &str) -> bool {
    STANDARD.decode(text).is_ok()
}

/// The numbers of a version: `1.29.3-gke.100` is judged as 1.29.3.
pub(super) fn version(text: &str) -> Option<Version> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| text.parse().ok())?
    };
    let numbers: Vec<u32> = text[..end].split('.').map(number).collect::<Option<_>>()?;
    let part = |at: usize| numbers.get(at).copied().unwrap_or(0);
    (numbers.len() <= 3).then(|| Version::new(part(0), part(1), part(2)))
}

impl ValueJudge<'_> {
    pub(super) fn json(
        &self,
        inner: Option<&Arc<Validator>>,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        if !at.value.is_known() {
            return Outcome::unknown(trail, at.value, span);
        }
        let Some(text) = at.value.as_str() else {
            return Outcome::failed(trail, trail::found(at), span);
        };
        if self.meter.spend(text.len() as u64 / 8).is_err() {
            self.is_exceeded.set(true);
            return Outcome::undecided(trail, crate::validate::TOO_MUCH.to_owned(), span);
        }
        let (tree, problems) = json::parse(FileId::default(), text.as_bytes());
        if !problems.is_empty() {
            return Outcome::failed(trail, "a string that is not JSON".to_owned(), span);
        }
        let Some(inner) = inner else { return Outcome::PASS };
        let (value, _) = value_from_json(&tree);
        if value.is_null() {
            return self.judge(inner, LocatedValue { value: &value, ..at }, trail);
        }
        let value: Value = value.with_marks(at.value.marks());
        let prior = Value::unknown(tf_value::Type::Dynamic);
        let around = crate::validate::Around { prior: &prior, parent: &value, ..at.around };
        self.judge(inner, LocatedValue { around, ..at.of(&value) }, trail)
    }
}
