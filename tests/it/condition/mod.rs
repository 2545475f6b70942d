//! Tests of the `condition` layer.

pub mod evidence;
mod finite;
mod formats;
pub mod fuzz;
mod machine;
pub mod matching;
mod refused;
mod soundness;
pub mod values;
mod words;
