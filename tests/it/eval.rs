//! Tests of the `eval` layer.

#![allow(clippy::disallowed_methods)] // Test data stands in files.

mod behaviour;
mod bounds;
mod differential;
pub mod generate;
pub mod json;
pub mod ours;
mod plan;
pub mod recorded;
#[allow(dead_code, reason = "`spec` uses the rest")]
mod terraform;
#[allow(dead_code, reason = "`spec` uses the rest")]
pub mod transcripts;
mod yaml;
