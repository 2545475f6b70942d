//! Times and durations as Go's package `time` reads and writes them, for `timeadd`, `timecmp`,
//! `formatdate` and timestamps in YAML.
//!
//! Libraries read RFC 3339 as it is written. Terraform's own reader takes no lower-case `t` or `z`, and
//! Go's, which some functions call, takes an hour of one digit and a comma before the fraction;
//! `can(timeadd(…))` shows which. Durations (`1h30m`, `.5s`, up to 292 years, of either sign) are a format
//! of Go's own. Of 2,000 random texts that look like timestamps Go reads 88; `chrono` 0.4.45 says otherwise
//! of 131, `jiff` 0.2.46 of 148. Of 2,000 durations `humantime` 2.4.0 says otherwise of 1,111, and
//! `go-parse-duration` 0.1.1, which is made for them, of 323.

pub mod duration;
mod instant;

pub use instant::{Fields, Instant};
