//! Dates, times and durations.

mod clock;
mod formatdate;
mod timeadd;
mod timecmp;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    formatdate::FUNCTION,
    clock::PLANTIMESTAMP,
    timeadd::FUNCTION,
    timecmp::FUNCTION,
    clock::TIMESTAMP,
];
