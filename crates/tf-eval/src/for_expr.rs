//! `[for k, v in c : value if condition]` and `{for k, v in c : key => value…}`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    constructors::object_work,
    evaluator::{Evaluator, dynamic},
};
use diagnostics::{EvalError, Span};
use hcl::{Expr, ForExpr, Ident};
use release::changes;
use tf_value::{Marks, Type, Value, convert, ops, quoted};

/// The names that an iteration binds.
#[derive(Clone, Copy)]
pub(super) struct Bindings<'e> {
    pub key: Option<&'e Ident>,
    pub value: &'e Ident,
}

/// The results of an iteration so far.
#[derive(Default)]
struct Progress {
    marks: Marks,
    /// Whether the result is unknown already; more errors of the same kind would only repeat the first.
    unknown: bool,
}

impl Evaluator<'_> {
    pub(super) fn for_expr(&mut self, it: &ForExpr) -> Value {
        let names = Bindings { key: it.key_name.as_ref(), value: &it.value_name };
        let condition = it.condition.as_ref().map(|it| (it, names));
        let (collection, marks) = match self.collection(&it.collection, condition) {
            Ok(it) => it,
            Err(value) => return value,
        };
        let mut progress = Progress { marks, unknown: false };
        let value = match &it.key {
            Some(key) => self.for_object(it, key, names, &collection, &mut progress),
            None => self.for_tuple(it, names, &collection, &mut progress),
        };
        let value = if progress.unknown { dynamic() } else { value };
        value.with_marks(progress.marks)
    }

    /// The elements of the collection with its marks; or the result, if there is nothing to iterate
    /// over. The `if` clause is tried first.
    pub(super) fn collection(
        &mut self,
        expr: &Expr,
        condition: Option<(&Expr, Bindings<'_>)>,
    ) -> Result<(Vec<(Value, Value)>, Marks), Value> {
        let (value, marks) = self.eval(expr).unmark();
        if value.is_null() {
            let detail = "A null value cannot be iterated over.";
            self.error(EvalError::IterationOverNull, detail, expr.span);
            return Err(dynamic());
        }
        if *value.ty() == Type::Dynamic {
            // Terraform loses its own marks here.
            return Err(dynamic().with_marks(marks.of_ours()));
        }
        if !ops::is_iterable(value.ty()) {
            let detail = format!("A {} cannot be iterated over.", value.ty().friendly_name());
            self.error(EvalError::NotIterable, detail, expr.span);
            return Err(dynamic());
        }
        let elements = ops::elements(&value);
        let tries =
            elements.is_some() || self.scope.release.has(&changes::FOR_CONDITION_OF_UNKNOWN);
        if condition.is_some_and(|(it, names)| tries && !self.check_condition(it, names)) {
            return Err(dynamic().with_marks(marks));
        }
        let Some(elements) = elements else {
            return Err(dynamic().with_marks(marks));
        };
        let length = ops::length(&value).and_then(|it| it.as_number()?.to_u64()).unwrap_or(1);
        if !self.spend(length, expr.span) {
            return Err(dynamic());
        }
        let elements = elements.map(|(key, it)| (key, it.clone())).collect();
        Ok((elements, marks))
    }

    /// Evaluates with these names bound.
    pub(super) fn bound<T>(
        &mut self,
        names: Bindings<'_>,
        key: Value,
        value: Value,
        eval: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.names.len();
        if let Some(name) = names.key {
            self.names.push((name.name.clone(), key));
        }
        self.names.push((names.value.name.clone(), value));
        let result = eval(self);
        self.names.truncate(depth);
        result
    }

    /// Tries the `if` clause once with unknown names, as HCL does. So it reports one error, even for an
    /// empty collection, instead of one for each element.
    fn check_condition(&mut self, condition: &Expr, names: Bindings<'_>) -> bool {
        let before = self.mark();
        let result = self.bound(names, dynamic(), dynamic(), |it| it.eval(condition));
        if result.is_null() {
            let detail = "The value of the 'if' clause must not be null.";
            self.error(EvalError::NullForCondition, detail, condition.span);
        } else if let Err(error) = convert(&result, &Type::Bool) {
            let detail = format!("The 'if' clause value is invalid: {}.", error.reason);
            self.error(EvalError::InvalidForCondition, detail, condition.span);
        }
        !self.failed_since(before)
    }

    fn for_tuple(
        &mut self,
        it: &ForExpr,
        names: Bindings<'_>,
        collection: &[(Value, Value)],
        progress: &mut Progress,
    ) -> Value {
        let mut values = Vec::with_capacity(collection.len());
        for (key, value) in collection {
            let value = self.bound(names, key.clone(), value.clone(), |this| {
                this.is_included(it.condition.as_ref(), progress).then(|| this.eval(&it.value))
            });
            values.extend(value);
        }
        Value::tuple(values)
    }

    fn for_object(
        &mut self,
        it: &ForExpr,
        key_expr: &Expr,
        names: Bindings<'_>,
        collection: &[(Value, Value)],
        progress: &mut Progress,
    ) -> Value {
        let mut groups: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
        for (key, value) in collection {
            let item = self.bound(names, key.clone(), value.clone(), |this| {
                if !this.is_included(it.condition.as_ref(), progress) {
                    return None;
                }
                let key = this.for_key(key_expr, progress)?;
                Some((key, this.eval(&it.value)))
            });
            let Some((key, value)) = item else { continue };
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() || it.group {
                group.push(value);
            } else {
                self.duplicate_key(&key, key_expr.span, progress);
            }
        }
        self.spend(object_work(groups.len()), it.value.span);
        let attribute = |(key, mut group): (SmolStr, Vec<Value>)| {
            let value = if it.group { None } else { group.pop() };
            (key, value.unwrap_or_else(|| Value::tuple(group)))
        };
        Value::object(groups.into_iter().map(attribute).collect())
    }

    fn is_included(&mut self, condition: Option<&Expr>, progress: &mut Progress) -> bool {
        let Some(expr) = condition else { return true };
        let value = self.eval(expr);
        if value.is_null() {
            let detail = "The value of the 'if' clause must not be null.";
            self.once(progress, EvalError::InvalidForCondition, detail.to_string(), expr.span);
            return false;
        }
        let include = match convert(&value, &Type::Bool) {
            Ok(it) => it,
            Err(error) => {
                let detail = format!("The 'if' clause value is invalid: {}.", error.reason);
                self.once(progress, EvalError::InvalidForCondition, detail, expr.span);
                return false;
            }
        };
        progress.marks |= include.marks();
        progress.unknown |= !include.is_known();
        include.as_bool() == Some(true)
    }

    fn for_key(&mut self, expr: &Expr, progress: &mut Progress) -> Option<SmolStr> {
        let value = self.eval(expr);
        if value.is_null() {
            let detail = "The key of a 'for' expression must not be null.".to_string();
            self.once(progress, EvalError::InvalidForKey, detail, expr.span);
            return None;
        }
        progress.marks |= value.marks();
        match convert(&value, &Type::String) {
            Ok(key) => {
                progress.unknown |= !key.is_known();
                key.as_str().map(SmolStr::new)
            }
            Err(_) if !value.is_known() => {
                progress.unknown = true;
                None
            }
            Err(error) => {
                let detail =
                    format!("The key expression produced an invalid result: {}.", error.reason);
                self.once(progress, EvalError::InvalidForKey, detail, expr.span);
                None
            }
        }
    }

    /// Reports an error unless the result is unknown already.
    fn once(&mut self, progress: &mut Progress, error: EvalError, detail: String, span: Span) {
        if !progress.unknown {
            self.error(error, detail, span);
        }
        progress.unknown = true;
    }

    fn duplicate_key(&mut self, key: &str, span: Span, progress: &Progress) {
        // A sensitive key is not shown.
        let which =
            if progress.marks.is_hidden() { String::new() } else { format!(" {}", quoted(key)) };
        let detail = format!(
            "Two different items produced the same key{which} in this 'for' expression. To \
            group the values by key, put an ellipsis (...) after the value expression."
        );
        self.error(EvalError::DuplicateKey, detail, span);
    }
}
