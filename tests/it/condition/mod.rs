//! Tests of the `condition` layer.

mod soundness;
mod spec;
pub mod values;
