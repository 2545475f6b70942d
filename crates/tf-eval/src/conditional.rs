//! `condition ? then : otherwise`.
//!
//! Both branches are always evaluated, since they determine the common type. The errors of the branch
//! not taken are dropped; with an unknown condition the errors of both are.

use super::evaluator::{Evaluator, dynamic};
use diagnostics::{Diagnostics, EvalError, Span};
use hcl::Expr;
use release::changes;
use tf_value::{
    Marks, Number, Refinements, Type, Unified, Value, convert, difference, unify_unsafe,
};

/// A branch's value, errors and name.
struct Branch {
    value: Value,
    errors: Diagnostics,
    name: &'static str,
}

impl Evaluator<'_> {
    pub(super) fn conditional(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
    ) -> Value {
        let then = self.branch("true", |it| it.eval(then));
        let otherwise = self.branch("false", |it| it.eval(otherwise));
        self.choose(condition, then, otherwise, span)
    }

    /// `%{ if }`: the same with two pieces of text.
    pub(super) fn conditional_text(
        &mut self,
        condition: &Expr,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
        span: Span,
    ) -> Value {
        let then = self.branch("true", then);
        let otherwise = self.branch("false", otherwise);
        self.choose(condition, then, otherwise, span)
    }

    fn branch(&mut self, name: &'static str, eval: impl FnOnce(&mut Self) -> Value) -> Branch {
        let before = self.mark();
        let value = eval(self);
        Branch { value, errors: self.errors_since(before), name }
    }

    fn choose(&mut self, condition: &Expr, then: Branch, otherwise: Branch, span: Span) -> Value {
        if !self.can_unify(&then.value, &otherwise.value, span) {
            return dynamic();
        }
        let Some(common) = common_type(&then.value, &otherwise.value) else {
            self.error(EvalError::InconsistentResults, mismatch(&then, &otherwise), span);
            return dynamic();
        };
        let ty = if common.undetermined { Type::Dynamic } else { common.ty.clone() };
        let decision = self.eval(condition);
        if decision.is_null() {
            let detail = "The condition value is null. Conditions must either be true or false.";
            self.error(EvalError::NullCondition, detail, condition.span);
            return Value::unknown(ty);
        }
        if !decision.is_known() {
            return self.undecided_choice(&decision, &then.value, &otherwise.value, &ty);
        }
        let Ok(decision) = convert(&decision, &Type::Bool) else {
            let detail = "The condition expression must be of type bool.";
            self.error(EvalError::ConditionType, detail, condition.span);
            return Value::unknown(ty);
        };
        let is_true = decision.as_bool() == Some(true);
        let (taken, other) = if is_true { (then, otherwise) } else { (otherwise, then) };
        // A branch not taken may still reveal a secret, but it decides nothing.
        let mut marks = decision.marks() | other.value.marks().without(Marks::UNDECIDED);
        if !self.scope.release.has(&changes::CONDITIONAL_MARKS) {
            marks = marks.without(Marks::SENSITIVE);
        }
        self.take(taken, &common, span).with_marks(marks)
    }

    /// Charges the work of converting both branches to one type; there is none if they share it.
    fn can_unify(&mut self, then: &Value, otherwise: &Value, span: Span) -> bool {
        let (left, right) = (then.ty(), otherwise.ty());
        if left.shares(right) {
            return true;
        }
        let types = left.size().saturating_add(right.size());
        let values = then.size().saturating_add(otherwise.size()).saturating_mul(4);
        self.spend(types / 8, span)
            && (left == right || self.spend(values.saturating_add(types), span))
    }

    fn undecided_choice(
        &self,
        decision: &Value,
        then: &Value,
        otherwise: &Value,
        ty: &Type,
    ) -> Value {
        let marks = decision.marks() | then.marks() | otherwise.marks();
        let what = if self.scope.release.has(&changes::REFINEMENTS) {
            either(then, otherwise, ty)
        } else {
            Value::unknown(ty.clone())
        };
        what.with_marks(marks)
    }

    fn take(&mut self, branch: Branch, common: &Unified, span: Span) -> Value {
        self.errors.extend(branch.errors);
        match common.apply(&branch.value) {
            Ok(it) => it,
            Err(error) => {
                let detail = format!(
                    "The {} result value has the wrong type: {}.",
                    branch.name, error.reason
                );
                self.error(EvalError::InconsistentResults, detail, span);
                Value::unknown(common.ty.clone())
            }
        }
    }
}

