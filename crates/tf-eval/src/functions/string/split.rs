//! `split`.

use super::text;
use crate::functions::{Function, Param, Refuses, ReturnType, Ty};
use tf_value::{Type, Value};

pub const SPLIT: Function = Function::pure(
    "split",
    "Splits a string at each separator; an empty one splits it into code points.",
    &[Param::new("separator", Ty::String), Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::List(&Ty::String)),
    |context, args, _| {
        let (separator, str) = (text(args, 0), text(args, 1));
        let parts: Vec<Value> = if separator.is_empty() {
            str.chars().map(|it| Value::string(it.encode_utf8(&mut [0; 4]))).collect()
        } else {
            str.split(separator).map(Value::string).collect()
        };
        context.host.spend(parts.len() as u64)?;
        Ok(Value::list(Type::String, parts))
    },
)
.refuses(Refuses::Nothing);
