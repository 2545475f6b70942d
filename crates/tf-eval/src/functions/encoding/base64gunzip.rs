//! `base64gunzip`: decompresses the output of `base64gzip`. OpenTofu only.

use super::{base64::decode, base64gzip::checksum, inflate::inflate};
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "base64gunzip",
    "Decodes a Base64 text and decompresses it with gzip.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
);

/// Optional parts of a header, behind its ten bytes.
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const CHECKSUM: u8 = 2;

/// The longest name or comment, with its end.
const LONGEST: usize = 512;

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let bytes = decode(text(&args[0]));
    let bytes = bytes.ok_or_else(|| Failure::call("the text is not valid Base64"))?;
    let mut rest = bytes.as_slice();
    let mut out = Vec::new();
    // A file has one member or several in sequence.
    while out.is_empty() || !rest.is_empty() {
        let malformed = || Failure::call("the data is not compressed with gzip");
        let compressed = header(rest).ok_or_else(malformed)?;
        let mut spend = |units| context.host.spend(units);
        let (part, after) = inflate(compressed, &mut spend)?.ok_or_else(malformed)?;
        let (sum, after) = word(after).ok_or_else(malformed)?;
        let (length, after) = word(after).ok_or_else(malformed)?;
        // The length is stored modulo 2^32.
        #[allow(clippy::cast_possible_truncation)]
        let is_sound = sum == checksum(&part) && length == part.len() as u32;
        if !is_sound {
            return Err(Failure::call("the data is damaged"));
        }
        out.extend(part);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    // OpenTofu accepts texts that are not UTF-8.
    let text = String::from_utf8(out);
    let text = text.map_err(|_| Failure::Undecided("the result is not valid UTF-8".to_owned()))?;
    Ok(Value::string(text))
}

/// The bytes behind the header.
fn header(bytes: &[u8]) -> Option<&[u8]> {
    let (fixed, mut rest) = bytes.split_at_checked(10)?;
    if fixed[..3] != [0x1f, 0x8b, 8] {
        return None;
    }
    let flags = fixed[3];
    if flags & EXTRA != 0 {
        let (length, after) = rest.split_first_chunk::<2>()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for _ in 0..u32::from(flags & NAME != 0) + u32::from(flags & COMMENT != 0) {
        let end = rest.iter().take(LONGEST).position(|it| *it == 0)?;
        rest = &rest[end + 1..];
    }
    if flags & CHECKSUM != 0 {
        let (sum, after) = rest.split_first_chunk::<2>()?;
        let read = &bytes[..bytes.len() - rest.len()];
        if u32::from(u16::from_le_bytes(*sum)) != checksum(read) & 0xffff {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*word), rest))
}
