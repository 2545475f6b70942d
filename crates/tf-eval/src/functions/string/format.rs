//! `format` and `formatlist`.

use super::text;
use crate::functions::{
    CallContext, Failure, Function, Host, Param, ReturnType, Ty, grapheme_count, graphemes,
};
use go_compat::fmt::{self, FormatPart, Parts, Verb, quoted_char};
use release::changes;
use tf_value::{
    Number, NumberStyle, Refinements, Type, Value, convert, json::value_to_json, quoted,
};

const FORMAT_PARAM: Param = Param::new("format", Ty::String);
const ARGS: Param =
    Param::new("args", Ty::Any).null().unknown().dynamic_since(&changes::FORMAT_NULL);

pub const FORMAT: Function = Function::pure(
    "format",
    "Formats values with the verbs of a format string, like Go's printf.",
    &[FORMAT_PARAM],
    ReturnType::Fixed(Ty::String),
    format,
)
.variadic(ARGS);

pub const FORMATLIST: Function = Function::pure(
    "formatlist",
    "Formats a string for each element of the list arguments.",
    &[FORMAT_PARAM],
    ReturnType::Fixed(Ty::List(&Ty::String)),
    formatlist,
)
.variadic(ARGS);

fn format(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let values = args.get(1..).unwrap_or_default();
    // A collection is printed as JSON, so it must be completely known.
    if !values.iter().all(Value::is_wholly_known) {
        let beginning = text(args, 0).split('%').next().unwrap_or_default();
        return Ok(Value::unknown(Type::String).refined(Refinements::beginning_with(beginning)));
    }
    render(context.host, text(args, 0), values).map(Value::string)
}

fn formatlist(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let values = args.get(1..).unwrap_or_default();
    if values.is_empty() {
        let only = format(context, args, &Type::String)?;
        return Ok(Value::list(Type::String, vec![only]));
    }
    let Some(count) = iterations(values)? else {
        return Ok(Value::unknown_not_null(Type::list(Type::String)));
    };
    context.host.spend((count as u64).saturating_mul(1 + values.len() as u64))?;
    let lines = (0..count).map(|index| line(context, text(args, 0), values, index));
    lines.collect::<Result<_, _>>().map(|lines| Value::list(Type::String, lines))
}

/// The number of results: the common length of all list arguments, or one if there are none; `None`
/// while unknown.
fn iterations(values: &[Value]) -> Result<Option<usize>, Failure> {
    let mut chosen: Option<(usize, usize)> = None;
    let mut known = true;
    for (index, it) in values.iter().enumerate().filter(|(_, it)| is_list(it) || may_be_list(it)) {
        let length = match (it.as_sequence(), it.ty()) {
            (Some(elements), _) => elements.len(),
            (None, Type::Tuple(types)) => {
                known = false;
                types.len()
            }
            _ => {
                known = false;
                continue;
            }
        };
        match chosen {
            None => chosen = Some((index, length)),
            Some((first, expected)) if expected != length => {
                let (this, first) = (index + 1, first + 1);
                let message = format!(
                    "argument {this} has length {length}, which is inconsistent with argument \
                     {first} of length {expected}"
                );
                return Err(Failure::argument(this, message));
            }
            Some(_) => (),
        }
    }
    Ok(known.then(|| chosen.map_or(1, |(_, length)| length)))
}

/// One element of the result.
fn line(
    context: &CallContext<'_>,
    format: &str,
    values: &[Value],
    index: usize,
) -> Result<Value, Failure> {
    let element = |value: &Value| match value.as_sequence().filter(|_| is_list(value)) {
        Some(elements) => {
            elements.get(index).cloned().unwrap_or_else(|| Value::null(Type::Dynamic))
        }
        None => value.clone(),
    };
    let values: Vec<Value> = values.iter().map(element).collect();
    if !values.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown_not_null(Type::String));
    }
    render(context.host, format, &values).map(Value::string).map_err(|failure| match failure {
        Failure::Argument { message, .. } | Failure::Call(message) => {
            Failure::call(format!("error on format iteration {index}: {message}"))
        }
        other => other,
    })
}

/// Whether an unknown argument may turn out to be a list.
fn may_be_list(it: &Value) -> bool {
    *it.ty() == Type::Dynamic && !it.is_known()
}

/// Whether the argument is used element by element.
fn is_list(it: &Value) -> bool {
    matches!(it.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) && !it.is_null()
}

// Formatting of values.

/// The format with its verbs replaced by values, which are all known. Errors: in the order of the
/// format; last, arguments that no verb reads.
fn render(host: &dyn Host, format: &str, values: &[Value]) -> Result<String, Failure> {
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
