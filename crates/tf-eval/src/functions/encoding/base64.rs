//! `base64decode` and `base64encode`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use base64::{
    Engine, alphabet,
    engine::{GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use go_compat::charset::{self, Charset};
use tf_value::{Type, Value, quoted};

pub const BASE64DECODE: Function = Function::pure(
    "base64decode",
    "Decodes a Base64 text into the text that it encodes.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    base64decode,
);

pub const BASE64ENCODE: Function = Function::pure(
    "base64encode",
    "Encodes a text, in UTF-8, with Base64.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    base64encode,
)
.refuses(Refuses::Nothing);

/// Accepts set bits behind the last byte.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Decodes as Go does: padding is required, and line ends are ignored anywhere.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if text.contains(['\r', '\n']) {
        return LENIENT.decode(text.replace(['\r', '\n'], "")).ok();
    }
    LENIENT.decode(text).ok()
}

fn base64decode(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    let Some(bytes) = decode(text) else {
        return Err(Failure::call("the text is not encoded with Base64"));
    };
    match String::from_utf8(bytes) {
        Ok(decoded) => Ok(Value::string(decoded)),
        Err(_) => Err(Failure::call("the result of decoding is not valid UTF-8")),
    }
}

fn base64encode(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    Ok(Value::string(STANDARD.encode(text)))
}

// `textencodebase64` and `textdecodebase64`: texts in other encodings than UTF-8.

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
