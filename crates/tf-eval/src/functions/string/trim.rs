//! `chomp`, `trim`, `trimprefix`, `trimsuffix`, `trimspace`.

use std::collections::HashSet;

use super::text;
use crate::functions::{Function, Param, Refuses, ReturnType, Ty};
use tf_value::Value;

const STR: Param = Param::new("str", Ty::String);

pub const CHOMP: Function = Function::pure(
    "chomp",
    "Removes all line breaks from the end of a string.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(Value::string(text(args, 0).trim_end_matches(['\r', '\n']))),
)
.refuses(Refuses::Nothing);

pub const TRIM: Function = Function::pure(
    "trim",
    "Removes all characters of a set from both ends of a string.",
    &[STR, Param::new("cutset", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let cutset: HashSet<char> = text(args, 1).chars().collect();
        Ok(Value::string(text(args, 0).trim_matches(|it| cutset.contains(&it))))
    },
)
.refuses(Refuses::Nothing);

pub const TRIMPREFIX: Function = Function::pure(
    "trimprefix",
    "Removes a prefix once.",
    &[STR, Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_prefix(text(args, 1)).unwrap_or(str)))
    },
)
.refuses(Refuses::Nothing);

pub const TRIMSUFFIX: Function = Function::pure(
    "trimsuffix",
    "Removes a suffix once.",
    &[STR, Param::new("suffix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_suffix(text(args, 1)).unwrap_or(str)))
    },
)
.refuses(Refuses::Nothing);

pub const TRIMSPACE: Function = Function::pure(
    "trimspace",
    "Removes white space from both ends of a string.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(Value::string(text(args, 0).trim())),
)
.refuses(Refuses::Nothing);
