//! Visits the expressions inside of an expression.

use super::{Expr, ExprKind, ObjectKey, TemplatePart};
use stack::guarded;

impl Expr {
    /// Visits the expressions directly inside of this one, in source order; those of a template are
    /// at any depth of its directives.
    pub fn for_each_child<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Template(parts) => for_each_in_template(parts, visit),
            ExprKind::Wrap(it) | ExprKind::Paren(it) => visit(it),
            ExprKind::GetAttr { base, .. } => visit(base),
            ExprKind::Index { base, key, .. } => [base, key].into_iter().for_each(|it| visit(it)),
            ExprKind::Splat { source, each, .. } => {
                [source, each].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Call { args, .. } | ExprKind::Tuple(args) => args.iter().for_each(visit),
            ExprKind::Unary { operand, .. } => visit(operand),
            ExprKind::Binary { left, right, .. } => {
                [left, right].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) | ObjectKey::Template(key) = &item.key {
                        visit(key);
                    }
                    visit(&item.value);
                }
            }
            ExprKind::For(it) => {
                let parts = [Some(&it.collection), it.key.as_ref(), Some(&it.value)];
                parts.into_iter().flatten().chain(&it.condition).for_each(visit);
            }
            ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::Variable(_)
            | ExprKind::SplatItem
            | ExprKind::Invalid => (),
        }
    }
}

fn for_each_in_template<'e>(parts: &'e [TemplatePart], visit: &mut dyn FnMut(&'e Expr)) {
    for part in parts {
        match part {
            TemplatePart::Literal { .. } => (),
            TemplatePart::Interpolation(it) => visit(it),
            TemplatePart::If { condition, then, otherwise, .. } => {
                visit(condition);
                nested(then, visit);
                nested(otherwise, visit);
            }
            TemplatePart::For { collection, body, .. } => {
                visit(collection);
                nested(body, visit);
            }
        }
    }
}

fn nested<'e>(parts: &'e [TemplatePart], visit: &mut dyn FnMut(&'e Expr)) {
    guarded(|| for_each_in_template(parts, visit));
}
