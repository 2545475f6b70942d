//! Tests of the `schema` layer.

mod diff;
mod export;
mod go_tool;
mod json;
pub mod modules;
mod spec;
