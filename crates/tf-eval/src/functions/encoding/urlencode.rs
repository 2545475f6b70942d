//! `urlencode`: escapes a text for a URL's query.

use std::fmt::Write;

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text,
};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function {
    name: "urlencode",
    description: "Escapes a text for the query of a URL.",
    params: &[Param::new("str", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body,
};

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    Ok(Value::string(out))
}
