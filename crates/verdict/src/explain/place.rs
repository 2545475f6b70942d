//! The place inside of the variable's value that an expression reads.

use super::Walk;
use hcl::{Expr, ExprKind};
use stack::guarded;
use tf_value::{Path, Step, Type};

impl Walk<'_> {
    /// The place whose value an expression gives: `var.x.a[0]`, `port.number`.
    pub fn place(&self, expr: &Expr) -> Option<Path> {
        guarded(|| match &expr.kind {
            ExprKind::Paren(it) | ExprKind::Wrap(it) => self.place(it),
            ExprKind::Variable(name) => {
                let bound = self.bound.iter().rev().find(|it| it.name == *name)?;
                bound.path.clone()
            }
            ExprKind::GetAttr { base, name } if is_root(base) => {
                (name.name == self.name && self.is_free("var")).then(Path::default)
            }
            ExprKind::GetAttr { base, name } => {
                Some(self.place(base)?.with(Step::Attribute(name.name.clone())))
            }
            ExprKind::Index { base, key, .. } => {
                let path = self.place(base)?;
                let is_set = matches!(self.value(base)?.ty(), Type::Set(_));
                let key = self.value(key)?.unmark_deep().0;
                (!is_set && key.is_known() && !key.is_null()).then(|| path.with(Step::Index(key)))
            }
            _ => None,
        })
    }

    fn is_free(&self, name: &str) -> bool {
        !self.bound.iter().any(|it| it.name == name)
    }
}

fn is_root(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(name) if name == "var")
}
