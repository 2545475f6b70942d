//! Records the values of sub-expressions to explain a failed condition.

use diagnostics::Span;
use tf_value::Value;

/// Whether to record the values of sub-expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trace {
    #[default]
    Off,
    On,
}

/// The value of a sub-expression: `length(var.name)` is 2. Literals, constructors and the inside of
/// iterations are left out. The value keeps its marks: do not show a sensitive one.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub span: Span,
    pub value: Value,
}
