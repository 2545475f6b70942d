//! The reader: turns expressions into symbolic values.
//!
//! Input is an expression and its scope ([`Context`]). Output is [`Cases`]; for a condition a [`Truth`];
//! for a question about each element of a sequence [`Elements`]. There is a file for each form of
//! expression, named as in `eval`. A form reads what it is made of through this file alone, which
//! counts the work and the depth; so all recursion of the reader passes here.

pub mod access;
mod arithmetic;
mod call;
pub mod comparison;
mod conditional;
mod constructors;
mod each_element;
mod for_expr;
mod for_keys;
mod literal;
mod logic;
mod splat;
mod template;

use std::rc::Rc;

use crate::{
    condition::{
        context::Context,
        quantifiers::{Elements, Visitor},
        relation::Comparison,
        symbolic::{Cases, Sequence, Term, Truth, as_condition, operators::is_comparison},
    },
    sets::Reason,
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use stack::guarded;
use tf_value::{Type, Value};

/// Reads an expression: `var.x == null ? [] : var.x` has two cases, a constant and a place.
pub fn cases<'m>(expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    guarded(|| {
        let expr = expr.bare();
        if !context.spend() {
            return Cases::unknown(Reason::TooLong, expr.span);
        }
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::String(_) => {
                literal::folded(expr, context)
            }
            ExprKind::Template(parts) => template::template(parts, expr, context),
            ExprKind::Variable(name) => {
                context.names.bound(name).unwrap_or_else(|| access::other_reference(expr.span))
            }
            ExprKind::GetAttr { base, name } => access::attribute(base, &name.name, expr, context),
            ExprKind::Index { base, key, .. } => {
                access::index(&cases(base, context), &cases(key, context), expr.span, context)
            }
            ExprKind::SplatItem => {
                context.names.item().unwrap_or_else(|| access::other_reference(expr.span))
            }
            ExprKind::Splat { source, each, .. } => splat::splat(source, each, expr.span, context),
            ExprKind::Call { name, args, expand } => {
                call::cases(name, args, *expand, expr, context)
            }
            ExprKind::Unary { op: UnaryOp::Not, .. } => boolean_term(expr, context),
            ExprKind::Unary { .. } => literal::folded(expr, context),
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } => {
                boolean_term(expr, context)
            }
            ExprKind::Binary { op, .. } if is_comparison(*op) => boolean_term(expr, context),
            ExprKind::Binary { op, left, right, .. } => {
                let (left, right) = (cases(left, context), cases(right, context));
                arithmetic::arithmetic(*op, &left, &right, expr.span, context)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                conditional::cases(condition, then, otherwise, context)
            }
            ExprKind::Tuple(elements) => constructors::tuple(elements, context),
            ExprKind::Object(items) => constructors::object(items, expr.span, context),
            ExprKind::For(it) => {
                Cases::one(Term::Sequence(Rc::new(Sequence::For(context.names.clone(), it))))
            }
            ExprKind::Invalid | ExprKind::Paren(_) | ExprKind::Wrap(_) => {
                Cases::unknown(Reason::InvalidExpression, expr.span)
            }
        }
    })
}

/// Reads a condition. A form that is not translated may be true, false, null or an error everywhere, with the reason.
pub fn truth<'m>(expr: &'m Expr, context: &Context<'m>) -> Truth {
    guarded(|| {
        let expr = expr.bare();
        if !context.spend() {
            return Truth::unknown(Reason::TooLong, expr.span);
        }
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => truth(operand, context).not(),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                logic::chain(*op, expr, context)
                    .unwrap_or_else(|| Truth::unknown(Reason::TooLong, expr.span))
            }
            ExprKind::Binary { op, left, right, .. } if is_comparison(*op) => {
                let comparison = Comparison { op: *op, span: expr.span, context };
                comparison::truth(comparison, left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                conditional::truth([condition, then, otherwise], expr, context)
            }
            _ => as_condition::of_cases(&cases(expr, context), expr.span),
        }
    })
}

fn boolean_term<'m>(expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let truth = truth(expr, context);
    if truth == Truth::constant(true) {
        return Cases::constant(Value::bool(true));
    }
    if truth == Truth::constant(false) {
        return Cases::constant(Value::bool(false));
    }
    Cases::one(Term::Bool(Box::new(truth)))
}

/// Visits the elements of a value and joins the answers. The parts of a `for` are read here, not before.
pub fn elements<'m>(
    source: &Cases<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    of_each_case(source, |term| each_element::of_term(term, context, span, visit))
}

/// Like [`elements`], for a `for`, which takes objects as well as lists if the type is `any`.
pub fn elements_of_loop<'m>(
    source: &Cases<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    of_each_case(source, |term| match term {
        Term::Place(place) if place.ty == Type::Dynamic && !place.is_unified() => {
            if context.spend() {
                each_element::of_any(place, context, visit)
            } else {
                Elements::unknown(Reason::TooLong, span)
            }
        }
        _ => each_element::of_term(term, context, span, visit),
    })
}

fn of_each_case<'m>(source: &Cases<'m>, elements: impl Fn(&Term<'m>) -> Elements) -> Elements {
    let mut out = Elements::never();
    for (guard, term) in &source.list {
        out = out.or_case(guard, guarded(|| elements(term)));
    }
    out.error = out.error.or(source.error.clone());
    out
}

/// Like [`elements`], for a sequence whose reading was already counted as work.
pub fn elements_of<'m>(
    sequence: &Sequence<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    each_element::of_sequence(sequence, context, span, visit)
}
