//! Tests of the `syntax` layer.

mod analysis;
mod json_tree;
mod number;
mod parity;
mod tree;
