//! The forms that the Go tool translates, and no other: for teams that must not see a diff yet.

use super::context::{Context, call};
use hcl::{BinaryOp, Expr, ExprKind};
use module::{Module, Variable};
use stack::guarded;
use tf_eval::Meter;
use tf_value::Type;

/// Whether a condition of the variable has one of these forms: `var.x == A || …`,
/// `contains([…], var.x)`, `can(regex("…", var.x))`, and comparisons of `var.x` or `length(var.x)`
/// with constants joined by `&&`; all of them only where a type is declared.
pub fn is_basic(module: &Module, variable: &Variable, condition: &Expr, meter: &Meter) -> bool {
    let context = Context::new(module, variable, meter);
    let equal = |it: &Expr| is_comparison(it, &context, &[BinaryOp::Equal], Side::Subject);
    let bound = |it: &Expr| is_bound(it, &context);
    let is_basic = is_membership(condition, &context)
        || is_match(condition, &context)
        || every(condition, BinaryOp::Or, &equal)
        || every(condition, BinaryOp::And, &bound);
    is_basic && *context.ty() != Type::Dynamic
}

const ORDER: [BinaryOp; 4] =
    [BinaryOp::Greater, BinaryOp::GreaterOrEqual, BinaryOp::Less, BinaryOp::LessOrEqual];

const ORDER_AND_EQUAL: [BinaryOp; 5] = [
    BinaryOp::Greater,
    BinaryOp::GreaterOrEqual,
    BinaryOp::Less,
    BinaryOp::LessOrEqual,
    BinaryOp::Equal,
];

/// Whether every operand of the operator's tree passes.
fn every(expr: &Expr, op: BinaryOp, leaf: &dyn Fn(&Expr) -> bool) -> bool {
    guarded(|| match &expr.bare().kind {
        ExprKind::Binary { op: found, left, right, .. } if *found == op => {
            every(left, op, leaf) && every(right, op, leaf)
        }
        _ => leaf(expr.bare()),
    })
}

fn is_membership(expr: &Expr, context: &Context<'_>) -> bool {
    let Some([list, needle]) = call(expr, "contains") else { return false };
    matches!(list.kind, ExprKind::Tuple(_))
        && context.is_constant(list)
        && context.is_subject(needle)
}

fn is_match(expr: &Expr, context: &Context<'_>) -> bool {
    let inner = call(expr, "can").and_then(|[it]| call::<2>(it, "regex"));
    let is_basic =
        |[pattern, text]: &[Expr; 2]| context.is_constant(pattern) && context.is_subject(text);
    *context.ty() == Type::String && inner.is_some_and(is_basic)
}

fn is_bound(expr: &Expr, context: &Context<'_>) -> bool {
    match context.ty() {
        Type::Number => is_comparison(expr, context, &ORDER, Side::Subject),
        Type::Bool | Type::Dynamic => false,
        _ => is_comparison(expr, context, &ORDER_AND_EQUAL, Side::Length),
    }
}

/// The side of a comparison that is not the constant.
#[derive(Clone, Copy)]
enum Side {
    Subject,
    Length,
}

fn is_comparison(expr: &Expr, context: &Context<'_>, ops: &[BinaryOp], side: Side) -> bool {
    let ExprKind::Binary { op, left, right, .. } = &expr.kind else { return false };
    let is_side = |it: &Expr| match side {
        Side::Subject => context.is_subject(it),
        Side::Length => call::<1>(it, "length").is_some_and(|[inner]| context.is_subject(inner)),
    };
    let is_pair = |side: &Expr, other: &Expr| is_side(side) && context.is_constant(other);
    ops.contains(op) && (is_pair(left, right) || is_pair(right, left))
}
