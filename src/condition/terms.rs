//! Expressions as terms, by cases.

use std::rc::Rc;

use smol_str::SmolStr;

use super::{
    boolean, conditional,
    context::{Context, Folded, TOO_LONG, bare},
    form_names, functions,
    symbolic::{
        Cases, Place, Sequence, Term, Truth, members, operators::is_comparison, views::View,
    },
    template,
};
use crate::{
    diagnostic::Span,
    syntax::{BinaryOp, Expr, ExprKind, ObjectItem, ObjectKey, UnaryOp},
    value::{Type, Value},
};

pub fn cases<'m>(expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let expr = bare(expr);
        if !context.spend() {
            return Cases::unknown(TOO_LONG, expr.span);
        }
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::String(_) => {
                folded(expr, context)
            }
            ExprKind::Template(parts) => template::template(parts, expr, context),
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
            ExprKind::Splat { source, each, .. } => splat(source, each, expr.span, context),
            ExprKind::Call { name, args, expand } => {
                functions::cases(name, args, *expand, expr, context)
            }
            ExprKind::Unary { op: UnaryOp::Not, .. } => boolean_term(expr, context),
            ExprKind::Unary { .. } => folded(expr, context),
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } => {
                boolean_term(expr, context)
            }
            ExprKind::Binary { op, .. } if is_comparison(*op) => boolean_term(expr, context),
            ExprKind::Binary { op, left, right, .. } => {
                let (left, right) = (cases(left, context), cases(right, context));
                arithmetic(*op, &left, &right, expr.span, context)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                conditional::of(condition, then, otherwise, context)
            }
            ExprKind::Tuple(elements) => tuple(elements, context),
            ExprKind::Object(items) => object(items, expr.span, context),
            ExprKind::For(it) => {
                Cases::one(Term::Sequence(Rc::new(Sequence::For(context.names.clone(), it))))
            }
            ExprKind::Invalid | ExprKind::Paren(_) | ExprKind::Wrap(_) => {
                Cases::unknown("an invalid expression", expr.span)
            }
        }
    })
}

/// A constant, or an expression whose form is not translated.
pub fn folded<'m>(expr: &Expr, context: &Context<'m>) -> Cases<'m> {
    match context.constant(expr) {
        Some(value) => Cases::constant(value),
        None => Cases::unknown(form_names::folded(&expr.kind), expr.span),
    }
}

fn boolean_term<'m>(expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let truth = boolean::truth(expr, context);
    if truth == Truth::constant(true) {
        return Cases::constant(Value::bool(true));
    }
    if truth == Truth::constant(false) {
        return Cases::constant(Value::bool(false));
    }
    Cases::one(Term::Bool(Box::new(truth)))
}

fn other_reference<'m>(span: Span) -> Cases<'m> {
    Cases::unknown("a reference to something other than the variable", span)
}

fn attribute<'m>(
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
        Term::Place(place) => members::reached(place.member(name), span),
        Term::Object(members) => match members.iter().find(|(key, _)| key == name) {
            Some((_, value)) => {
                let others = members.iter().filter(|(key, _)| key != name);
                value.clone().beside(others.map(|it| &it.1), context)
            }
            None => Cases::failure(),
        },
        Term::Constant(value) => match value.as_mapping().map(|it| it.get(name)) {
            Some(Some(value)) => Cases::constant(value.clone()),
            Some(None) => Cases::failure(),
            None if value.is_null() => Cases::failure(),
            None => Cases::unknown("an attribute of a constant of this type", span),
        },
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => Cases::unknown(format!("an attribute of {}", term.form()), span),
    })
}

pub fn index<'m>(
    base: &Cases<'m>,
    key: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    let Some(key) = key.as_constant() else {
        return Cases::unknown("an index that is no constant", span);
    };
    if let Some(name) = key.as_str() {
        return member(base, name, span, context);
    }
    let Some(index) = key.as_number().and_then(|it| usize::try_from(it.to_u64()?).ok()) else {
        return Cases::unknown("an index that is no whole number", span);
    };
    base.map(|term| match term {
        Term::Place(place) => members::reached(place.index(index), span),
        Term::Constant(value) => match value.as_sequence().map(|it| it.get(index)) {
            Some(Some(element)) if !matches!(value.ty(), Type::Set(_)) => {
                Cases::constant(element.clone())
            }
            Some(None) => Cases::failure(),
            _ => Cases::unknown("an index into a constant that is no list", span),
        },
        Term::Parts(separator, place) => part(separator, index, place, span),
        Term::Sequence(it) => match &**it {
            Sequence::Written(elements) => match elements.get(index) {
                Some((_, value)) => {
                    let others = elements.iter().enumerate().filter(|(at, _)| *at != index);
                    value.clone().beside(others.map(|(_, it)| &it.1), context)
                }
                None => Cases::failure(),
            },
            _ => Cases::unknown("an index into a computed list", span),
        },
        _ => Cases::unknown(format!("an index into {}", term.form()), span),
    })
}

