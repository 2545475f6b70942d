//! Operands of unary and binary operators: conversion and the errors that all operators share.

use super::evaluator::Evaluator;
use diagnostics::{EvalError, Span};
use hcl::Expr;
use tf_value::{Number, Type, Value, convert};

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
