//! The reader: turns expressions into symbolic values.
//!
//! Input is an expression and its scope ([`Context`]). Output is [`Cases`]; for a condition a [`Truth`];
//! for a question about each element of a sequence [`Elements`]. There is a file for each form of
//! expression, named as in `eval`. A form reads what it is made of through this file alone, which
//! counts the work and the depth; so all recursion of the reader passes here.

mod for_expr;
pub mod operators;

use std::rc::Rc;

use super::{functions as readers, outcomes};
use crate::{
    condition::{
        context::{Context, Folded},
        functions::conversions,
        quantifiers::{Elements, Visitor},
        relation::Comparison,
        symbolic::{
            Cases, Place, Sequence, Term, Truth, term,
            truth::is_comparison,
            views::{Affix, View},
        },
    },
    sets::{ExpressionKind, Reason},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, Ident, ObjectItem, ObjectKey, TemplatePart, UnaryOp};
use smol_str::SmolStr;
use stack::guarded;
use tf_eval::functions::{self, DependsOn};
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
                folded(expr, context)
            }
            ExprKind::Template(parts) => template(parts, expr, context),
            ExprKind::Variable(name) => {
                context.names.bound(name).unwrap_or_else(|| other_reference(expr.span))
            }
            ExprKind::GetAttr { base, name } => attribute(base, &name.name, expr, context),
            ExprKind::Index { base, key, .. } => {
                index(&cases(base, context), &cases(key, context), expr.span, context)
            }
            ExprKind::SplatItem => {
                context.names.item().unwrap_or_else(|| other_reference(expr.span))
            }
            ExprKind::Splat { source, each, .. } => {
                for_expr::splat(source, each, expr.span, context)
            }
            ExprKind::Call { name, args, expand } => call_cases(name, args, *expand, expr, context),
            ExprKind::Unary { op: UnaryOp::Not, .. } => boolean_term(expr, context),
            ExprKind::Unary { .. } => folded(expr, context),
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } => {
                boolean_term(expr, context)
            }
            ExprKind::Binary { op, .. } if is_comparison(*op) => boolean_term(expr, context),
            ExprKind::Binary { op, left, right, .. } => {
                let (left, right) = (cases(left, context), cases(right, context));
                operators::arithmetic(*op, &left, &right, expr.span, context)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                operators::cases(condition, then, otherwise, context)
            }
            ExprKind::Tuple(elements) => tuple(elements, context),
            ExprKind::Object(items) => object(items, expr.span, context),
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
                operators::chain(*op, expr, context)
                    .unwrap_or_else(|| Truth::unknown(Reason::TooLong, expr.span))
            }
            ExprKind::Binary { op, left, right, .. } if is_comparison(*op) => {
                let comparison = Comparison { op: *op, span: expr.span, context };
                operators::truth(comparison, left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                operators::conditional_truth([condition, then, otherwise], expr, context)
            }
            _ => term::as_condition(&cases(expr, context), expr.span),
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
    of_each_case(source, |term| for_expr::of_term(term, context, span, visit))
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
                for_expr::of_any(place, context, visit)
            } else {
                Elements::unknown(Reason::TooLong, span)
            }
        }
        _ => for_expr::of_term(term, context, span, visit),
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
    for_expr::of_sequence(sequence, context, span, visit)
}

// `base.name`, `base[key]`, references.

fn other_reference<'m>(span: Span) -> Cases<'m> {
    Cases::unknown(Reason::OtherReference, span)
}

pub fn attribute<'m>(
    base: &'m Expr,
    name: &SmolStr,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    if let ExprKind::Variable(root) = &base.kind
        && context.names.bound(root).is_none()
    {
        return match root.as_str() {
            "var" => context
                .variable_place(name)
                .map_or_else(|| other_reference(expr.span), |it| Cases::one(Term::Place(it))),
            "local" => local(name, expr, context),
            _ => other_reference(expr.span),
        };
    }
    member(&cases(base, context), name, expr.span, context)
}

/// A local's own expression in its place.
fn local<'m>(name: &SmolStr, expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    if let Some(value) = context.constant(expr) {
        return Cases::constant(value);
    }
    let (Some(local), Some(names)) =
        (context.module.locals.get(name), context.names.inside_local())
    else {
        return other_reference(expr.span);
    };
    cases(&local.expr, &context.within(&names))
}

