//! Expressions and their values: ours, Terraform's, and those of the transcripts in `tests/spec`.

pub mod json;
pub mod ours;
pub mod terraform;
pub mod transcripts;

use tf_eval::functions::{DependsOn, Function};

/// Whether the result is one of the arguments' values alone, so that a test may call it with any.
pub fn is_judged(function: &Function) -> bool {
    function.depends_on == DependsOn::Arguments
}
