//! `base64gzip`: a text compressed with gzip.

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, text};
use go_compat::flate::deflate;
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "base64gzip",
    "Compresses a text with gzip and encodes it with Base64.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
)
.refuses(Refuses::Nothing);

/// The work of setting up the window and the tables, however short the text is.
const COMPRESSION: u64 = 400;

/// Deflate, no flags, no time, no hint at the level, an unknown operating system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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
