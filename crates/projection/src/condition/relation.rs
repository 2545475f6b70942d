//! An operator that compares, with its place and scope; comparisons of constants.

use super::{
    context::{Context, Folded},
    symbolic::Truth,
};
use crate::sets::Reason;
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::Value;

/// A comparison without its operands.
#[derive(Clone, Copy)]
pub struct Comparison<'c, 'm> {
    pub op: BinaryOp,
    pub span: Span,
    pub context: &'c Context<'m>,
}

impl Comparison<'_, '_> {
    pub fn unknown(self, reason: Reason) -> Truth {
        Truth::unknown(reason, self.span)
    }
}

/// Two constants compared.
pub fn constants(
    op: BinaryOp,
    left: &Value,
    right: &Value,
    span: Span,
    context: &Context<'_>,
) -> Truth {
    match context.fold_binary(op, left, right, span) {
        Folded::Value(value) => match value.as_bool() {
            Some(it) => Truth::constant(it),
            None => Truth::unknown(Reason::ComparisonOfConstants, span),
        },
        Folded::Error => Truth::failure(),
        Folded::Unclear => Truth::unknown(Reason::ComparisonOfConstants, span),
    }
}
