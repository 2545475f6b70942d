//! Tests of the `eval` layer.

#![allow(clippy::disallowed_methods)] // Test data stands in files.

mod behaviour;
mod bounds;
pub mod json;
#[allow(dead_code, reason = "`outside` uses the rest")]
pub mod ours;
pub mod recorded;
#[allow(dead_code, reason = "`spec` uses the rest")]
pub mod transcripts;
