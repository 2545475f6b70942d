//! Tests of the `condition` layer.

mod evidence;
mod matching;
mod soundness;
mod spec;
pub mod values;
