//! Reads deflate's format (RFC 1951).

use miniz_oxide::{
    DataFormat, MZError, MZFlush, MZStatus,
    inflate::stream::{InflateState, inflate as step},
};

use crate::functions::Failure;

/// The number of bytes that are made between two charges of work.
const CHUNK: usize = 4096;
/// The work of a chunk, which is written once and read once.
const WORK: u64 = 2 * CHUNK as u64 / 16;

/// The decompressed text and the bytes behind the data; `None` where the data is malformed. `spend`
/// charges the work.
type Inflated<'a> = Option<(Vec<u8>, &'a [u8])>;

pub(super) fn inflate<'a>(
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
