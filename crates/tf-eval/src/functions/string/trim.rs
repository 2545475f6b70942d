//! `chomp`, `trim`, `trimprefix`, `trimsuffix`, `trimspace`.

use std::collections::HashSet;

use super::text;
use crate::functions::{DependsOn, Function, Param, Refuses, ReturnType, Ty};
use tf_value::Value;

const STR: Param = Param::new("str", Ty::String);

pub const CHOMP: Function = Function {
    name: "chomp",
    description: "Removes all line breaks from the end of a string.",
    params: &[STR],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| Ok(Value::string(text(args, 0).trim_end_matches(['\r', '\n']))),
};

pub const TRIM: Function = Function {
    name: "trim",
    description: "Removes all characters of a set from both ends of a string.",
    params: &[STR, Param::new("cutset", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| {
        let cutset: HashSet<char> = text(args, 1).chars().collect();
        Ok(Value::string(text(args, 0).trim_matches(|it| cutset.contains(&it))))
    },
};

pub const TRIMPREFIX: Function = Function {
    name: "trimprefix",
    description: "Removes a prefix once.",
    params: &[STR, Param::new("prefix", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_prefix(text(args, 1)).unwrap_or(str)))
    },
};

pub const TRIMSUFFIX: Function = Function {
    name: "trimsuffix",
    description: "Removes a suffix once.",
    params: &[STR, Param::new("suffix", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_suffix(text(args, 1)).unwrap_or(str)))
    },
};

pub const TRIMSPACE: Function = Function {
    name: "trimspace",
    description: "Removes white space from both ends of a string.",
    params: &[STR],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| Ok(Value::string(text(args, 0).trim())),
};
