//! Finds the references of an expression: root names that nothing in the expression binds.

use smol_str::SmolStr;

use crate::{
    diagnostic::Span,
    syntax::{Expr, ExprKind, ForExpr, Ident, ObjectKey, TemplatePart},
};

/// A root name and the constant steps after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Root<'e> {
    pub name: &'e str,
    pub steps: Vec<Step<'e>>,
    pub span: Span,
}

/// A step of a reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'e> {
    Attribute(&'e str),
    /// `[0]`, `["a"]`
    Index,
}

/// The references of an expression whose root is not among `bound`, in order of appearance.
pub fn unbound_roots<'e>(expr: &'e Expr, bound: &[SmolStr]) -> Vec<Root<'e>> {
    let mut walk = Walk { bound: bound.to_vec(), found: Vec::new() };
    walk.expr(expr);
    walk.found
}

struct Walk<'e> {
    bound: Vec<SmolStr>,
    found: Vec<Root<'e>>,
}

impl<'e> Walk<'e> {
    fn expr(&mut self, expr: &'e Expr) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.descend(expr));
    }

    fn descend(&mut self, expr: &'e Expr) {
        if let Some(root) = traversal(expr) {
            if !self.bound.iter().any(|it| it == root.name) {
                self.found.push(root);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Template(parts) => self.parts(parts),
            ExprKind::Wrap(inner) | ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::GetAttr { base, .. } => self.expr(base),
            ExprKind::Index { base, key, .. } => self.all([&**base, &**key]),
            ExprKind::Splat { source, each, .. } => self.all([&**source, &**each]),
            ExprKind::Call { args, .. } => self.all(args),
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => self.all([&**left, &**right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.all([&**condition, &**then, &**otherwise]);
            }
            ExprKind::Tuple(elements) => self.all(elements),
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) = &item.key {
                        self.expr(key);
                    }
                    self.expr(&item.value);
                }
            }
            ExprKind::For(it) => self.for_expr(it),
            ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::Variable(_)
            | ExprKind::SplatItem
            | ExprKind::Invalid => (),
        }
    }

    fn all(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|it| self.expr(it));
    }

    fn for_expr(&mut self, it: &'e ForExpr) {
        self.expr(&it.collection);
        self.bound([it.key_name.as_ref(), Some(&it.value_name)], |walk| {
            walk.all(it.key.iter().chain([&it.value]).chain(&it.condition));
        });
    }

    fn parts(&mut self, parts: &'e [TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => (),
                TemplatePart::Interpolation(expr) => self.expr(expr),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.nested(then);
                    self.nested(otherwise);
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    self.expr(collection);
                    self.bound([key.as_ref(), Some(value)], |walk| walk.nested(body));
                }
            }
        }
    }

    fn nested(&mut self, parts: &'e [TemplatePart]) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.parts(parts));
    }

    fn bound(&mut self, names: [Option<&Ident>; 2], walk: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        self.bound.extend(names.into_iter().flatten().map(|it| it.name.clone()));
        walk(self);
        self.bound.truncate(depth);
    }
}

/// The expression as a root name and constant steps.
fn traversal(expr: &Expr) -> Option<Root<'_>> {
    let mut steps = Vec::new();
    let mut at = expr;
    loop {
        match &at.kind {
            ExprKind::Variable(name) => {
                steps.reverse();
                return Some(Root { name, steps, span: expr.span });
            }
            ExprKind::GetAttr { base, name } => {
                steps.push(Step::Attribute(&name.name));
                at = base;
            }
            ExprKind::Index { base, key, .. } if is_constant(key) => {
                steps.push(Step::Index);
                at = base;
            }
            _ => return None,
        }
    }
}

/// Whether the expression is a root name and constant steps.
pub(in crate::eval) fn is_traversal(expr: &Expr) -> bool {
    traversal(expr).is_some()
}

fn is_constant(key: &Expr) -> bool {
    matches!(key.kind, ExprKind::Number(_) | ExprKind::String(_))
}