/// The common type: an untyped null takes the other branch's.
fn common_type(then: &Value, otherwise: &Value) -> Option<Unified> {
    let only = |it: &Value| Some(Unified::from(it.ty().clone()));
    if is_untyped_null(then) {
        return only(otherwise);
    }
    if is_untyped_null(otherwise) {
        return only(then);
    }
    if [then, otherwise].iter().any(|it| *it.ty() == Type::Dynamic) {
        return Some(Unified::from(Type::Dynamic));
    }
    unify_unsafe(&[then.ty().clone(), otherwise.ty().clone()])
}

fn is_untyped_null(value: &Value) -> bool {
    value.is_null() && *value.ty() == Type::Dynamic && value.marks().of_terraform().is_empty()
}

/// Hidden values are compared by the names of their types alone: attribute names may be secrets, too.
fn mismatch(then: &Branch, otherwise: &Branch) -> String {
    let hidden = (then.value.deep_marks() | otherwise.value.deep_marks()).is_hidden();
    let (left, right) = (then.value.ty(), otherwise.value.ty());
    let differ = if hidden {
        let (left, right) = (left.friendly_name(), right.friendly_name());
        format!("the 'true' value is {left}, and the 'false' value is {right}")
    } else {
        difference("the 'true' value", left, "the 'false' value", right)
    };
    format!("Both results of a conditional must have a type in common, but {differ}.")
}

/// The result for an unknown condition: refined by facts that hold for both branches.
fn either(then: &Value, otherwise: &Value, ty: &Type) -> Value {
    if then.is_null() && otherwise.is_null() {
        return Value::null(ty.clone());
    }
    let not_null = is_not_null(then) && is_not_null(otherwise);
    if let Some(it) = number_between(then, otherwise, ty) {
        return it;
    }
    let mut refinements = Refinements { not_null, ..Refinements::default() };
    if then.ty() == otherwise.ty() && then.ty().is_collection() {
        let ((low, high), (other_low, other_high)) = (lengths(then), lengths(otherwise));
        refinements.lower = Some((Number::from_i64(low.min(other_low)), true));
        let high = high.zip(other_high).map(|(high, other)| high.max(other));
        refinements.upper = high.map(|it| (Number::from_i64(it), true));
    }
    let known_more = not_null || refinements.upper.is_some();
    let result = Value::unknown(ty.clone());
    if known_more && *ty != Type::Dynamic { result.refined(refinements) } else { result }
}

/// The number between two known ones: `unknown ? 1 : 0` is between 0 and 1; `unknown ? 1 : 1` is 1.
fn number_between(then: &Value, otherwise: &Value, ty: &Type) -> Option<Value> {
    let (first, second) = (then.as_number()?, otherwise.as_number()?);
    if *ty != Type::Number {
        return None;
    }
    if first == second {
        return Some(Value::number(first.clone()));
    }
    let first_is_less = first.compare(second).is_lt();
    let (lower, upper) = if first_is_less { (first, second) } else { (second, first) };
    let refinements = Refinements {
        not_null: true,
        lower: Some((lower.clone(), true)),
        upper: Some((upper.clone(), true)),
        ..Refinements::default()
    };
    Some(Value::unknown(Type::Number).refined(refinements))
}

fn is_not_null(value: &Value) -> bool {
    if value.is_known() {
        !value.is_null()
    } else {
        value.refinements().is_some_and(|it| it.not_null)
    }
}

/// The least and the greatest number of elements of a collection.
fn lengths(value: &Value) -> (i64, Option<i64>) {
    let count = value.as_sequence().map(<[Value]>::len);
    let count = count.or_else(|| value.as_mapping().map(std::collections::BTreeMap::len));
    if let Some(count) = count.and_then(|it| i64::try_from(it).ok()) {
        return (count, Some(count));
    }
    let Some(known) = value.refinements() else { return (0, None) };
    let number = |it: &Option<(Number, bool)>| it.as_ref().and_then(|(number, _)| number.to_i64());
    (number(&known.lower).unwrap_or(0), number(&known.upper))
}
