//! Lists, sets, maps, tuples and objects.

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[];
