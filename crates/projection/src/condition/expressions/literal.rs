//! Literals, and forms that are read only where they are constant.

use crate::{
    condition::{context::Context, symbolic::Cases},
    sets::Reason,
};
use hcl::{Expr, ExprKind};

/// A constant, or an expression whose form is not translated.
pub fn folded<'m>(expr: &Expr, context: &Context<'m>) -> Cases<'m> {
    match context.constant(expr) {
        Some(value) => Cases::constant(value),
        None => Cases::unknown(reason(&expr.kind), expr.span),
    }
}

/// An expression that is translated only where it is constant.
fn reason(kind: &ExprKind) -> Reason {
    match kind {
        ExprKind::Template(_) => Reason::Template,
        ExprKind::Unary { .. } => Reason::Negation,
        _ => Reason::OtherConstant,
    }
}
