//! Operators: arithmetic, comparisons, logic.

use crate::evaluator::Evaluator;
use diagnostics::{Diagnostics, EvalError, Span, has_errors};
use hcl::{BinaryOp, Expr};
use release::changes;
use tf_value::{Marks, Number, Type, Value, convert, ops};

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

impl Evaluator<'_> {
    /// Compares both operands as they are: nothing is converted, and null is an ordinary value.
    pub(super) fn equality(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Value {
        let before = self.mark();
        let left = self.eval(left);
        let right = self.eval(right);
        if self.failed_since(before) {
            return Value::unknown(Type::Bool);
        }
        if !self.spend(u64::midpoint(left.size(), right.size()), span) {
            return Value::unknown(Type::Bool);
        }
        let equal = ops::equals(&left, &right);
        if op == BinaryOp::Equal { equal } else { negation(&equal) }
    }
}

// `!`, `&&` and `||`.
//
// Up to Terraform 1.11 an error in either operand of `&&` and `||` counts. Since 1.12 a controlling operand (false for
// `&&`, true for `||`) on either side hides the errors in the other one, unless that other one is not a bool. For
// example, `length(null) > 2 || true` is an error before 1.12, and true since.

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
        let failed = [&left, &right].iter().any(|it| has_errors(&it.errors) || !it.converts);
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
            (false, false) if !has_errors(&left.errors) => {
                self.errors.extend(left.errors.clone());
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
fn forget_marks(value: Value) -> Value {
    let (value, marks) = value.unmark();
    value.with_marks(marks.of_ours())
}

// Operands of unary and binary operators: conversion and the errors that all operators share.

/// The operand that an error is about, by its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Only,
    Left,
    Right,
}

impl Side {
    fn as_str(self) -> &'static str {
        match self {
            Side::Only => "unary",
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

impl Evaluator<'_> {
    /// Evaluates an operand and converts it; an unknown of the type replaces it after an error.
    pub(super) fn operand(&mut self, expr: &Expr, ty: &Type, side: Side) -> Value {
        let value = self.eval(expr);
        self.converted_operand(&value, expr, ty, side).unwrap_or(Value::unknown(ty.clone()))
    }

    /// Converts the value of an operand; `None` after an error.
    pub(super) fn converted_operand(
        &mut self,
        value: &Value,
        expr: &Expr,
        ty: &Type,
        side: Side,
    ) -> Option<Value> {
        let work = value.as_str().filter(|_| *ty == Type::Number).map_or(0, Number::parse_work);
        if work > 0 && !self.spend(work, expr.span) {
            return None;
        }
        match convert(value, ty) {
            Ok(it) => Some(it),
            Err(error) => {
                let side = side.as_str();
                let detail = format!("Unsuitable value for {side} operand: {}.", error.reason);
                self.error(EvalError::InvalidOperand, detail, expr.span);
                None
            }
        }
    }

    pub(super) fn operation_failed(&mut self, reason: &str, span: Span) {
        let detail = format!("Error during operation: {reason}.");
        self.error(EvalError::FailedOperation, detail, span);
    }

    /// Reports a null operand; returns whether there is one.
    pub(super) fn refuse_null(&mut self, operands: &[&Value], span: Span) -> bool {
        let null = operands.iter().any(|it| it.is_null());
        if null {
            self.operation_failed("argument must not be null", span);
        }
        null
    }
}
