//! Dates, times and durations.

mod clock;
mod duration;
mod formatdate;
mod instant;
mod timeadd;
mod timecmp;

pub(super) use instant::Instant;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    formatdate::FUNCTION,
    clock::PLANTIMESTAMP,
    timeadd::FUNCTION,
    timecmp::FUNCTION,
    clock::TIMESTAMP,
];
