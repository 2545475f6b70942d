//! `-x`, `+ - * / %` and `< <= > >=`.

use super::{evaluator::Evaluator, operand::Side};
use diagnostics::Span;
use hcl::{BinaryOp, Expr};
use release::changes;
use tf_value::{Marks, Number, Type, Value, ops};

impl Evaluator<'_> {
    /// `-operand`
    pub(super) fn negate(&mut self, operand: &Expr, span: Span) -> Value {
        let before = self.mark();
        let value = self.operand(operand, &Type::Number, Side::Only);
        if self.failed_since(before) || self.refuse_null(&[&value], span) {
            return Value::unknown(Type::Number);
        }
        let marks = value.marks();
        match value.as_number() {
            Some(it) => Value::number(it.negate()).with_marks(marks),
            None => Value::unknown_not_null(Type::Number).with_marks(marks.of_ours()),
        }
    }

    /// An arithmetic operation or an order comparison.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Value {
        let ty = if is_comparison(op) { Type::Bool } else { Type::Number };
        let before = self.mark();
        let left = self.operand(left, &Type::Number, Side::Left);
        let right = self.operand(right, &Type::Number, Side::Right);
        if self.failed_since(before) || self.refuse_null(&[&left, &right], span) {
            return Value::unknown(ty);
        }
        let is_open = [&left, &right].into_iter().all(ops::is_open_where_undecided);
        let ((left, left_marks), (right, right_marks)) = (left.unmark(), right.unmark());
        let result = match (left.as_number(), right.as_number()) {
            (Some(_), Some(_)) if is_comparison(op) => Some(compare(op, &left, &right)),
            (Some(left), Some(right)) => self.compute(op, left, right, span),
            _ if is_comparison(op) => Some(compare_ranges(op, &left, &right)),
            _ => Some(Value::unknown_not_null(Type::Number)),
        };
        let result = result.unwrap_or(Value::unknown(ty));
        let mut marks = left_marks | right_marks;
        if is_open && result.is_known() {
            marks = marks.without(Marks::UNDECIDED);
        }
        result.with_marks(marks)
    }

    fn compute(
        &mut self,
        op: BinaryOp,
        left: &Number,
        right: &Number,
        span: Span,
    ) -> Option<Value> {
        self.spend((left.size() + right.size()) / 16, span);
        let result = match op {
            BinaryOp::Add => left.add(right),
            BinaryOp::Subtract => left.subtract(right),
            BinaryOp::Multiply => left.multiply(right),
            BinaryOp::Divide => left.divide(right),
            _ => left.modulo(right),
        };
        match result {
            Ok(it) if self.scope.release.has(&changes::WHOLE_NUMBERS_BY_VALUE) => {
                Some(Value::number(it))
            }
            Ok(it) => Some(Value::number(it.equal_by_text())),
            Err(reason) => {
                self.operation_failed(reason, span);
                None
            }
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual
    )
}

/// Compares numbers; `<=` and `>=` also hold for numbers that are equal as texts.
fn compare(op: BinaryOp, left: &Value, right: &Value) -> Value {
    let order = match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => left.compare(right),
        _ => return Value::unknown_not_null(Type::Bool),
    };
    Value::bool(match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::LessOrEqual => order.is_lt() || left == right,
        _ => order.is_gt() || left == right,
    })
}

/// Compares with an unknown operand, whose bounds may decide.
fn compare_ranges(op: BinaryOp, left: &Value, right: &Value) -> Value {
    let strict = match op {
        BinaryOp::Less | BinaryOp::LessOrEqual => ranges_apart(left, right),
        _ => ranges_apart(right, left),
    };
    let result = match (op, strict) {
        (BinaryOp::Less | BinaryOp::Greater, it) => it,
        (_, Some(true)) => Some(true),
        (_, strict) => match (ops::equals(left, right).as_bool(), strict) {
            (Some(false), Some(false)) => Some(false),
            (Some(true), _) => Some(true),
            _ => None,
        },
    };
    result.map_or_else(|| Value::unknown_not_null(Type::Bool), Value::bool)
}

/// Whether the lower is surely below the upper, or surely above it; `None` for bounds that touch, even
/// exclusive ones (as in cty).
fn ranges_apart(lower: &Value, upper: &Value) -> Option<bool> {
    let below = |left: &Option<Number>, right: &Option<Number>| match (left, right) {
        (Some(left), Some(right)) => left.compare(right).is_lt(),
        _ => false,
    };
    let ((low_min, low_max), (high_min, high_max)) = (bounds(lower), bounds(upper));
    if below(&low_max, &high_min) {
        return Some(true);
    }
    below(&high_max, &low_min).then_some(false)
}

/// The least and the greatest number that a value can be; `None` if unbounded.
fn bounds(value: &Value) -> (Option<Number>, Option<Number>) {
    if let Some(it) = value.as_number() {
        return (Some(it.clone()), Some(it.clone()));
    }
    let Some(refinements) = value.refinements() else { return (None, None) };
    let number = |it: &Option<(Number, bool)>| it.as_ref().map(|(number, _)| number.clone());
    (number(&refinements.lower), number(&refinements.upper))
}
