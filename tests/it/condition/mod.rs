//! Tests of the `condition` layer.

mod soundness;
mod spec;
mod values;
