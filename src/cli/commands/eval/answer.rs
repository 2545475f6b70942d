//! What an expression came to.

use crate::value::Value;

/// A value, or errors.
pub(super) struct Answer {
    pub expression: String,
    pub value: Value,
    /// What `type()` says, whose text is printed as it is; the value is this text.
    pub of_type: Option<String>,
    /// What only a plan could tell, if the value depends on it.
    pub undecided: Vec<String>,
    pub errors: Vec<Error>,
}

/// An error and its place in the expression: `LINE,COLUMN-LINE,COLUMN`, end exclusive.
pub(super) struct Error {
    pub summary: String,
    pub detail: String,
    pub at: String,
}
