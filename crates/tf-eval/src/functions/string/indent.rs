//! `indent`.

use super::{integer, text};
use crate::functions::{Failure, Function, Param, ReturnType, Ty};
use tf_value::Value;

pub const INDENT: Function = Function::pure(
    "indent",
    "Adds spaces before every line except the first.",
    &[Param::new("spaces", Ty::Number), Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |context, args, _| {
        let Ok(spaces) = usize::try_from(integer(args, 0)?) else {
            return Err(Failure::call("the number of spaces must not be negative"));
        };
        let str = text(args, 1);
        let lines = str.bytes().filter(|&it| it == b'\n').count();
        context.host.spend(lines as u64 + (lines as u64).saturating_mul(spaces as u64) / 16)?;
        if lines == 0 {
            return Ok(Value::string(str));
        }
        Ok(Value::string(str.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
    },
);
