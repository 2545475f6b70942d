//! Formatting of values.

use crate::functions::{Failure, Host, grapheme_count, graphemes};
use go_compat::fmt::{self, FormatPart, Parts, Verb, quoted_char};
use tf_value::{Number, NumberStyle, Type, Value, convert, json::value_to_json, quoted};

/// The format with its verbs replaced by values, which are all known. Errors: in the order of the
/// format; last, arguments that no verb reads.
pub(super) fn render(host: &dyn Host, format: &str, values: &[Value]) -> Result<String, Failure> {
    let mut out = String::new();
    let mut parts = Parts::new(format);
    let mut next = 1_usize;
    let mut used = 0;
    while let Some(part) = parts.next_part()? {
        match part {
            FormatPart::Text(text) => out.push_str(text),
            FormatPart::Verb(verb) => {
                let number = verb.argument.unwrap_or(next);
                let Some(value) = values.get(number - 1) else {
                    return Err(missing(&verb, number, values.len()));
                };
                host.spend(4 + verb.width.max(verb.precision).unwrap_or(0) as u64 / 4)?;
                let text = formatted(&verb, value)?;
                host.spend(text.len() as u64 / 16)?;
                out.push_str(&text);
                used = used.max(number);
                next = number + 1;
            }
        }
    }
    if used < values.len() {
        let reached = match used {
            0 => "no verbs in format string".to_owned(),
            _ => format!("only {used} used by format string"),
        };
        return Err(Failure::argument(used + 1, format!("too many arguments; {reached}")));
    }
    Ok(out)
}

fn missing(verb: &Verb<'_>, number: usize, count: usize) -> Failure {
    let (raw, offset) = (quoted(verb.raw), verb.offset);
    Failure::call(format!(
        "not enough arguments for {raw} at {offset}: need index {number} but have {count} total"
    ))
}

fn formatted(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    if verb.mode != 'v' && value.is_null() {
        return Err(unsupported(verb, "null value cannot be formatted"));
    }
    match verb.mode {
        'v' => as_is(verb, value),
        't' => bool(verb, value),
        'b' | 'd' | 'o' | 'x' | 'X' => integer(verb, value),
        'e' | 'E' | 'f' | 'g' | 'G' => float(verb, value),
        's' | 'q' => string(verb, value),
        mode => {
            let (mode, raw, offset) = (quoted_char(mode), quoted(verb.raw), verb.offset);
            let message = format!("unsupported format verb {mode} in {raw} at offset {offset}");
            Err(Failure::call(message))
        }
    }
}

/// `%v`: strings and numbers as plain text, other values as JSON; with `#` all as JSON.
fn as_is(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    if !verb.sharp {
        if let Some(text) = value.as_str() {
            return Ok(padded(verb, text));
        }
        if let Some(number) = value.as_number() {
            return Ok(padded(verb, &number.to_text(NumberStyle::General, None)));
        }
    }
    let json = value_to_json(value).map_err(|it| unsupported(verb, &it))?;
    Ok(padded(verb, &json))
}

/// `%t` ignores the width.
fn bool(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    Ok(converted(verb, value, &Type::Bool)?.as_bool().unwrap_or_default().to_string())
}

fn integer(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    let value = converted(verb, value, &Type::Number)?;
    let whole = value.as_number().filter(|it| it.is_integer()).and_then(Number::to_bigint);
    match whole {
        Some(whole) => Ok(fmt::integer(verb, &whole)),
        None => Err(unsupported(verb, "an integer is required")),
    }
}

fn float(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    let value = converted(verb, value, &Type::Number)?;
    Ok(value.as_number().map(|it| fmt::float(verb, it)).unwrap_or_default())
}

/// `%s` and `%q`: a precision other than zero cuts the text before it is quoted.
fn string(verb: &Verb<'_>, value: &Value) -> Result<String, Failure> {
    let value = converted(verb, value, &Type::String)?;
    let text = value.as_str().unwrap_or_default();
    let cut: String = match verb.precision {
        Some(most @ 1..) => graphemes(text).take(most).collect(),
        _ => text.to_owned(),
    };
    if verb.mode == 's' {
        return Ok(padded(verb, &cut));
    }
    let json = value_to_json(&Value::string(cut)).map_err(|it| unsupported(verb, &it))?;
    Ok(padded(verb, &json))
}

fn converted(verb: &Verb<'_>, value: &Value, ty: &Type) -> Result<Value, Failure> {
    convert(value, ty).map_err(|it| unsupported(verb, &it.reason))
}

fn unsupported(verb: &Verb<'_>, reason: &str) -> Failure {
    let (raw, offset) = (quoted(verb.raw), verb.offset);
    Failure::call(format!("unsupported value for {raw} at {offset}: {reason}"))
}

/// Padded to the verb's width in grapheme clusters.
fn padded(verb: &Verb<'_>, text: &str) -> String {
    let Some(width) = verb.width else { return text.to_owned() };
    let missing = width.saturating_sub(grapheme_count(text));
    let padding = if verb.zero { "0" } else { " " }.repeat(missing);
    if verb.minus { format!("{text}{padding}") } else { format!("{padding}{text}") }
}
