//! Boolean expressions as sets of assignments.

use super::{
    comparison::Comparison,
    conditional,
    context::{Context, TOO_LONG, bare},
    symbolic::{Truth, as_condition, operators::is_comparison},
    terms, types,
};
use crate::{
    functions::{self, ReturnType, Ty},
    syntax::{BinaryOp, Expr, ExprKind, UnaryOp},
    value::Type,
};

/// Translates a boolean expression. What is not understood is in every set, with the reason.
pub fn truth<'m>(expr: &'m Expr, context: &Context<'m>) -> Truth {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let expr = bare(expr);
        if !context.spend() {
            return too_long(expr);
        }
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => truth(operand, context).not(),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                chain(*op, expr, context).unwrap_or_else(|| too_long(expr))
            }
            ExprKind::Binary { op, left, right, .. } if is_comparison(*op) => {
                Comparison { op: *op, span: expr.span, context }.of_exprs(left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let decision = truth(condition, context);
                if [then, otherwise].into_iter().all(|it| is_bool(it, context))
                    || conditional::have_common_type([then, otherwise], expr.span, context)
                {
                    return decision.choose(truth(then, context), truth(otherwise, context));
                }
                as_condition::of_cases(&terms::cases(expr, context), expr.span)
            }
            _ => as_condition::of_cases(&terms::cases(expr, context), expr.span),
        }
    })
}

/// Whether the expression is a bool, if anything.
fn is_bool<'m>(expr: &'m Expr, context: &Context<'m>) -> bool {
    match &bare(expr).kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Conditional { then, otherwise, .. } => {
            is_bool(then, context) && is_bool(otherwise, context)
        }
        ExprKind::Call { name, .. } => {
            let found = functions::lookup(&name.name);
            found.is_some_and(|it| matches!(it.returns, ReturnType::Fixed(Ty::Bool)))
                || types::of_cases(&terms::cases(expr, context), context) == Some(Type::Bool)
        }
        _ => types::of_cases(&terms::cases(expr, context), context) == Some(Type::Bool),
    }
}

fn too_long(expr: &Expr) -> Truth {
    Truth::unknown(TOO_LONG, expr.span)
}

/// `a && b && …`, `a || b || …`: what the operands come to is joined in halves, since joining takes
/// the square of what there is. `None` where that is too much.
fn chain<'m>(op: BinaryOp, expr: &'m Expr, context: &Context<'m>) -> Option<Truth> {
    let mut operands = Vec::new();
    let mut first = expr;
    while let ExprKind::Binary { op: inner, left, right, .. } = &first.kind
        && *inner == op
    {
        operands.push(&**right);
        first = bare(left);
        if !context.spend() {
            return None;
        }
    }
    operands.push(first);
    let mut truths: Vec<Truth> = operands.iter().rev().map(|it| truth(it, context)).collect();
    while truths.len() > 1 {
        let mut pairs = std::mem::take(&mut truths).into_iter();
        while let Some(left) = pairs.next() {
            let Some(right) = pairs.next() else {
                truths.push(left);
                break;
            };
            let is_paid = context.pay(left.work() + right.work());
            if !is_paid || !context.spend_on_parts(left.parts() + right.parts()) {
                return None;
            }
            truths.push(if op == BinaryOp::And { left.and(right) } else { left.or(right) });
        }
    }
    truths.pop()
}
