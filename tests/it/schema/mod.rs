//! Tests of the `schema` layer.

mod go_tool;
mod json;
pub mod modules;
mod spec;
