//! Guards against null: operands of `&&` and `||` with which an author asks whether a value is null, such as
//! `var.x == null || …`.

use hcl::{BinaryOp, Expr, ExprKind};
use stack::guarded;

/// The most expressions that are looked at.
const MOST: u32 = 20_000;

/// Whether an operand of `&&` or `||` anywhere in the condition asks whether the subject is null: it compares the
/// subject with null, or, in `||`, catches the subject's errors by `can` or `try`.
pub(super) fn has_guard(condition: &Expr, is_subject: &dyn Fn(&Expr) -> bool) -> bool {
    let mut search = Search { is_subject, left: MOST };
    search.any(condition, &mut |search, it| match &it.kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } => {
            [left, right].into_iter().any(|operand| search.asks_for_null(*op, operand))
        }
        _ => false,
    })
}

struct Search<'s> {
    is_subject: &'s dyn Fn(&Expr) -> bool,
    left: u32,
}

impl Search<'_> {
    /// `can(f(var.x)) && …` refuses null as it refuses whatever else fails, so it is not a guard.
    fn asks_for_null(&mut self, op: BinaryOp, operand: &Expr) -> bool {
        self.any(operand, &mut |search, it| match &it.kind {
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } => {
                is_null(left) && search.names(right) || is_null(right) && search.names(left)
            }
            ExprKind::Call { name, args, .. } => {
                let plain = name.name.trim_start_matches("core::");
                op == BinaryOp::Or
                    && ["can", "try"].contains(&plain)
                    && args.iter().any(|arg| search.names(arg))
            }
            _ => false,
        })
    }

    fn names(&mut self, expr: &Expr) -> bool {
        self.any(expr, &mut |search, it| (search.is_subject)(it))
    }

    /// Whether it holds for the expression or for one in it.
    fn any(&mut self, expr: &Expr, holds: &mut dyn FnMut(&mut Self, &Expr) -> bool) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        guarded(|| {
            let mut found = holds(self, expr);
            expr.for_each_child(&mut |it| found = found || self.any(it, holds));
            found
        })
    }
}

fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_null(inner),
        kind => matches!(kind, ExprKind::Null),
    }
}
