//! Tests of the `eval` layer.

#![allow(clippy::disallowed_methods)] // Test data stands in files.

mod behaviour;
mod bounds;
mod console;
mod differential;
pub mod generate;
pub mod json;
pub mod ours;
mod plan;
pub mod recorded;
mod terraform;
pub mod transcripts;
mod yaml;
