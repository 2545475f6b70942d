//! Whether a condition about a set holds for every list of the same elements, in any order and with duplicates.
//!
//! If the type of `x` changes from a set to a list, callers who wrote duplicates had them removed before, and keep
//! them now. `length(var.x) >= 2` is then still true wherever it was; `length(var.x) <= 2` is not.

use smol_str::SmolStr;

use super::names::names;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use module::Module;
use stack::guarded;

/// Functions that convert their arguments to sets.
const OF_SETS: [&str; 4] = ["toset", "setintersection", "setsubtract", "setunion"];

/// The condition and the variables that became lists.
#[derive(Clone, Copy)]
pub struct Duplicates<'d> {
    pub module: &'d Module,
    pub variables: &'d [SmolStr],
}

impl Duplicates<'_> {
    /// Whether the condition is true for the list wherever it is true for the set.
    pub fn keep(self, condition: &Expr) -> bool {
        self.keeps(condition, true)
    }

    fn mentions(self, expr: &Expr) -> bool {
        names(expr, self.module).variables.iter().any(|it| self.variables.contains(it))
    }

    /// Whether the expression is one of the variables.
    fn is_variable(self, expr: &Expr) -> bool {
        let ExprKind::GetAttr { base, name } = &expr.bare().kind else { return false };
        matches!(&base.kind, ExprKind::Variable(it) if it == "var")
            && self.variables.contains(&name.name)
    }

    /// Whether the condition keeps this truth value.
    fn keeps(self, expr: &Expr, truth: bool) -> bool {
        guarded(|| {
            let expr = expr.bare();
            if !self.mentions(expr) || self.is_same(expr) {
                return true;
            }
            match &expr.kind {
                ExprKind::Unary { op: UnaryOp::Not, operand } => self.keeps(operand, !truth),
                ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right, .. } => {
                    self.keeps(left, truth) && self.keeps(right, truth)
                }
                ExprKind::Binary { op, left, right, .. } => self.compares(*op, left, right, truth),
                ExprKind::Conditional { condition, then, otherwise } => {
                    [true, false].iter().all(|it| self.keeps(condition, *it))
                        && self.keeps(then, truth)
                        && self.keeps(otherwise, truth)
                }
                _ => false,
            }
        })
    }

    /// Whether a comparison keeps its truth value: of a length, which only grows.
    fn compares(self, op: BinaryOp, left: &Expr, right: &Expr, truth: bool) -> bool {
        use BinaryOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let (op, limit) = match [left, right].map(|it| self.is_length(it)) {
            [true, false] => (op, right),
            [false, true] => {
                let turned = match op {
                    Less => Greater,
                    LessOrEqual => GreaterOrEqual,
                    Greater => Less,
                    GreaterOrEqual => LessOrEqual,
                    other => other,
                };
                (turned, left)
            }
            _ => return false,
        };
        if self.mentions(limit) {
            return false;
        }
        // Duplicates make no list of nothing.
        let is_of_none = matches!(&limit.bare().kind, ExprKind::Number(it)
            if matches!((op, it.as_str()),
                (Greater | LessOrEqual | Equal | NotEqual, "0") | (GreaterOrEqual | Less, "1")));
        match op {
            _ if is_of_none => true,
            Greater | GreaterOrEqual => truth,
            Less | LessOrEqual => !truth,
            _ => false,
        }
    }

    fn is_length(self, expr: &Expr) -> bool {
        let ExprKind::Call { name, args, expand: false } = &expr.bare().kind else { return false };
        name.name == "length" && args.len() == 1 && self.is_variable(&args[0])
    }

    /// Whether the value is the same for the set and for the list.
    fn is_same(self, expr: &Expr) -> bool {
        guarded(|| {
            let expr = expr.bare();
            if !self.mentions(expr) {
                return true;
            }
            match &expr.kind {
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, ..
                } if [left, right].iter().any(|it| matches!(it.bare().kind, ExprKind::Null)) => {
                    [left, right].iter().all(|it| self.is_variable(it) || !self.mentions(it))
                }
                ExprKind::Binary { left, right, .. } => self.is_same(left) && self.is_same(right),
                ExprKind::Unary { operand, .. } => self.is_same(operand),
                ExprKind::Call { name, args, expand: false } => {
                    match (name.name.as_str(), args.as_slice()) {
                        ("contains", [list, value]) => {
                            (self.is_variable(list) || self.is_same(list)) && self.is_same(value)
                        }
                        ("alltrue" | "anytrue", [list]) => self.is_each(list) || self.is_same(list),
                        (name, args) => args.iter().all(|it| {
                            OF_SETS.contains(&name) && self.is_variable(it) || self.is_same(it)
                        }),
                    }
                }
                _ => false,
            }
        })
    }

    /// `[for it in var.x : P]` where `P` reads nothing else of `x`, and not its place.
    fn is_each(self, expr: &Expr) -> bool {
        let ExprKind::For(it) = &expr.bare().kind else { return false };
        it.key_name.is_none()
            && it.key.is_none()
            && self.is_variable(&it.collection)
            && !self.mentions(&it.value)
            && !it.condition.as_ref().is_some_and(|it| self.mentions(it))
    }
}
