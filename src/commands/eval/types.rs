//! `type(EXPR)`, a function of the console only, and types as it prints them.

use std::fmt::Write as _;

use diagnostics::{Diagnostic, Role, lints, visible_line};
use hcl::{Expr, ExprKind, Ident, analysis::as_call};
use stack::guarded;
use tf_value::{Attributes, Type, Value, ValueContent};

/// The argument of `type`, if that call is the whole expression.
pub(super) fn asked(expr: &Expr) -> Option<&Expr> {
    let call = as_call(unwrapped(expr)).filter(|it| is_type(it.name) && !it.expand)?;
    match call.args {
        [argument] => Some(argument),
        _ => None,
    }
}

/// The error for `type` inside of an expression, or with another number of arguments. Terraform also
/// accepts it where the result is certainly unused.
pub(super) fn misused(expr: &Expr) -> Option<Diagnostic> {
    let mut pending = vec![asked(expr).unwrap_or(expr)];
    while let Some(it) = pending.pop() {
        if as_call(it).is_some_and(|it| is_type(it.name)) {
            let detail = "The \"type\" function can be used only in a console, takes one \
                argument, and must be the whole expression.";
            let diagnostic =
                Diagnostic::new(&lints::FAILED_EVALUATION, "Invalid use of type function");
            return Some(diagnostic.detail(detail).at(Role::Value, it.span));
        }
        it.for_each_child(&mut |it| pending.push(it));
    }
    None
}

fn unwrapped(mut expr: &Expr) -> &Expr {
    while let ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

fn is_type(name: &Ident) -> bool {
    matches!(&*name.name, "type" | "core::type")
}

/// The type without secret parts. Attribute names and the number of elements may come from a secret
/// value; such a type becomes any type.
pub(super) fn shown_type(value: &Value) -> Type {
    shown(value, value.ty())
}

fn shown(value: &Value, ty: &Type) -> Type {
    if !value.deep_marks().is_hidden() {
        return ty.clone();
    }
    guarded(|| match (value.content(), ty) {
        _ if value.marks().is_hidden() => without_names(ty),
        (ValueContent::Sequence(elements), Type::Tuple(types)) => {
            Type::tuple(elements.iter().zip(types.iter()).map(|(it, ty)| shown(it, ty)).collect())
        }
        (ValueContent::Mapping(members), Type::Object(object)) => {
            let mut object = Attributes::clone(object);
            for (name, ty) in &mut object.attributes {
                *ty = members.get(name).map_or(Type::Dynamic, |it| shown(it, ty));
            }
            object.into()
        }
        _ => without_names(ty),
    })
}

fn without_names(ty: &Type) -> Type {
    guarded(|| match ty {
        Type::Object(_) | Type::Tuple(_) => Type::Dynamic,
        Type::List(it) => Type::list(without_names(it)),
        Type::Set(it) => Type::set(without_names(it)),
        Type::Map(it) => Type::map(without_names(it)),
        Type::Dynamic | Type::String | Type::Number | Type::Bool => ty.clone(),
    })
}

/// The type, on several lines if it has parts. Names with line ends or cursor movements are escaped.
pub(super) fn render(ty: &Type) -> String {
    let mut out = String::new();
    write(ty, 0, &mut out);
    out
}

fn write(ty: &Type, indent: usize, out: &mut String) {
    guarded(|| match ty {
        Type::String => out.push_str("string"),
        Type::Number => out.push_str("number"),
        Type::Bool => out.push_str("bool"),
        Type::Dynamic => out.push_str("dynamic"),
        Type::List(it) => collection("list", it, indent, out),
        Type::Set(it) => collection("set", it, indent, out),
        Type::Map(it) => collection("map", it, indent, out),
        Type::Tuple(elements) => {
            out.push_str("tuple([");
            for it in elements.iter() {
                new_line(indent + 4, out);
                write(it, indent + 4, out);
                out.push(',');
            }
            close(elements.is_empty(), indent, "])", out);
        }
        Type::Object(object) => {
            out.push_str("object({");
            for (name, it) in &object.attributes {
                new_line(indent + 4, out);
                let _ = write!(out, "{}: ", visible_line(name));
                write(it, indent + 4, out);
                out.push(',');
            }
            close(object.attributes.is_empty(), indent, "})", out);
        }
    });
}

fn collection(kind: &str, element: &Type, indent: usize, out: &mut String) {
    out.push_str(kind);
    out.push('(');
    if matches!(element, Type::Object(_) | Type::Tuple(_)) {
        new_line(indent + 4, out);
        write(element, indent + 4, out);
        out.push(',');
        new_line(indent, out);
    } else {
        write(element, indent, out);
    }
    out.push(')');
}

fn close(is_empty: bool, indent: usize, text: &str, out: &mut String) {
    if !is_empty {
        new_line(indent, out);
    }
    out.push_str(text);
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}
