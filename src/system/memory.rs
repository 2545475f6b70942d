//! A [`System`](super::System) in memory, for tests and for callers that hold their own texts.

/// Files, environment and clock that exist only in this value.
#[derive(Debug, Default)]
pub struct MemorySystem {}