/// `term.name`
pub fn member<'m>(base: &Cases<'m>, name: &str, span: Span, context: &Context<'m>) -> Cases<'m> {
    base.map(|term| match term {
        Term::Place(place) => term::reached(place.member(name), span),
        Term::Object(members) => match members.iter().find(|(key, _)| key == name) {
            Some((_, value)) => {
                let others = members.iter().filter(|(key, _)| key != name);
                outcomes::beside(value.clone(), others.map(|it| &it.1), context)
            }
            None => Cases::failure(),
        },
        Term::Constant(value) => match value.as_mapping().map(|it| it.get(name)) {
            Some(Some(value)) => Cases::constant(value.clone()),
            Some(None) => Cases::failure(),
            None if value.is_null() => Cases::failure(),
            None => Cases::unknown(Reason::AttributeOfConstant, span),
        },
        Term::Unknown(_, _, Some(known)) if known.ty.is_primitive() => Cases::failure(),
        // The attribute may have another type than the object, so its type is not known.
        Term::Unknown(reason, span, _) => Cases::unknown(reason.clone(), *span),
        _ => Cases::unknown(Reason::AttributeOf(term.form()), span),
    })
}

pub fn index<'m>(
    base: &Cases<'m>,
    key: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    let Some(key) = key.as_constant() else {
        return Cases::unknown(Reason::ComputedIndex, span);
    };
    if let Some(name) = key.as_str() {
        return member(base, name, span, context);
    }
    let Some(index) = key.as_number().and_then(|it| usize::try_from(it.to_u64()?).ok()) else {
        return Cases::unknown(Reason::FractionalIndex, span);
    };
    base.map(|term| match term {
        Term::Place(place) => term::reached(place.index(index), span),
        Term::Constant(value) => match value.as_sequence().map(|it| it.get(index)) {
            Some(Some(element)) if !matches!(value.ty(), Type::Set(_)) => {
                Cases::constant(element.clone())
            }
            Some(None) => Cases::failure(),
            None if value.is_null() => Cases::failure(),
            _ => Cases::unknown(Reason::IndexIntoConstant, span),
        },
        Term::Parts(separator, place) => part(separator, index, place, span),
        Term::Sequence(it) => match &**it {
            Sequence::Written(elements) => match elements.get(index) {
                Some((_, value)) => {
                    let others = elements.iter().enumerate().filter(|(at, _)| *at != index);
                    outcomes::beside(value.clone(), others.map(|(_, it)| &it.1), context)
                }
                None => Cases::failure(),
            },
            Sequence::Slice { list, from, to } => {
                let (enough, error) = list.with_at_least(to.unwrap_or(*from));
                let mut out = Cases { list: Vec::new(), error };
                let is_there = to.is_none_or(|to| index < to - from);
                let element = from.checked_add(index).filter(|_| is_there);
                let element = element.map(|it| term::reached(list.index(it), span));
                out.add(&enough, element.unwrap_or_else(Cases::failure));
                out
            }
            _ => Cases::unknown(Reason::IndexInto(ExpressionKind::ComputedList), span),
        },
        _ => Cases::unknown(Reason::IndexInto(term.form()), span),
    })
}

/// An element of `split`.
fn part<'m>(separator: &str, index: usize, place: &Place, span: Span) -> Cases<'m> {
    let mut chars = separator.chars();
    let view = match (chars.next(), chars.next()) {
        (None, _) => View::Character(index),
        (Some(separator), None) => View::Split { separator, index },
        _ => return Cases::unknown(Reason::LongSeparator, span),
    };
    Cases::one(Term::Place(place.seen(view)))
}

// `name(…)`: calls of functions.

