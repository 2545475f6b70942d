//! Records the values of sub-expressions to explain a failed condition.

use crate::{diagnostic::Span, value::Value};

/// Whether to record the values of sub-expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trace {
    #[default]
    Off,
    On,
}

/// The value of a sub-expression: `length(var.name)` is 2. Literals, constructors and the inside of
/// iterations are left out. The value keeps its marks: do not show a sensitive one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Observation {
    pub span: Span,
    pub value: Value,
}
