//! Values of sub-expressions, recorded so that a failed condition can be explained.

use crate::{diagnostic::Span, value::Value};

/// Whether to record the values of sub-expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trace {
    #[default]
    Off,
    On,
}

/// What a sub-expression was: `length(var.name)` is 2. Literals, constructors and what is inside
/// an iteration are left out. The value keeps its marks: show no sensitive one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Observation {
    pub span: Span,
    pub value: Value,
}
