//! Conditions that hold whatever the plan's values are: `var.zone == "" || data.x.y.name == var.zone`
//! where the zone is empty.

use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use stack::guarded;
use tf_eval::{Scope, evaluate_part};
use tf_value::Value;

/// Whether a condition that reads a plan's values surely passes: it is true, or unknown to the plan as
/// well, which Terraform accepts. Its references were checked.
pub(super) fn holds(condition: &Expr, scope: &Scope<'_>) -> bool {
    guarded(|| match &condition.bare().kind {
        ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
            (holds(left, scope) && is_sound(right, scope))
                || (holds(right, scope) && is_sound(left, scope))
        }
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            holds(left, scope) && holds(right, scope)
        }
        _ => decided(condition, scope).and_then(|it| it.as_bool()) == Some(true),
    })
}

/// Whether an expression surely gives true or false, not null and not an error, whatever the plan's
/// values are.
fn is_sound(expr: &Expr, scope: &Scope<'_>) -> bool {
    guarded(|| match &expr.bare().kind {
        _ if decided(expr, scope).is_some_and(|it| it.as_bool().is_some()) => true,
        ExprKind::Unary { op: UnaryOp::Not, operand } => is_sound(operand, scope),
        ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right, .. } => {
            is_sound(left, scope) && is_sound(right, scope)
        }
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } => {
            [left, right].iter().all(|it| is_attribute(it) || decided(it, scope).is_some())
        }
        ExprKind::Call { name, .. } => name.name == "can",
        _ => false,
    })
}

/// The value, if no part of it comes from the plan.
fn decided(expr: &Expr, scope: &Scope<'_>) -> Option<Value> {
    let evaluation = evaluate_part(expr, scope, &[]);
    let is_decided = !evaluation.value.deep_marks().is_undecided();
    (is_decided && evaluation.diagnostics.is_empty()).then_some(evaluation.value)
}

/// Whether an expression is `TYPE.NAME.ATTRIBUTE`, `data.TYPE.NAME.ATTRIBUTE` or `module.NAME.OUTPUT`. A
/// deeper path may meet null on its way.
fn is_attribute(expr: &Expr) -> bool {
    let (mut at, mut steps) = (expr, 0);
    while let ExprKind::GetAttr { base, .. } = &at.kind {
        (at, steps) = (base, steps + 1);
    }
    match &at.kind {
        ExprKind::Variable(root) if root == "data" => steps == 3,
        ExprKind::Variable(_) => steps == 2,
        _ => false,
    }
}
