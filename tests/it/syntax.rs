//! Tests of the `syntax` layer.

mod number;
mod parity;
mod tree;
