//! Boolean expressions as sets of assignments.

use super::{
    Constraint, Leaf, Region,
    comparison::Comparison,
    context::{Context, TOO_LONG, bare},
    predicate,
    term::{Cases, Term},
    terms,
    truth::Truth,
};
use crate::{
    diagnostic::Span,
    syntax::{BinaryOp, Expr, ExprKind, UnaryOp},
    value::{Type, Value, convert},
};

/// Translates a boolean expression. What is not understood is in every set, with the reason.
pub fn truth<'m>(expr: &'m Expr, context: &Context<'m>) -> Truth {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let expr = bare(expr);
        if !context.spend() {
            return Truth::unknown(TOO_LONG, expr.span);
        }
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => truth(operand, context).not(),
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                joined(truth(left, context), truth(right, context), Truth::and, expr.span, context)
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                joined(truth(left, context), truth(right, context), Truth::or, expr.span, context)
            }
            ExprKind::Binary { op, left, right, .. } if is_comparison(*op) => {
                Comparison { op: *op, span: expr.span, context }.of_exprs(left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                truth(condition, context).choose(truth(then, context), truth(otherwise, context))
            }
            ExprKind::Call { name, args, expand: false } => {
                predicate::truth(&name.name, args, expr.span, context)
                    .unwrap_or_else(|| of_cases(&terms::cases(expr, context), expr.span))
            }
            _ => of_cases(&terms::cases(expr, context), expr.span),
        }
    })
}

fn joined(
    left: Truth,
    right: Truth,
    join: fn(Truth, Truth) -> Truth,
    span: Span,
    context: &Context<'_>,
) -> Truth {
    if context.pay(left.work() + right.work()) {
        join(left, right)
    } else {
        Truth::unknown(TOO_LONG, span)
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    super::patterns::mirror(op).is_some()
}

/// A value as a condition: in each of its cases.
pub fn of_cases(cases: &Cases<'_>, span: Span) -> Truth {
    let mut out = Truth::never();
    for (guard, term) in &cases.list {
        out = out.or_case(guard, of_term(term, span));
    }
    out.error = out.error.or(cases.error.clone());
    out
}

fn of_term(term: &Term<'_>, span: Span) -> Truth {
    match term {
        Term::Bool(truth) => (**truth).clone(),
        Term::Constant(value) => constant(value),
        Term::Place(place) if place.ty == Type::Bool => place.truth(of_bool()),
        Term::Place(_) => Truth::unknown("a conversion to bool", span),
        // A list is no condition: an error.
        Term::Sequence(_) | Term::Object(_) => Truth::failure(),
        Term::Unknown(reason, span) => Truth::unknown(&**reason, *span),
        _ => Truth::unknown("an expression of this form", span),
    }
}

fn constant(value: &Value) -> Truth {
    if value.is_null() {
        return Truth::null();
    }
    match convert(value, &Type::Bool).ok().and_then(|it| it.as_bool()) {
        Some(it) => Truth::constant(it),
        None => Truth::failure(),
    }
}

/// A bool by itself.
pub fn of_bool() -> Leaf {
    let only = |it| Region::new(false, Constraint::OneOf(vec![Value::bool(it)]));
    let null = Region::new(true, Constraint::Nothing);
    Leaf { null, ..Leaf::total(only(true), only(false)) }
}
