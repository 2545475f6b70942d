//! `base64gunzip` and `base64gzip`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, encoding::base64::decode, text,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use go_compat::flate::deflate;
use miniz_oxide::{
    DataFormat, MZError, MZFlush, MZStatus,
    inflate::stream::{InflateState, inflate as step},
};
use tf_value::{Type, Value};

// `base64gunzip`: decompresses the output of `base64gzip`. OpenTofu only.

pub const BASE64GUNZIP: Function = Function::pure(
    "base64gunzip",
    "Decodes a Base64 text and decompresses it with gzip.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    base64gunzip,
);

/// Optional parts of a header, behind its ten bytes.
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const CHECKSUM: u8 = 2;

/// The longest name or comment, with its end.
const LONGEST: usize = 512;

fn base64gunzip(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// `base64gzip`: a text compressed with gzip.

pub const BASE64GZIP: Function = Function::pure(
    "base64gzip",
    "Compresses a text with gzip and encodes it with Base64.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    base64gzip,
)
.refuses(Refuses::Nothing);

/// The work of setting up the window and the tables, however short the text is.
const COMPRESSION: u64 = 400;

/// Deflate, no flags, no time, no hint at the level, an unknown operating system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

fn base64gzip(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let bytes = text(&args[0]).as_bytes();
    context.host.spend(COMPRESSION + bytes.len() as u64 / 2)?;
    let mut out = HEADER.to_vec();
    out.extend(deflate(bytes));
    out.extend(checksum(bytes).to_le_bytes());
    // The length is stored modulo 2^32.
    #[allow(clippy::cast_possible_truncation)]
    out.extend((bytes.len() as u32).to_le_bytes());
    Ok(Value::string(STANDARD.encode(out)))
}

/// CRC-32 of IEEE 802.3, bit by bit.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |crc: u32, _: u32| (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg());
    let update = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), step);
    !bytes.iter().fold(u32::MAX, update)
}

// Reads deflate's format (RFC 1951).

/// The number of bytes that are made between two charges of work.
const CHUNK: usize = 4096;
/// The work of a chunk, which is written once and read once.
const WORK: u64 = 2 * CHUNK as u64 / 16;

/// The decompressed text and the bytes behind the data; `None` where the data is malformed. `spend`
/// charges the work.
type Inflated<'a> = Option<(Vec<u8>, &'a [u8])>;

fn inflate<'a>(
    bytes: &'a [u8],
    spend: &mut dyn FnMut(u64) -> Result<(), Failure>,
) -> Result<Inflated<'a>, Failure> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let (mut rest, mut out, mut chunk) = (bytes, Vec::new(), vec![0; CHUNK]);
    loop {
        spend(WORK)?;
        let made = step(&mut state, rest, &mut chunk, MZFlush::None);
        rest = rest.get(made.bytes_consumed..).unwrap_or_default();
        out.extend(chunk.iter().take(made.bytes_written));
        match made.status {
            Ok(MZStatus::StreamEnd) => return Ok(Some((out, rest))),
            // More output follows, or the buffer was full.
            Ok(MZStatus::Ok) if made.bytes_consumed + made.bytes_written > 0 => (),
            Err(MZError::Buf) if made.bytes_written > 0 => (),
            _ => return Ok(None),
        }
    }
}
