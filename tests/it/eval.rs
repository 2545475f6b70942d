//! Tests of the `eval` layer.

#![allow(clippy::disallowed_methods)] // Test data stands in files.

mod behaviour;
mod bounds;
mod console;
mod differential;
pub mod generate;
mod json;
mod ours;
mod plan;
mod recorded;
mod terraform;
mod transcripts;
mod yaml;
