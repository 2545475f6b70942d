//! `base64decode` and `base64encode`.

use base64::{
    Engine, alphabet,
    engine::{GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use tf_value::{Type, Value};

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
