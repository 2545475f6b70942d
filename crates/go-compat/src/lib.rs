//! Algorithms that must equal Go's to the last byte, because a plan shows their results: how Go's
//! library, and libraries in Go, compress, read, count and write. Each folder's `mod.rs`, and `math`, says
//! what must be equal, why no library in Rust has it, and how often one was measured to differ.
//!
//! Texts, bytes and numbers go in; the same, or [`GoError`] with Go's reason, come out. Of Terraform's values, this
//! crate knows only the numbers: `functions` wraps the algorithms. For example: a plan shows `base64gzip("a")`, and
//! another compressor gives other bytes, although every reader of gzip takes both.

pub mod charset;
pub mod flate;
pub mod fmt;
pub mod math;
pub mod time;
pub mod yaml;

/// Why Go refuses a text, as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoError(pub String);

impl GoError {
    pub fn new(reason: impl Into<String>) -> GoError {
        GoError(reason.into())
    }
}
