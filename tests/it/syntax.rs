//! Tests of the `syntax` layer.

mod analysis;
mod number;
mod parity;
mod tree;
