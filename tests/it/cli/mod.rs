//! Tests of the `cli` layer.

mod eval;
mod generate;
