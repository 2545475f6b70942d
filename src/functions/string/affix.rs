//! `startswith`, `endswith`, `strcontains`: plain comparison of bytes, no regard to graphemes.

use super::text;
use crate::{
    functions::{Function, Param, ReturnType, Ty},
    value::Value,
};

const STR: Param = Param::new("str", Ty::String);

pub const STARTSWITH: Function = Function {
    name: "startswith",
    description: "Tells whether a string begins with a prefix.",
    params: &[STR, Param::new("prefix", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Bool),
    body: |_, args, _| Ok(Value::bool(text(args, 0).starts_with(text(args, 1)))),
};

pub const ENDSWITH: Function = Function {
    name: "endswith",
    description: "Tells whether a string ends with a suffix.",
    params: &[STR, Param::new("suffix", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Bool),
    body: |_, args, _| Ok(Value::bool(text(args, 0).ends_with(text(args, 1)))),
};

pub const STRCONTAINS: Function = Function {
    name: "strcontains",
    description: "Tells whether a string contains another one.",
    params: &[STR, Param::new("substr", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Bool),
    body: |_, args, _| Ok(Value::bool(text(args, 0).contains(text(args, 1)))),
};
