//! Values given as text: `TF_VAR_NAME` and `-var NAME=TEXT`.

use super::given::as_input_syntax;
use crate::Variable;
use diagnostics::{Diagnostics, Span};
use hcl::{Expr, parse_expression};

/// Whether a text for this variable is a string itself: for a primitive type, and without a declared
/// type. For every other type, also for `any`, it is an HCL expression.
pub(super) fn is_literal(variable: &Variable) -> bool {
    variable.type_span.is_none() || variable.constraint.ty.is_primitive()
}

/// Parses text as an HCL expression.
pub(super) fn parse(text: &str, span: Span) -> (Expr, Diagnostics) {
    let (expr, diagnostics) = parse_expression(span.file, text.as_bytes(), span.start);
    (expr, as_input_syntax(diagnostics))
}
