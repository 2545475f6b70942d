//! Recognisers of what a condition asks of a value, one form a file.

mod equality;
mod length;
mod membership;
mod order;
mod regex;

use super::{Truth, context::Context};
use crate::syntax::{BinaryOp, Expr, ExprKind};

/// A recogniser: `None` when the expression has another form.
type Recogniser = fn(&Expr, Context<'_>) -> Option<Truth>;

const RECOGNISERS: [Recogniser; 5] = [
    membership::recognise,
    regex::recognise,
    length::recognise,
    order::recognise,
    equality::recognise,
];

/// Translates an expression that is not made of other boolean expressions.
pub fn recognise(expr: &Expr, context: Context<'_>) -> Truth {
    let found = RECOGNISERS.iter().find_map(|it| it(expr, context));
    found.unwrap_or_else(|| Truth::unknown(describe(expr), expr.span))
}

fn describe(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Call { name, .. } => format!("a call of `{}` of this form", name.name),
        ExprKind::Binary { op, .. } => format!("a comparison with `{}` of this form", op.as_str()),
        ExprKind::Variable(_) | ExprKind::GetAttr { .. } | ExprKind::Index { .. } => {
            "a reference to something other than the variable".to_owned()
        }
        _ => "an expression of this form".to_owned(),
    }
}

/// A comparison whose left side is `matches` and whose right side is not; sides are exchanged, and
/// the operator with them, when it is the other way round.
fn sides(expr: &Expr, matches: impl Fn(&Expr) -> bool) -> Option<(&Expr, BinaryOp, &Expr)> {
    let ExprKind::Binary { op, left, right, .. } = &expr.kind else { return None };
    let mirrored = mirror(*op)?;
    match (matches(left), matches(right)) {
        (true, false) => Some((left, *op, right)),
        (false, true) => Some((right, mirrored, left)),
        _ => None,
    }
}

/// The operator that says the same with its sides exchanged; `None` for what does not compare.
fn mirror(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::Equal,
        BinaryOp::NotEqual => BinaryOp::NotEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        _ => return None,
    })
}

/// The comparison that is true exactly where this one is false.
fn complement(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Greater => BinaryOp::LessOrEqual,
        BinaryOp::GreaterOrEqual => BinaryOp::Less,
        BinaryOp::Less => BinaryOp::GreaterOrEqual,
        BinaryOp::LessOrEqual => BinaryOp::Greater,
        other => other,
    }
}
