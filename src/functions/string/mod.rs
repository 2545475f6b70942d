//! Text: cases, formats, regular expressions, splitting and joining.

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[];
