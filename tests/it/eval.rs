//! Tests of the `eval` layer.

mod json;
mod ours;
mod recorded;
