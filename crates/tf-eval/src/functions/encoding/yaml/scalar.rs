//! The meaning of a scalar: by its tag, or else by the form of its text.

use crate::functions::{Failure, encoding::decode_base64};
use go_compat::{time::Instant, yaml::ScalarStyle};
use release::{Release, changes};
use tf_value::{Number, Type, Value, convert};

/// The prefix of the tags that `!!` abbreviates.
pub const YAML_TAG: &str = "tag:yaml.org,2002:";

/// The characters that a plain scalar with a meaning can begin with; the empty scalar has a meaning,
/// too.
const HINTS: &str = "+-.0123456789yYnNtTfFoO~";

/// A scalar's value. The meaning of the text counts more than the tag, if the tag is one of YAML's own.
/// Quotes make a string of the text: `"yes"` is "yes". A block makes a string of the meaning: without a
/// tag it is "true".
pub(super) fn resolve(
    text: &str,
    style: ScalarStyle,
    tag: Option<&str>,
    release: Release,
) -> Result<Value, Failure> {
    let name = tag.map(|it| it.strip_prefix(YAML_TAG).unwrap_or_default());
    match name {
        Some("str") => return Ok(Value::string(text)),
        Some("binary") if decode_base64(text).is_some() => return Ok(Value::string(text)),
        None if style == ScalarStyle::Quoted => return Ok(Value::string(text)),
        Some("null" | "bool" | "int" | "float" | "timestamp" | "binary") | None => (),
        Some(_) => {
            let tag = tag.unwrap_or_default();
            return Err(Failure::Call(format!("unsupported tag {tag:?}")));
        }
    }
    if name != Some("binary") && (text.is_empty() || text.starts_with(|it| HINTS.contains(it))) {
        if style == ScalarStyle::Quoted {
            return Ok(Value::string(text));
        }
        if let Some(value) = meaning(text, matches!(name, None | Some("timestamp")), release)? {
            let is_text = name.is_none() && style == ScalarStyle::Block;
            let as_text = is_text.then(|| convert(&value, &Type::String).ok()).flatten();
            return Ok(as_text.unwrap_or(value));
        }
    }
    match name {
        None => Ok(Value::string(text)),
        Some("null") => Ok(Value::null(Type::Dynamic)),
        Some(name) => Err(Failure::Call(format!("{text:?} is not a {name}"))),
    }
}

/// The meaning of the text, if it is more than a string.
fn meaning(text: &str, may_be_time: bool, release: Release) -> Result<Option<Value>, Failure> {
    if matches!(text, "" | "~" | "null" | "Null" | "NULL") {
        return Ok(Some(Value::null(Type::Dynamic)));
    }
    if let Some(it) = boolean(text) {
        return Ok(Some(Value::bool(it)));
    }
    if !release.has(&changes::YAML_1_2_NUMBERS)
        && let Some(it) = older_number(text)
    {
        return it.map(|it| Some(Value::number(it)));
    }
    if let Some(it) = number(text)? {
        return Ok(Some(Value::number(it)));
    }
    let time = if may_be_time { timestamp(text) } else { None };
    Ok(time.map(Value::string))
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Some(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(false)
        }
        _ => None,
    }
}

/// A number: decimal with any leading zeros, `0x1f`, `0o17`, fractions, exponents and infinities.
fn number(text: &str) -> Result<Option<Number>, Failure> {
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Ok(Some(Number::infinity(false)));
        }
        "-.inf" | "-.Inf" | "-.INF" => return Ok(Some(Number::infinity(true))),
        ".nan" | ".NaN" | ".NAN" => return Err(Failure::call("NaN is not a number in Terraform")),
        _ => (),
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !is_decimal(unsigned) {
        return Ok(None);
    }
    Ok(Number::parse(text.strip_prefix('+').unwrap_or(text)))
}

/// A whole number in other releases: a sign before any base, underscores between digits. A text of that
/// form must be a number.
fn older_number(text: &str) -> Option<Result<Number, Failure>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let all = |digits: &str, base: u32| digits.chars().all(|it| it == '_' || it.is_digit(base));
    let (digits, base) = match (unsigned.strip_prefix("0x"), unsigned.strip_prefix("0o")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 8),
        _ => (unsigned, 10),
    };
    if !all(digits, base) || (base != 10 && digits.is_empty()) {
        return None;
    }
    let (text, digits) = (text.replace('_', ""), digits.replace('_', ""));
    let number = if base == 10 {
        Number::parse(text.strip_prefix('+').unwrap_or(&text))
    } else {
        // A number has 64 bits, and a sign takes one of them.
        let sign = if text.starts_with('-') { "-" } else { "" };
        let number = Number::parse_integer(&format!("{sign}{digits}"), base);
        let is_signed = text.starts_with(['-', '+']);
        number.filter(|it| it.to_i64().is_some() || (!is_signed && it.to_u64().is_some()))
    };
    Some(number.ok_or_else(|| Failure::Call(format!("{text:?} is not a number"))))
}

/// The number, if all digits are of the base. Errors: it has more than 64 bits.
fn based(digits: &str, base: u32) -> Result<Option<Number>, Failure> {
    if digits.is_empty() || !digits.chars().all(|it| it.is_digit(base)) {
        return Ok(None);
    }
    let number = Number::parse_integer(digits, base).filter(|it| it.to_u64().is_some());
    let too_large = || Failure::Call(format!("{digits} in base {base} has more than 64 bits"));
    number.map(Some).ok_or_else(too_large)
}

fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    let exponent = exponent.map(|it| it.strip_prefix(['-', '+']).unwrap_or(it));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|it| !it.is_empty() && digits(it))
}

/// A date, or a date and a time, as RFC 3339: months, days and times may lack one digit.
fn timestamp(text: &str) -> Option<String> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let time = match time {
        None => "00:00:00Z".to_owned(),
        Some(time) if text.contains(' ') => format!("{}Z", padded(time)?),
        Some(time) => padded(time)?,
    };
    let strict = format!("{year}-{}-{}T{time}", two_digits(month)?, two_digits(day)?);
    Instant::parse(&strict).ok().map(|it| it.to_string())
}

/// Hour, minute and second with two digits each, and the text behind them.
fn padded(time: &str) -> Option<String> {
    let mut parts = time.splitn(3, ':');
    let (hour, minute, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let (second, rest) = rest.split_at(end);
    let (hour, minute) = (two_digits(hour)?, two_digits(minute)?);
    Some(format!("{hour}:{minute}:{}{rest}", two_digits(second)?))
}

fn two_digits(text: &str) -> Option<String> {
    matches!(text.len(), 1 | 2).then(|| format!("{text:0>2}"))
}
