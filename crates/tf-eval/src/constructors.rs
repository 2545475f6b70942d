//! `[a, b]` and `{ a = b }`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    evaluator::{Evaluator, dynamic},
    references,
};
use diagnostics::{EvalError, Span};
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey};
use tf_value::{Marks, Type, Value, convert};

/// The work of making an object with this number of attributes.
pub(super) fn object_work(attributes: usize) -> u64 {
    4 + 4 * attributes as u64
}

impl Evaluator<'_> {
    pub(super) fn tuple(&mut self, elements: &[Expr]) -> Value {
        Value::tuple(elements.iter().map(|it| self.eval(it)).collect())
    }

    /// An object: of equal keys the last wins unless it is JSON, and an unknown key makes the whole unknown.
    pub(super) fn object(&mut self, items: &[ObjectItem], span: Span) -> Value {
        let mut attributes = BTreeMap::new();
        let mut marks = Marks::NONE;
        let mut known = true;
        let takes_once = items.iter().any(|it| matches!(it.key, ObjectKey::Template(_)));
        for item in items {
            let key = self.object_key(&item.key, &mut marks);
            let value = self.eval(&item.value);
            let Some(key) = key else {
                known = false;
                continue;
            };
            if attributes.insert(key, value).is_some() && takes_once {
                let detail = "This object has two keys with the same value.";
                self.error(EvalError::DuplicateAttribute, detail, span);
            }
        }
        self.spend(object_work(items.len()), span);
        // An object with an unknown key forgets the marks of its keys.
        if known {
            Value::object(attributes).with_marks(marks)
        } else {
            dynamic().with_marks(marks.of_ours())
        }
    }

    /// The key's text; `None` if it is unknown or wrong.
    fn object_key(&mut self, key: &ObjectKey, marks: &mut Marks) -> Option<SmolStr> {
        let expr = match key {
            ObjectKey::Name(name) => return Some(tf_value::nfc(&name.name)),
            ObjectKey::Expr(expr) | ObjectKey::Template(expr) => expr,
        };
        if matches!(expr.kind, ExprKind::GetAttr { .. } | ExprKind::Index { .. })
            && references::is_traversal(expr)
        {
            let detail = "Write a reference as a key in parentheses, and a name with dots in \
                quotes.";
            self.error(EvalError::AmbiguousKey, detail, expr.span);
            return None;
        }
        let before = self.mark();
        let (value, own) = self.eval(expr).unmark();
        if self.failed_since(before) {
            return None;
        }
        if value.is_null() {
            self.error(EvalError::NullKey, "Can't use a null value as a key.", expr.span);
            return None;
        }
        if matches!(key, ObjectKey::Template(_))
            && !own.of_terraform().is_empty()
            && value.is_known()
        {
            let detail = "Terraform crashes if a key in JSON is sensitive or ephemeral.";
            self.error(EvalError::KeyType, detail, expr.span);
            return None;
        }
        *marks |= own;
        match convert(&value, &Type::String) {
            Ok(it) => it.as_str().map(SmolStr::new),
            Err(error) => {
                let detail = format!("Can't use this value as a key: {}.", error.reason);
                self.error(EvalError::KeyType, detail, expr.span);
                None
            }
        }
    }
}
