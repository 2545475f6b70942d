//! Numbers in strings: which texts convert, and which whole numbers lie in a range.

/// The spellings that convert to a number.
pub const NUMERIC: &str = r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEpP][+-]?[0-9]+)?|[Ii]nf)$";

/// The spellings that `parseint` reads in base ten.
pub const INTEGER: &str = "^[+-]?[0-9]+$";