/// An element of `split`.
fn part<'m>(separator: &str, index: usize, place: &Place, span: Span) -> Cases<'m> {
    let mut chars = separator.chars();
    let view = match (chars.next(), chars.next()) {
        (None, _) => View::Character(index),
        (Some(separator), None) => View::Split { separator, index },
        _ => return Cases::unknown("a separator of several characters", span),
    };
    Cases::one(Term::Place(place.seen(view)))
}

fn splat<'m>(source: &'m Expr, each: &'m Expr, span: Span, context: &Context<'m>) -> Cases<'m> {
    cases(source, context).map(|term| {
        let sequence = |source| {
            let it = Sequence::Splat(context.names.clone(), Cases::one(source), each);
            Cases::one(Term::Sequence(Rc::new(it)))
        };
        match term {
            // Only what is no list becomes one of nothing when it is null.
            Term::Place(place) if matches!(place.ty, Type::List(_) | Type::Set(_)) => {
                sequence(term.clone())
            }
            Term::Sequence(it) if !matches!(&**it, Sequence::For(_, it) if it.key.is_some()) => {
                sequence(term.clone())
            }
            _ => Cases::unknown(format!("a splat over {}", term.form()), span),
        }
    })
}

fn arithmetic<'m>(
    op: BinaryOp,
    left: &Cases<'m>,
    right: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        return match context.fold_binary(op, left, right, span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error => Cases::failure(),
            Folded::Unclear => Cases::unknown("arithmetic with these constants", span),
        };
    }
    if let (BinaryOp::Add, Some(one), Some(other)) = (op, left.summands(), right.summands()) {
        return Cases::one(Term::Sum(Rc::new(one.into_iter().chain(other).collect())));
    }
    if let Some(shifted) = shifted(op, left, right) {
        return shifted;
    }
    if op == BinaryOp::Add {
        return left.map(|one| right.map(|other| total(one, other, span)));
    }
    if let (BinaryOp::Modulo, [(_, Term::Place(place))], Some(divisor)) =
        (op, left.list.as_slice(), right.as_constant())
        && place.ty == Type::Number
        && let Some(divisor) = divisor.as_number().and_then(crate::value::Number::to_u64)
        && divisor > 0
    {
        return Cases::one(Term::Modulo(place.clone(), divisor));
    }
    let has_constant = [left, right].iter().any(|it| it.as_constant().is_some());
    Cases::unknown(form_names::arithmetic(op, has_constant), span)
}

/// A length and a whole number.
fn shifted<'m>(op: BinaryOp, left: &Cases<'m>, right: &Cases<'m>) -> Option<Cases<'m>> {
    let number = |it: &Cases<'m>| it.as_constant()?.as_number()?.to_i64();
    let (lengths, by) = match (op, number(left), number(right)) {
        (BinaryOp::Add, None, Some(by)) => (left, by),
        (BinaryOp::Add, Some(by), None) => (right, by),
        (BinaryOp::Subtract, None, Some(by)) => (left, by.checked_neg()?),
        _ => return None,
    };
    let more = |term: &Term<'m>| match term {
        Term::Count(_) => Some((term.clone(), by)),
        Term::Shifted(inner, other) => Some(((**inner).clone(), by.checked_add(*other)?)),
        _ => None,
    };
    let all_lengths = lengths.list.iter().all(|(_, it)| more(it).is_some());
    all_lengths.then(|| {
        lengths.map(|it| match more(it) {
            Some((inner, by)) => Cases::one(Term::Shifted(Box::new(inner), by)),
            None => Cases::failure(),
        })
    })
}

/// A sum of lengths.
fn total<'m>(one: &Term<'m>, other: &Term<'m>, span: Span) -> Cases<'m> {
    let lengths = |it: &Term<'m>| match it {
        Term::Count(_) => Some(vec![it.clone()]),
        Term::Total(parts) => Some(parts.to_vec()),
        _ => None,
    };
    if let (Some(one), Some(other)) = (lengths(one), lengths(other)) {
        return Cases::one(Term::Total(Rc::new([one, other].concat())));
    }
    let has_constant = [one, other].iter().any(|it| matches!(it, Term::Constant(_)));
    Cases::unknown(form_names::arithmetic(BinaryOp::Add, has_constant), span)
}

fn tuple<'m>(elements: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    let elements: Vec<Cases<'m>> = elements.iter().map(|it| cases(it, context)).collect();
    let constants: Option<Vec<Value>> =
        elements.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(values) = constants {
        return Cases::constant(Value::tuple(values));
    }
    Cases::one(Term::Sequence(Rc::new(Sequence::written(elements))))
}

fn object<'m>(items: &'m [ObjectItem], span: Span, context: &Context<'m>) -> Cases<'m> {
    let mut members: Vec<(SmolStr, Cases<'m>)> = Vec::new();
    for item in items {
        let name = match &item.key {
            ObjectKey::Name(name) => Some(name.name.clone()),
            ObjectKey::Expr(key) => {
                cases(key, context).as_constant().and_then(|it| it.as_str().map(Into::into))
            }
        };
        let Some(name) = name else { return Cases::unknown("a key that is no constant", span) };
        members.retain(|(other, _)| *other != name);
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
