//! Tests of the `syntax` layer.

mod analysis;
mod format;
mod json_tree;
mod library_failings;
mod messages;
mod number;
mod parity;
mod tree;
