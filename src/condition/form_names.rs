//! What forms of expressions are called where they are not translated.

use crate::syntax::{BinaryOp, ExprKind};

/// `A template and a call of `sha256` are not translated.`
pub fn sentence(forms: &[&str]) -> String {
    let (verb, named) = match forms {
        [] => ("is", "the rule".to_owned()),
        [one] => ("is", (*one).to_owned()),
        [first @ .., last] => ("are", format!("{} and {last}", first.join(", "))),
    };
    let (initial, rest) = named.split_at(named.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest} {verb} not translated.", initial.to_uppercase())
}

/// Arithmetic with a constant on one side, or with none.
pub fn arithmetic(op: BinaryOp, has_constant: bool) -> String {
    let result = match op {
        BinaryOp::Add => "sum",
        BinaryOp::Subtract => "difference",
        BinaryOp::Multiply => "product",
        BinaryOp::Divide => "quotient",
        _ => "remainder",
    };
    let sides = if has_constant { "a variable on one side" } else { "variables on both sides" };
    format!("a {result} (`{}`) with {sides}", op.as_str())
}

/// An expression that is translated only where it is constant.
pub fn folded(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Template(_) => "a template",
        ExprKind::Unary { .. } => "a negation (`-`)",
        _ => "this constant",
    }
}
