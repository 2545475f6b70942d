//! Whether a condition can be true or false at all: `regex("^a", self)` is a text, which no condition is.

use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use tf_eval::functions::{self, ReturnType, Ty};

/// What an expression gives instead of true or false, and what to write.
pub(super) fn misused(expr: &Expr) -> Option<(&'static str, String)> {
    match &expr.bare().kind {
        ExprKind::Conditional { then, otherwise, .. } => {
            misused(then).or_else(|| misused(otherwise))
        }
        ExprKind::Call { name, args, .. } => {
            of_call(name.name.strip_prefix("core::").unwrap_or(&name.name), args)
        }
        ExprKind::Binary { op, .. } => {
            let is_number = matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Modulo
            );
            is_number.then(|| ("a number", compare("EXPRESSION")))
        }
        ExprKind::Unary { op: UnaryOp::Negate, .. } => Some(("a number", compare("EXPRESSION"))),
        ExprKind::Template(_) => Some(("a text", compare("EXPRESSION"))),
        ExprKind::For(it) if it.key.is_some() => Some(("an object", EACH.to_owned())),
        ExprKind::For(_) | ExprKind::Tuple(_) | ExprKind::Splat { .. } => {
            Some(("a list", EACH.to_owned()))
        }
        ExprKind::Object(_) => Some(("an object", compare("EXPRESSION"))),
        _ => None,
    }
}

const EACH: &str =
    "alltrue([for it in self : …]) asks it of each element, and anytrue([…]) of some";

fn compare(what: &str) -> String {
    format!("compare it: {what} == VALUE")
}

fn of_call(name: &str, args: &[Expr]) -> Option<(&'static str, String)> {
    let function = functions::lookup(name)?;
    if name == "regex" || name == "regexall" {
        let pattern = match args.first().map(|it| &it.kind) {
            Some(ExprKind::String(it)) => tf_value::quoted(it),
            _ => "\"…\"".to_owned(),
        };
        let help = format!(
            "string({{ pattern = {pattern} }}) accepts texts that match, and can(regex(…)) is true or false"
        );
        return Some((if name == "regex" { "what it finds" } else { "a list" }, help));
    }
    if matches!(name, "length" | "sum" | "max" | "min") {
        return Some(("a number", compare(&format!("{name}(…)"))));
    }
    let ReturnType::Fixed(ty) = function.returns else { return None };
    let gives = match ty {
        Ty::Any | Ty::Bool => return None,
        Ty::String => "a text",
        Ty::Number => "a number",
        Ty::List(_) | Ty::Set(_) => "a list",
        Ty::Map(_) => "a map",
    };
    Some((gives, compare(&format!("{name}(…)"))))
}
