//! Algorithms that must equal Go's to the last byte, because a plan shows their results: how Go's
//! library, and libraries in Go, compress, read, count and write. Each page says what must be equal, and
//! why no library in Rust has it.

pub mod charset;
pub mod flate;
pub mod fmt;
pub mod math;
pub mod time;
pub mod yaml;

/// Why Go refuses a text, as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl Malformed {
    pub fn new(reason: impl Into<String>) -> Malformed {
        Malformed(reason.into())
    }
}
