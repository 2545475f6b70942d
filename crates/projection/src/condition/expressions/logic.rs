//! `&&` and `||`.

use crate::condition::{context::Context, identities::bounded_remainder, symbolic::Truth};
use hcl::{BinaryOp, Expr, ExprKind};

/// `a && b && …`, `a || b || …`: joins the operands in halves, since joining takes time that grows with the
/// square of their size. `None` where that is too much work.
pub fn chain<'m>(op: BinaryOp, expr: &'m Expr, context: &Context<'m>) -> Option<Truth> {
    let mut operands = Vec::new();
    let mut first = expr;
    while let ExprKind::Binary { op: inner, left, right, .. } = &first.kind
        && *inner == op
    {
        operands.push(&**right);
        first = left.bare();
        if !context.spend() {
            return None;
        }
    }
    operands.push(first);
    operands.reverse();
    let read = |operand: &&'m Expr| {
        let beside = || bounded_remainder::beside(operand, &operands, context);
        let beside = (op == BinaryOp::And).then(beside).flatten();
        beside.unwrap_or_else(|| super::truth(operand, context))
    };
    let mut truths: Vec<Truth> = operands.iter().map(read).collect();
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
            truths.push(match (op, context.decides) {
                (BinaryOp::And, true) => left.and_decided(right),
                (BinaryOp::And, false) => left.and(right),
                (_, true) => left.or_decided(right),
                (_, false) => left.or(right),
            });
        }
    }
    truths.pop()
}
