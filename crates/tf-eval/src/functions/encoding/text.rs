//! `textencodebase64` and `textdecodebase64`: texts in other encodings than UTF-8.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::base64::decode;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use go_compat::charset::{self, Charset};
use tf_value::{Type, Value, quoted};

pub const TEXTENCODEBASE64: Function = Function::pure(
    "textencodebase64",
    "Encodes a text in a character encoding, and that with Base64.",
    &[Param::new("string", Ty::String), Param::new("encoding", Ty::String)],
    ReturnType::Fixed(Ty::String),
    textencodebase64,
);

pub const TEXTDECODEBASE64: Function = Function::pure(
    "textdecodebase64",
    "Decodes a Base64 text, and that from a character encoding.",
    &[Param::new("source", Ty::String), Param::new("encoding", Ty::String)],
    ReturnType::Fixed(Ty::String),
    textdecodebase64,
);

fn textencodebase64(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (source, name) = (text(&args[0]), text(&args[1]));
    context.host.spend(source.len() as u64 / 4)?;
    let Some(bytes) = charset(name)?.encode(source) else {
        let message = format!("the text has characters that {name} cannot encode");
        return Err(Failure::argument(0, message));
    };
    Ok(Value::string(STANDARD.encode(bytes)))
}

fn textdecodebase64(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (source, name) = (text(&args[0]), text(&args[1]));
    context.host.spend(source.len() as u64 / 4)?;
    let charset = charset(name)?;
    let Some(bytes) = decode(source) else {
        return Err(Failure::argument(0, "the text is not valid Base64"));
    };
    // A replacement character in the text itself is an error, too.
    let text = charset.decode(&bytes).filter(|it| !it.contains('\u{fffd}'));
    text.map(Value::string).ok_or_else(|| {
        Failure::argument(0, format!("the text has bytes that are not valid {name}"))
    })
}

fn charset(name: &str) -> Result<Charset, Failure> {
    charset::charset(name).ok_or_else(|| {
        Failure::argument(
            1,
            format!(
                "{} is not an encoding that IANA registered and Terraform supports",
                quoted(name)
            ),
        )
    })
}
