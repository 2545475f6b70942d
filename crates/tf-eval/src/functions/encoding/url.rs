//! `urlencode` and `urldecode`.

use std::fmt::Write;

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use tf_value::{Type, Value};

// `urlencode`: escapes a text for a URL's query.

pub const URLENCODE: Function = Function::pure(
    "urlencode",
    "Escapes a text for the query of a URL.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    urlencode,
)
.refuses(Refuses::Nothing);

fn urlencode(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// `urldecode`: the inverse of `urlencode`. OpenTofu only.

pub const URLDECODE: Function = Function::pure(
    "urldecode",
    "Decodes the escapes of a URL query.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    urldecode,
);

fn urldecode(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let mut out = Vec::with_capacity(text(&args[0]).len());
    let mut bytes = text(&args[0]).bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                let digits = digit().zip(digit());
                let code = digits.and_then(|(high, low)| u8::try_from(16 * high + low).ok());
                code.ok_or_else(|| Failure::call("a percent sign needs two hexadecimal digits"))?
            }
            _ => byte,
        });
    }
    // OpenTofu accepts texts that are not UTF-8.
    let text = String::from_utf8(out);
    let text = text.map_err(|_| Failure::Undecided("the result is not valid UTF-8".to_owned()))?;
    Ok(Value::string(text))
}
