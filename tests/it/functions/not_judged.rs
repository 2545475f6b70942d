//! Functions that no test calls with random values.

use tf_eval::functions::{DependsOn, Function};

/// Whether the result is one of the arguments' values alone, so that a test may call it with any.
pub fn is_judged(function: &Function) -> bool {
    function.depends_on == DependsOn::Arguments
}
