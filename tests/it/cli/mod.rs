//! Tests of the `cli` layer.

mod generate;
