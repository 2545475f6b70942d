//! Boolean expressions as pairs of a true and a false set.

use super::{
    Constraint, Region, Truth,
    context::{Context, bare},
    patterns,
};
use crate::{
    syntax::{BinaryOp, Expr, ExprKind, UnaryOp},
    value::{Type, Value},
};

/// Translates a boolean expression. What is not understood is in both sets, with the reason.
pub fn truth(expr: &Expr, context: Context<'_>) -> Truth {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let expr = bare(expr);
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => truth(operand, context).not(),
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                truth(left, context).and(truth(right, context))
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                truth(left, context).or(truth(right, context))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                truth(condition, context).choose(truth(then, context), truth(otherwise, context))
            }
            _ if context.is_subject(expr) => subject(expr, context),
            _ => match context.constant(expr).and_then(|it| it.as_bool()) {
                Some(value) => Truth::constant(value),
                None => patterns::recognise(expr, context),
            },
        }
    })
}

/// The variable itself as a condition.
fn subject(expr: &Expr, context: Context<'_>) -> Truth {
    if *context.ty() != Type::Bool {
        return Truth::unknown("a conversion to bool", expr.span);
    }
    let only = |it| Region::new(false, Constraint::OneOf(vec![Value::bool(it)]));
    Truth { when_true: only(true), when_false: only(false) }
}
