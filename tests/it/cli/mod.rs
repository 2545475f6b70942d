//! Tests of the `cli` layer.

mod eval;
mod explain;
mod generate;
mod init;
mod validate;
