//! Tests of the `condition` layer.

mod fuzz;
mod machine;
mod refused;
mod soundness;
mod words;
