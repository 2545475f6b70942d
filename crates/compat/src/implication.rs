//! Proves that one condition follows from another by their structure alone, whatever the values of their parts
//! are.
//!
//! `f(x) < 3` implies `f(x) < 5`, whatever `f` is. With Kleene's `&&` and `||` one side that decides is enough,
//! so that a proof may look at the sides one by one.

use super::objects::deep_form;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use module::Module;
use stack::guarded;
use tf_value::Number;

/// The most pairs of parts that are looked at.
const STEPS: usize = 400;

/// Whether the second condition is true wherever the first one is, for the same values of the variables.
pub fn implies(from: (&Expr, &Module), to: (&Expr, &Module)) -> bool {
    let mut steps = STEPS;
    follows(from, to, true, &mut steps)
}

/// Whether the second condition is `wanted` wherever the first one is `wanted`.
fn follows(from: (&Expr, &Module), to: (&Expr, &Module), wanted: bool, steps: &mut usize) -> bool {
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    guarded(|| {
        let (one, other) = (from.0.bare(), to.0.bare());
        let (was, is) = ((one, from.1), (other, to.1));
        let (less, more) = if wanted { (was, is) } else { (is, was) };
        if is_same(was, is) || is_compared(less, more) || is_listed(less, more) {
            return true;
        }
        let mut part = |it: &Expr, is_of_from: bool| {
            if is_of_from {
                follows((it, from.1), is, wanted, steps)
            } else {
                follows(was, (it, to.1), wanted, steps)
            }
        };
        // `&&` is true if both sides are true, and `||` is false if both sides are false.
        let (all, any) =
            if wanted { (BinaryOp::And, BinaryOp::Or) } else { (BinaryOp::Or, BinaryOp::And) };
        if let Some((left, right)) = sides(other, all) {
            return part(left, false) && part(right, false);
        }
        if let Some((left, right)) = sides(one, any) {
            return part(left, true) && part(right, true);
        }
        if let Some((left, right)) = sides(other, any)
            && (part(left, false) || part(right, false))
        {
            return true;
        }
        if let Some((left, right)) = sides(one, all) {
            return part(left, true) || part(right, true);
        }
        // `try(E, false)` is true only if `E` is, and `try(E, …)` is true if `E` is.
        if let Some((tried, [rest])) = attempt(one)
            && matches!(rest.bare().kind, ExprKind::Bool(it) if it != wanted)
        {
            return part(tried, true);
        }
        if let Some((tried, _)) = attempt(other) {
            return part(tried, false);
        }
        if let (Some(one), Some(other)) = (negated(one), negated(other)) {
            return follows((one, from.1), (other, to.1), !wanted, steps);
        }
        let (Some(one), Some(other)) = (cases(one), cases(other)) else { return false };
        is_same((one.0, from.1), (other.0, to.1))
            && follows((one.1, from.1), (other.1, to.1), wanted, steps)
            && follows((one.2, from.1), (other.2, to.1), wanted, steps)
    })
}

fn sides(expr: &Expr, wanted: BinaryOp) -> Option<(&Expr, &Expr)> {
    let ExprKind::Binary { op, left, right, .. } = &expr.kind else { return None };
    (*op == wanted).then_some((left, right))
}

/// The operand of `!`.
fn negated(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Unary { op: UnaryOp::Not, operand } = &expr.kind else { return None };
    Some(operand)
}

/// The first argument of a `try`, and the others.
fn attempt(expr: &Expr) -> Option<(&Expr, &[Expr])> {
    let ExprKind::Call { name, args, expand: false } = &expr.kind else { return None };
    args.split_first().filter(|_| name.name == "try")
}

/// The condition of a conditional and its two results, if these are booleans, so that neither is converted.
fn cases(expr: &Expr) -> Option<(&Expr, &Expr, &Expr)> {
    let ExprKind::Conditional { condition, then, otherwise } = &expr.kind else { return None };
    let both = [then, otherwise];
    both.iter().all(|it| is_boolean(it)).then_some((condition, then, otherwise))
}

fn is_boolean(expr: &Expr) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, Or};
    match &expr.bare().kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            matches!(
                op,
                And | Or | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual
            )
        }
        ExprKind::Call { name, expand: false, .. } => {
            matches!(name.name.as_str(), "can" | "contains" | "alltrue" | "anytrue" | "startswith")
        }
        _ => false,
    }
}

fn is_same(one: (&Expr, &Module), other: (&Expr, &Module)) -> bool {
    let form = deep_form(one.0, one.1);
    form.is_some() && form == deep_form(other.0, other.1)
}

/// Whether the first comparison implies the second: `E < 3` and `E <= 5`.
fn is_compared(one: (&Expr, &Module), other: (&Expr, &Module)) -> bool {
    let (Some(was), Some(is)) = (comparison(one.0), comparison(other.0)) else { return false };
    if !is_same((was.0, one.1), (is.0, other.1)) {
        return false;
    }
    let order = was.2.compare(&is.2);
    match (was.1, is.1) {
        (BinaryOp::Less, BinaryOp::Less | BinaryOp::LessOrEqual)
        | (BinaryOp::LessOrEqual, BinaryOp::LessOrEqual) => order.is_le(),
        (BinaryOp::LessOrEqual, BinaryOp::Less) => order.is_lt(),
        (BinaryOp::Greater, BinaryOp::Greater | BinaryOp::GreaterOrEqual)
        | (BinaryOp::GreaterOrEqual, BinaryOp::GreaterOrEqual) => order.is_ge(),
        (BinaryOp::GreaterOrEqual, BinaryOp::Greater) => order.is_gt(),
        _ => false,
    }
}

/// The parts of `E < 3` (or of `3 > E`, turned around): the expression, the operator and the number.
fn comparison(expr: &Expr) -> Option<(&Expr, BinaryOp, Number)> {
    let ExprKind::Binary { op, left, right, .. } = &expr.bare().kind else { return None };
    let turned = match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        _ => return None,
    };
    match (number(left), number(right)) {
        (None, Some(it)) => Some((left, *op, it)),
        (Some(it), None) => Some((right, turned, it)),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<Number> {
    match &expr.bare().kind {
        ExprKind::Number(text) => Number::parse(text),
        ExprKind::Unary { op: UnaryOp::Negate, operand } => match &operand.bare().kind {
            ExprKind::Number(text) => Number::parse(&format!("-{text}")),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the first call implies the second: `contains(["a"], E)` and `contains(["a", "b"], E)`, of texts
/// alone.
fn is_listed(one: (&Expr, &Module), other: (&Expr, &Module)) -> bool {
    let (Some(was), Some(is)) = (listed(one.0), listed(other.0)) else { return false };
    was.0.iter().all(|it| is.0.contains(it)) && is_same((was.1, one.1), (is.1, other.1))
}

fn listed(expr: &Expr) -> Option<(Vec<&str>, &Expr)> {
    let ExprKind::Call { name, args, expand: false } = &expr.bare().kind else { return None };
    let [list, value] = args.as_slice() else { return None };
    let ExprKind::Tuple(elements) = &list.bare().kind else { return None };
    let texts = elements.iter().map(|it| match &it.kind {
        ExprKind::String(text) => Some(text.as_str()),
        _ => None,
    });
    (name.name == "contains").then_some((texts.collect::<Option<_>>()?, value))
}
