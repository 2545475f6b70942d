//! Constant expressions.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{
    module::Module,
    syntax::{Expr, ExprKind, ObjectItem, ObjectKey, UnaryOp},
    value::{Number, Type, Value},
};

/// How many locals may stand for one another before a cycle is taken for granted.
const MAX_LOCALS: usize = 32;

/// The value of a literal or of an expression over literals; `None` for what is no constant.
pub fn fold(expr: &Expr) -> Option<Value> {
    Folder { module: None, locals: 0 }.fold(expr)
}

/// As [`fold`], with the module's constant locals in their places.
pub fn fold_in(module: &Module, expr: &Expr) -> Option<Value> {
    Folder { module: Some(module), locals: 0 }.fold(expr)
}

#[derive(Clone, Copy)]
struct Folder<'a> {
    module: Option<&'a Module>,
    /// Locals entered on the way here.
    locals: usize,
}

impl Folder<'_> {
    fn fold(self, expr: &Expr) -> Option<Value> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &expr.kind {
            ExprKind::Number(text) => Number::parse(text).map(Value::number),
            ExprKind::Bool(it) => Some(Value::bool(*it)),
            ExprKind::Null => Some(Value::null(Type::Dynamic)),
            ExprKind::String(text) => Some(Value::string(text)),
            ExprKind::Paren(inner) | ExprKind::Wrap(inner) => self.fold(inner),
            ExprKind::Unary { op: UnaryOp::Negate, operand } => {
                Some(Value::number(self.fold(operand)?.as_number()?.negate()))
            }
            ExprKind::Tuple(elements) => {
                let elements = elements.iter().map(|it| self.fold(it));
                Some(Value::tuple(elements.collect::<Option<_>>()?))
            }
            ExprKind::Object(items) => {
                let members = items.iter().map(|it| self.member(it));
                Some(Value::object(members.collect::<Option<BTreeMap<_, _>>>()?))
            }
            ExprKind::GetAttr { base, name } => self.local(base, &name.name),
            _ => None,
        })
    }

    fn member(self, item: &ObjectItem) -> Option<(SmolStr, Value)> {
        let key = match &item.key {
            ObjectKey::Name(name) => crate::value::nfc(&name.name),
            ObjectKey::Expr(expr) => self.fold(expr)?.as_str()?.into(),
        };
        Some((key, self.fold(&item.value)?))
    }

    fn local(self, base: &Expr, name: &str) -> Option<Value> {
        let is_local = matches!(&base.kind, ExprKind::Variable(root) if root == "local");
        if !is_local || self.locals == MAX_LOCALS {
            return None;
        }
        let local = self.module?.locals.get(name)?;
        Folder { locals: self.locals + 1, ..self }.fold(&local.expr)
    }
}
