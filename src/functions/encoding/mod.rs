//! Base64, CSV, JSON, URL and YAML.

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[];
