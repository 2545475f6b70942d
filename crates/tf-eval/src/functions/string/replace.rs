//! `replace`.

use super::text;
use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use re2::{Dialect, ErrorKind};
use release::Release;
use tf_value::{Type, Value};

pub const REPLACE: Function = Function::pure(
    "replace",
    "Replaces every occurrence of a text, or of a regular expression in slashes.",
    &[
        Param::new("str", Ty::String),
        Param::new("substr", Ty::String),
        Param::new("replace", Ty::String),
    ],
    ReturnType::Fixed(Ty::String),
    body,
)
.refuses(Refuses::By(unless_text));

/// Refuses nothing for a plain text; a text between slashes may be a malformed pattern.
fn unless_text(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_pattern = |it: &str| it.len() > 1 && it.starts_with('/') && it.ends_with('/');
    match args.get(1).and_then(Value::as_str) {
        Some(it) if !is_pattern(it) => Refuses::Nothing,
        _ => Refuses::SomeValues,
    }
}

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (str, substr, replacement) = (text(args, 0), text(args, 1), text(args, 2));
    if let Some(pattern) = substr.strip_prefix('/').and_then(|it| it.strip_suffix('/')) {
        let regex =
            re2::cached(pattern, Dialect::of(context.release)).map_err(|it| match it.kind {
                ErrorKind::Budget => Failure::too_large(it.kind.to_string()),
                _ => Failure::call(it.to_string()),
            })?;
        let size = str.len() as u64;
        context.host.spend(
            4 * pattern.len() as u64
                + regex.memory() / 128
                + size.saturating_mul(regex.weight()) / 4,
        )?;
        let spend = |units| context.host.spend(units);
        return regex.try_replace_all(str, replacement, spend).map(Value::string);
    }
    let count = str.matches(substr).count() as u64;
    context.host.spend(count + count.saturating_mul(replacement.len() as u64) / 16)?;
    Ok(Value::string(str.replace(substr, replacement)))
}