/// A call as it is written.
fn call_cases<'m>(
    name: &Ident,
    args: &'m [Expr],
    expand: bool,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let span = expr.span;
    if expand {
        return Cases::unknown(Reason::ExpandedArgument, span);
    }
    let plain = name.name.strip_prefix("core::").unwrap_or(&name.name);
    match (plain, args) {
        ("can", [inner]) => return conversions::can(inner, context),
        ("try", _) => return conversions::attempt(args, context),
        _ => (),
    }
    let values: Vec<Cases<'m>> = args.iter().map(|it| cases(it, context)).collect();
    let Some(function) = functions::lookup(plain) else {
        if plain.starts_with("provider::") {
            return Cases::unknown(Reason::Call(plain.into()), span);
        }
        // A call of an unknown function is an error, which `can` catches.
        return Cases::failure();
    };
    if function.depends_on == DependsOn::Expressions {
        return Cases::unknown(Reason::Call(plain.into()), span);
    }
    let constants: Option<Vec<Value>> = values.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(constants) = constants {
        match context.fold_call(name, &constants, span) {
            Folded::Value(value) => return Cases::constant(value),
            Folded::Error if function.depends_on == DependsOn::Arguments => {
                return Cases::failure();
            }
            _ => return Cases::unknown(Reason::CallWithThese(plain.into()), span),
        }
    }
    readers::cases(function, &values, span, context)
}

pub fn tuple<'m>(elements: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    let elements: Vec<Cases<'m>> = elements.iter().map(|it| cases(it, context)).collect();
    let constants: Option<Vec<Value>> =
        elements.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(values) = constants {
        return Cases::constant(Value::tuple(values));
    }
    Cases::one(Term::Sequence(Rc::new(Sequence::written(elements))))
}

pub fn object<'m>(items: &'m [ObjectItem], span: Span, context: &Context<'m>) -> Cases<'m> {
    let mut members: Vec<(SmolStr, Cases<'m>)> = Vec::new();
    let takes_once = items.iter().any(|it| matches!(it.key, ObjectKey::Template(_)));
    for item in items {
        let name = match &item.key {
            ObjectKey::Name(name) => Some(name.name.clone()),
            ObjectKey::Expr(key) | ObjectKey::Template(key) => {
                cases(key, context).as_constant().and_then(|it| it.as_str().map(Into::into))
            }
        };
        let Some(name) = name else { return Cases::unknown(Reason::ComputedKey, span) };
        let before = members.len();
        members.retain(|(other, _)| *other != name);
        if takes_once && members.len() < before {
            return Cases::failure();
        }
        members.push((name, cases(&item.value, context)));
    }
    members.sort_by(|a, b| a.0.cmp(&b.0));
    let constants: Option<_> =
        members.iter().map(|(name, it)| Some((name.clone(), it.as_constant()?.clone()))).collect();
    match constants {
        Some(constants) => Cases::constant(Value::object(constants)),
        None => Cases::one(Term::Object(Rc::new(members))),
    }
}

// Literals, and forms that are read only where they are constant.

/// A constant, or an expression whose form is not translated.
pub fn folded<'m>(expr: &Expr, context: &Context<'m>) -> Cases<'m> {
    match context.constant(expr) {
        Some(value) => Cases::constant(value),
        None => Cases::unknown(reason(&expr.kind), expr.span),
    }
}

/// An expression that is translated only where it is constant.
fn reason(kind: &ExprKind) -> Reason {
    match kind {
        ExprKind::Template(_) => Reason::Template,
        ExprKind::Unary { .. } => Reason::Negation,
        _ => Reason::OtherConstant,
    }
}

// `"${…}"`: templates.

/// A template: a constant, or texts around one string.
pub fn template<'m>(parts: &'m [TemplatePart], expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let whole = folded(expr, context);
    if whole.as_constant().is_some() {
        return whole;
    }
    let text = |it: &'m TemplatePart| match it {
        TemplatePart::Literal { text, .. } => Some(text.clone()),
        _ => None,
    };
    let (before, inner, after) = match parts {
        [TemplatePart::Interpolation(it), after] => (Some(SmolStr::default()), it, text(after)),
        [before, TemplatePart::Interpolation(it)] => (text(before), it, Some(SmolStr::default())),
        [before, TemplatePart::Interpolation(it), after] => (text(before), it, text(after)),
        _ => return whole,
    };
    let (Some(before), Some(after)) = (before, after) else { return whole };
    let inner = cases(inner, context);
    let is_string = |term: &Term<'m>| matches!(term, Term::Place(it) if it.ty == Type::String);
    if !inner.list.iter().all(|(_, it)| is_string(it)) {
        return whole;
    }
    let affix = Affix::Around { before, after };
    inner.map(|term| match term {
        Term::Place(place) => Cases::one(Term::Place(place.seen(View::Affix(affix.clone())))),
        other => Cases::one(other.clone()),
    })
}
