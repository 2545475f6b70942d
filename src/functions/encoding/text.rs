//! `textencodebase64` and `textdecodebase64`: texts in other encodings than UTF-8.

use base64::{Engine, engine::general_purpose::STANDARD};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::base64::decode;
use crate::{
    functions::{Context, Failure, Function, Param, ReturnType, Ty, text},
    value::{Type, Value},
};

pub const TEXTENCODEBASE64: Function = Function {
    name: "textencodebase64",
    description: "Encodes a text in a character encoding, and that with Base64.",
    params: &[Param::new("string", Ty::String), Param::new("encoding", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body: textencodebase64,
};

pub const TEXTDECODEBASE64: Function = Function {
    name: "textdecodebase64",
    description: "Decodes a Base64 text, and that from a character encoding.",
    params: &[Param::new("source", Ty::String), Param::new("encoding", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body: textdecodebase64,
};

fn textencodebase64(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (source, label) = (text(&args[0]), text(&args[1]));
    let encoding = encoding(label)?;
    let bytes = if encoding == UTF_16LE {
        source.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        source.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        let (bytes, _, has_unmappable) = encoding.encode(source);
        if has_unmappable {
            let message = format!("the text has characters that {label} does not");
            return Err(Failure::argument(0, message));
        }
        bytes.into_owned()
    };
    Ok(Value::string(STANDARD.encode(bytes)))
}

fn textdecodebase64(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (source, label) = (text(&args[0]), text(&args[1]));
    let encoding = encoding(label)?;
    let Some(bytes) = decode(source) else {
        return Err(Failure::argument(0, "the text is not encoded with Base64"));
    };
    let (text, has_errors) = encoding.decode_without_bom_handling(&bytes);
    // The replacement character itself counts as an error, too.
    if has_errors || text.contains('\u{fffd}') {
        let message = format!("the text has bytes that {label} does not");
        return Err(Failure::argument(0, message));
    }
    Ok(Value::string(text))
}

/// The encodings that behave alike in Go's library and in ours.
const KNOWN: &[&str] = &[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "ibm866",
    "macintosh",
];

fn encoding(label: &str) -> Result<&'static Encoding, Failure> {
    let lower = label.to_ascii_lowercase();
    let known = KNOWN.contains(&lower.as_str()).then(|| Encoding::for_label(lower.as_bytes()));
    let unknown = || Failure::Undecided(format!("nothing is known here of the encoding {label:?}"));
    known.flatten().ok_or_else(unknown)
}
