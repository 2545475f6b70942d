//! `format` and `formatlist`.

mod render;

use render::render;

use super::text;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty};
use release::changes;
use tf_value::{Refinements, Type, Value};

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
