//! Tests of the `cli` layer.

mod completions;
mod eval;
mod explain;
mod generate;
mod help;
mod init;
mod release;
mod validate;
