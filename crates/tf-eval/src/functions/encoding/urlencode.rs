//! `urlencode`: escapes a text for a URL's query.

use std::fmt::Write;

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "urlencode",
    "Escapes a text for the query of a URL.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
)
.refuses(Refuses::Nothing);

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
