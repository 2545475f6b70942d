//! The result of an expression.

use tf_value::Value;

/// A value, or errors.
pub(super) struct Answer {
    pub expression: String,
    pub value: Value,
    /// The text of `type()`, which is printed unchanged; the value holds the same text.
    pub of_type: Option<String>,
    /// The plan's values that the value depends on.
    pub undecided: Vec<String>,
    pub errors: Vec<Error>,
}

/// An error and its place in the expression: `LINE,COLUMN-LINE,COLUMN`, end exclusive.
pub(super) struct Error {
    pub summary: String,
    pub detail: String,
    pub at: String,
}
