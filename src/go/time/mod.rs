//! Times and durations as Go's package `time` reads and writes them, for `timeadd`, `timecmp`,
//! `formatdate` and timestamps in YAML.
//!
//! Libraries read RFC 3339 as it is written. Terraform's own reader takes no lower-case `t` or `z`, and
//! Go's, which some functions call, takes an hour of one digit and a comma before the fraction;
//! `can(timeadd(…))` shows which. Durations (`1h30m`, `.5s`, up to 292 years, of either sign) are a format
//! of Go's own.

pub mod duration;
mod instant;

pub use instant::{Fields, Instant};
