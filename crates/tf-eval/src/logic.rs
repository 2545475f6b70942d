//! `!`, `&&` and `||`.
//!
//! Up to Terraform 1.11 an error in either operand of `&&` and `||` counts. Since 1.12 a controlling operand (false for
//! `&&`, true for `||`) on either side hides the errors in the other one, unless that other one is not a bool. For
//! example, `length(null) > 2 || true` is an error before 1.12, and true since.

use super::{evaluator::Evaluator, operand::Side};
use diagnostics::{Diagnostics, Span};
use hcl::{BinaryOp, Expr};
use release::changes;
use tf_value::{Marks, Type, Value};

/// An operand after conversion to bool, and the errors in it.
struct Operand {
    value: Value,
    errors: Diagnostics,
    /// Whether it converts to bool; if not, nothing hides the error.
    converts: bool,
}

impl Evaluator<'_> {
    /// `!operand`
    pub(super) fn not(&mut self, operand: &Expr, span: Span) -> Value {
        let before = self.mark();
        let value = self.operand(operand, &Type::Bool, Side::Only);
        if self.failed_since(before) || self.refuse_null(&[&value], span) {
            return Value::unknown(Type::Bool);
        }
        let result = negation(&value);
        if result.is_known() { result } else { forget_marks(result) }
    }

    /// `left && right`, `left || right`
    pub(super) fn logic(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Value {
        let left = self.bool_operand(left, Side::Left);
        let right = self.bool_operand(right, Side::Right);
        if self.is_stopped() {
            return Value::unknown(Type::Bool);
        }
        let controlling = op == BinaryOp::Or;
        let kleene =
            self.scope.release.has(&changes::KLEENE_LOGIC) && left.converts && right.converts;
        if let Some(it) = kleene.then(|| self.forced(controlling, &left, &right)).flatten() {
            return it;
        }
        let failed = [&left, &right].iter().any(|it| !it.errors.is_empty() || !it.converts);
        self.errors.extend(left.errors);
        self.errors.extend(right.errors);
        if failed || self.refuse_null(&[&left.value, &right.value], span) {
            return Value::unknown(Type::Bool);
        }
        let result = combine(controlling, &left.value, &right.value);
        // Up to 1.11, an unknown result forgets the marks of its operands.
        let forgets = !result.is_known() && !self.scope.release.has(&changes::KLEENE_LOGIC);
        if forgets { forget_marks(result) } else { result }
    }

    fn bool_operand(&mut self, expr: &Expr, side: Side) -> Operand {
        let before = self.mark();
        let value = self.eval(expr);
        let errors = self.errors_since(before);
        let value = self.converted_operand(&value, expr, &Type::Bool, side);
        let converts = value.is_some();
        Operand { value: value.unwrap_or(Value::unknown(Type::Bool)), errors, converts }
    }

    /// The result if one operand alone decides it. For `&&` a null decides like false, and so does an
    /// unknown on the left against an unknown or wrong right side.
    fn forced(&mut self, controlling: bool, left: &Operand, right: &Operand) -> Option<Value> {
        let decides = |it: &Value| it.is_known() && is_true(it) == controlling;
        for (it, other) in [(left, right), (right, left)] {
            if decides(&it.value) {
                self.errors.extend(it.errors.clone());
                // The plan's values in the other operand change nothing.
                let marks = it.value.marks() | other.value.marks().without(Marks::UNDECIDED);
                return Some(Value::bool(controlling).with_marks(marks));
            }
        }
        let marks = left.value.marks() | right.value.marks();
        let (unknown, known) = match (left.value.is_known(), right.value.is_known()) {
            (false, true) => (left, right),
            (true, false) => (right, left),
            (false, false) if left.errors.is_empty() => {
                return Some(Value::unknown_not_null(Type::Bool).with_marks(marks));
            }
            _ => return None,
        };
        debug_assert!(!decides(&known.value));
        self.errors.extend(unknown.errors.clone());
        Some(Value::unknown_not_null(Type::Bool).with_marks(marks))
    }
}

/// Whether a value is true; null is not.
fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true)
}

fn combine(controlling: bool, left: &Value, right: &Value) -> Value {
    let marks = left.marks() | right.marks();
    let result = match (left.as_bool(), right.as_bool()) {
        (Some(left), Some(right)) if controlling => Value::bool(left || right),
        (Some(left), Some(right)) => Value::bool(left && right),
        _ => Value::unknown_not_null(Type::Bool),
    };
    result.with_marks(marks)
}

/// The opposite of a bool that is not null, with its marks.
pub(super) fn negation(value: &Value) -> Value {
    let result = value.as_bool().map(|it| Value::bool(!it));
    result.unwrap_or_else(|| Value::unknown_not_null(Type::Bool)).with_marks(value.marks())
}

/// The same value without Terraform's marks, which some operators forget where an operand is unknown.
pub(super) fn forget_marks(value: Value) -> Value {
    let (value, marks) = value.unmark();
    value.with_marks(marks.of_ours())
}
