//! `startswith`, `endswith`, `strcontains`: plain comparison of bytes, without regard to graphemes.

use super::text;
use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use tf_value::{Type, Value};

const STR: Param = Param::new("str", Ty::String);

pub const STARTSWITH: Function = Function::pure(
    "startswith",
    "Whether a string begins with a prefix.",
    &[STR.unknown(), Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    startswith,
)
.refuses(Refuses::Nothing);

/// Whether the text has the prefix; the known beginning of an unknown text may decide.
fn startswith(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let prefix = text(args, 1);
    let known = match args.first().and_then(Value::refinements) {
        Some(it) => it.prefix.as_str(),
        None => text(args, 0),
    };
    let is_known = args.first().is_none_or(Value::is_known);
    if !is_known && known.len() < prefix.len() {
        return Ok(Value::unknown_not_null(Type::Bool));
    }
    Ok(Value::bool(known.starts_with(prefix)))
}

pub const ENDSWITH: Function = Function::pure(
    "endswith",
    "Whether a string ends with a suffix.",
    &[STR, Param::new("suffix", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(Value::bool(text(args, 0).ends_with(text(args, 1)))),
)
.refuses(Refuses::Nothing);

pub const STRCONTAINS: Function = Function::pure(
    "strcontains",
    "Whether a string contains another one.",
    &[STR, Param::new("substr", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(Value::bool(text(args, 0).contains(text(args, 1)))),
)
.refuses(Refuses::Nothing);
