//! What an expression stands for.

pub mod names;
