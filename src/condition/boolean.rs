//! Boolean expressions as sets of assignments.

use super::{
    Leaf,
    comparison::Comparison,
    conditional,
    context::{Context, TOO_LONG, bare},
    term::{Cases, Term},
    terms,
    truth::Truth,
    types,
};
use crate::{
    diagnostic::Span,
    functions::{self, ReturnType, Ty},
    sets::{Region, ValueSet},
    syntax::{BinaryOp, Expr, ExprKind, UnaryOp},
    value::{Type, Value, convert},
};

/// Translates a boolean expression. What is not understood is in every set, with the reason.
pub fn truth<'m>(expr: &'m Expr, context: &Context<'m>) -> Truth {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let expr = bare(expr);
        if !context.spend() {
            return too_long(expr);
        }
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => truth(operand, context).not(),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                chain(*op, expr, context).unwrap_or_else(|| too_long(expr))
            }
            ExprKind::Binary { op, left, right, .. } if is_comparison(*op) => {
                Comparison { op: *op, span: expr.span, context }.of_exprs(left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let decision = truth(condition, context);
                if [then, otherwise].into_iter().all(|it| is_bool(it, context))
                    || conditional::have_common_type([then, otherwise], expr.span, context)
                {
                    return decision.choose(truth(then, context), truth(otherwise, context));
                }
                of_cases(&terms::cases(expr, context), expr.span)
            }
            _ => of_cases(&terms::cases(expr, context), expr.span),
        }
    })
}

/// Whether the expression is a bool, if anything.
fn is_bool<'m>(expr: &'m Expr, context: &Context<'m>) -> bool {
    match &bare(expr).kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Conditional { then, otherwise, .. } => {
            is_bool(then, context) && is_bool(otherwise, context)
        }
        ExprKind::Call { name, .. } => {
            let found = functions::lookup(&name.name);
            found.is_some_and(|it| matches!(it.returns, ReturnType::Fixed(Ty::Bool)))
                || types::of_cases(&terms::cases(expr, context), context) == Some(Type::Bool)
        }
        _ => types::of_cases(&terms::cases(expr, context), context) == Some(Type::Bool),
    }
}

fn too_long(expr: &Expr) -> Truth {
    Truth::unknown(TOO_LONG, expr.span)
}

/// `a && b && …`, `a || b || …`: what the operands come to is joined in halves, since joining takes
/// the square of what there is. `None` where that is too much.
fn chain<'m>(op: BinaryOp, expr: &'m Expr, context: &Context<'m>) -> Option<Truth> {
    let mut operands = Vec::new();
    let mut first = expr;
    while let ExprKind::Binary { op: inner, left, right, .. } = &first.kind
        && *inner == op
    {
        operands.push(&**right);
        first = bare(left);
        if !context.spend() {
            return None;
        }
    }
    operands.push(first);
    let mut truths: Vec<Truth> = operands.iter().rev().map(|it| truth(it, context)).collect();
    while truths.len() > 1 {
        let mut pairs = std::mem::take(&mut truths).into_iter();
        while let Some(left) = pairs.next() {
            let Some(right) = pairs.next() else {
                truths.push(left);
                break;
            };
            let is_paid = context.pay(left.work() + right.work());
            if !is_paid || !context.spend_on_parts(left.parts() + right.parts()) {
                return None;
            }
            truths.push(if op == BinaryOp::And { left.and(right) } else { left.or(right) });
        }
    }
    truths.pop()
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
        Term::Unknown(reason, span, _) => Truth::unknown(&**reason, *span),
        _ => Truth::unknown(format!("{} as a condition", term.form()), span),
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
    let only = |it| Region::new(false, ValueSet::OneOf(vec![Value::bool(it)]));
    let null = Region::new(true, ValueSet::Nothing);
    Leaf { null, ..Leaf::total(only(true), only(false)) }
}
