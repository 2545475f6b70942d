//! Tests of the `eval` layer.

#![allow(clippy::disallowed_methods)] // Test data stands in files.

mod behaviour;
mod bounds;
pub mod recorded;
