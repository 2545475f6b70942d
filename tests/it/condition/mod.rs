//! Tests of the `condition` layer.

mod evidence;
mod finite;
mod fuzz;
pub mod matching;
mod refused;
mod soundness;
mod terraform;
pub mod values;
