//! `source.*.name` and `source[*].name[0]`.

use super::evaluator::{Evaluator, dynamic};
use diagnostics::{EvalError, Span};
use hcl::Expr;
use tf_value::{Refinements, Type, Value};

impl Evaluator<'_> {
    /// Walks a list, set or tuple. Any other value counts as a sequence of one, and null as an empty
    /// one.
    pub(super) fn splat(&mut self, source: &Expr, each: &Expr, marker: Span) -> Value {
        let before = self.mark();
        let value = self.eval(source);
        if self.failed_since(before) {
            // Reports the errors that do not depend on the element.
            self.each(each, dynamic());
            return dynamic();
        }
        let (value, marks) = value.unmark();
        let is_sequence = matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if value.is_null() && is_sequence {
            let detail = "A splat (*) cannot be applied to a null sequence.";
            self.error(EvalError::SplatOfNull, detail, marker);
            return dynamic();
        }
        let result = if value.is_null() {
            Value::tuple(Vec::new())
        } else if *value.ty() == Type::Dynamic {
            dynamic()
        } else if is_sequence {
            self.over_sequence(&value, each)
        } else {
            self.over_single(value, each)
        };
        result.with_marks(marks)
    }

    fn each(&mut self, each: &Expr, item: Value) -> Value {
        self.items.push(item);
        let value = self.eval(each);
        self.items.pop();
        value
    }

    /// A single value that may turn out null may give no element.
    fn over_single(&mut self, value: Value, each: &Expr) -> Value {
        let may_be_null = !value.is_known() && !value.refinements().is_some_and(|it| it.not_null);
        let item = self.each(each, value);
        if may_be_null { dynamic() } else { Value::tuple(vec![item]) }
    }

    fn over_sequence(&mut self, value: &Value, each: &Expr) -> Value {
        let Some(elements) = value.as_sequence() else {
            return self.over_unknown(value, each);
        };
        let before = self.mark();
        let items: Vec<Value> = elements.iter().map(|it| self.each(each, it.clone())).collect();
        if self.failed_since(before) {
            // Errors of the types only repeat those of the elements.
            let before = self.mark();
            let result = Value::unknown(self.type_over(value, each));
            self.errors_since(before);
            return result;
        }
        if matches!(value.ty(), Type::Tuple(_)) {
            return Value::tuple(items);
        }
        self.list_of(value, items, each)
    }

    fn list_of(&mut self, source: &Value, items: Vec<Value>, each: &Expr) -> Value {
        let Some(first) = items.first() else {
            return Value::list(self.element_type(source, each), Vec::new());
        };
        let ty = first.ty().clone();
        let strangers = items.iter().filter(|it| !it.ty().shares(&ty));
        let work = strangers.map(|it| it.ty().size()).fold(0, u64::saturating_add) / 8;
        if work > 0 && !self.spend(work, each.span) {
            return dynamic();
        }
        if items.iter().any(|it| *it.ty() != ty) {
            return Value::unknown(Type::list(Type::Dynamic));
        }
        Value::list(ty, items)
    }

    /// The type of the result's elements; reports the errors that every element gives.
    fn element_type(&mut self, source: &Value, each: &Expr) -> Type {
        let element = source.ty().element().cloned().unwrap_or(Type::Dynamic);
        self.each(each, Value::unknown(element)).ty().clone()
    }

    /// The type of the result, from the type of the sequence alone.
    fn type_over(&mut self, sequence: &Value, each: &Expr) -> Type {
        let Type::Tuple(types) = sequence.ty() else {
            return Type::list(self.element_type(sequence, each));
        };
        let types = types.iter().map(|it| self.each(each, Value::unknown(it.clone())));
        Type::tuple(types.map(|it| it.ty().clone()).collect())
    }

    fn over_unknown(&mut self, value: &Value, each: &Expr) -> Value {
        let ty = self.type_over(value, each);
        if matches!(ty, Type::Tuple(_)) {
            return Value::unknown_not_null(ty);
        }
        let length = value.refinements().cloned().unwrap_or_default();
        let (lower, upper) = (length.lower, length.upper);
        let refinements = Refinements { not_null: true, lower, upper, ..Refinements::default() };
        Value::unknown(ty).refined(refinements)
    }
}
