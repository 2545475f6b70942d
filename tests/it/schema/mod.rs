//! Tests of the `schema` layer.

mod diff;
mod docs;
mod export;
mod go_tool;
mod ignored;
mod json;
pub mod modules;
pub mod validator;
