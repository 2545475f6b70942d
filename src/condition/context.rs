//! What a translation knows beside the condition: the variable, its type, and constants.

use super::constant;
use crate::{
    module::{Module, Variable},
    syntax::{Expr, ExprKind},
    value::{Type, Value},
};

/// The variable whose condition is translated, in its module.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    module: &'a Module,
    pub variable: &'a Variable,
}

impl<'a> Context<'a> {
    pub fn new(module: &'a Module, variable: &'a Variable) -> Self {
        Context { module, variable }
    }

    /// The declared type, optional attributes marked; `Dynamic` for `any`.
    pub fn ty(&self) -> &'a Type {
        &self.variable.constraint.ty
    }

    /// Whether the expression is the variable itself: `var.NAME`, in parentheses or not.
    pub fn is_subject(&self, expr: &Expr) -> bool {
        let ExprKind::GetAttr { base, name } = &bare(expr).kind else { return false };
        matches!(&base.kind, ExprKind::Variable(root) if root == "var")
            && name.name == self.variable.name
    }

    /// The value of an expression that depends on nothing but constants (locals may be some).
    pub fn constant(&self, expr: &Expr) -> Option<Value> {
        constant::fold_in(self.module, expr)
    }
}

/// The expression without parentheses around it and without a template that only wraps it.
pub fn bare(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Paren(inner) | ExprKind::Wrap(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The arguments of a plain call of `function` with `N` arguments.
pub fn call<'e, const N: usize>(expr: &'e Expr, function: &str) -> Option<&'e [Expr; N]> {
    let ExprKind::Call { name, args, expand: false } = &bare(expr).kind else { return None };
    if name.name != function {
        return None;
    }
    args.as_slice().try_into().ok()
}
