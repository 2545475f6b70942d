//! The real operating system.

/// The process's files, environment and clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsSystem;
