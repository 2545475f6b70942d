//! Sizes and durations: a number and a unit.

use tf_value::{Number, Value};

pub(super) const HELP: &str = "A size has b, kb, mb, gb or tb (of 1024); a duration ms, s, m, h, d, w, \
    M or Y, or several such as 1h30m. Bare numbers are bytes and milliseconds.";

const KB: i64 = 1024;
const SIZES: [(&str, i64); 5] =
    [("b", 1), ("kb", KB), ("mb", KB * KB), ("gb", KB * KB * KB), ("tb", KB * KB * KB * KB)];

const SECOND: i64 = 1000;
const DAY: i64 = 24 * 60 * 60 * SECOND;
/// The units of config-schema: a month is 30 days, a year 365.
const TIMES: [(&str, i64); 8] = [
    ("ms", 1),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 60 * 60 * SECOND),
    ("d", DAY),
    ("w", 7 * DAY),
    ("M", 30 * DAY),
    ("Y", 365 * DAY),
];

/// The bytes of a known size: `"10mb"`, `1024`. A size is whole and not below zero.
pub fn bytes(value: &Value) -> Option<Number> {
    let bytes = plain(value).or_else(|| {
        let (number, unit) = number_and_rest(value.as_str()?.trim())?;
        let unit = unit.trim_start().to_lowercase();
        scaled(number, SIZES.iter().find(|it| it.0 == unit)?.1)
    })?;
    (bytes.is_integer() && !bytes.is_negative()).then_some(bytes)
}

/// The milliseconds of a known duration: `"30s"`, `"1h30m"`, `1500`.
pub fn milliseconds(value: &Value) -> Option<Number> {
    plain(value).or_else(|| parts(value.as_str()?.trim())).filter(|it| !it.is_negative())
}

/// A number without a unit, also as text.
fn plain(value: &Value) -> Option<Number> {
    match (value.as_number(), value.as_str()) {
        (Some(it), _) => Some(it.clone()),
        (_, Some(text)) => is_plain(text).then(|| Number::parse(text)).flatten(),
        _ => None,
    }
}

/// Whether a number has no exponent: a measure needs none, and `1e999999999` would take too much memory.
fn is_plain(text: &str) -> bool {
    text.len() < 30 && text.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

fn parts(mut text: &str) -> Option<Number> {
    let mut sum = Number::from_i64(0);
    // Go writes each unit once, so more parts are an error.
    for _ in 0..=TIMES.len() {
        let (number, rest) = number_and_rest(text)?;
        let rest = rest.trim_start();
        let end = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (_, factor) = TIMES.iter().find(|it| it.0 == &rest[..end])?;
        sum = sum.add(&scaled(number, *factor)?).ok()?;
        text = rest[end..].trim_start();
        if text.is_empty() {
            return Some(sum);
        }
    }
    None
}

fn number_and_rest(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (!number.is_empty() && number.len() < 30).then_some((number, rest))
}

fn scaled(number: &str, factor: i64) -> Option<Number> {
    Number::parse(number)?.multiply(&Number::from_i64(factor)).ok()
}
