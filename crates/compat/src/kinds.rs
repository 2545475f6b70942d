//! The kind of an expression's value (a text, a number and so on), whatever the values of its variables are.

use super::skeleton::is_boolean;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use module::Module;
use stack::guarded;
use tf_eval::functions::{self, ReturnType};
use tf_value::Type;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultKind {
    Null,
    Bool,
    Number,
    Text,
    /// A list, set, tuple, map or object.
    Structure,
}

/// Functions that give a list, a set or a map, but never null.
const STRUCTURES: [&str; 16] = [
    "chunklist",
    "compact",
    "concat",
    "distinct",
    "flatten",
    "keys",
    "range",
    "regexall",
    "reverse",
    "setintersection",
    "setproduct",
    "setsubtract",
    "setunion",
    "slice",
    "values",
    "zipmap",
];

/// Whether the question is an equality that is never true: of a list and a number, or of a sum and null.
pub fn is_never_equal(question: &Expr, module: &Module) -> bool {
    let ExprKind::Binary { op: BinaryOp::Equal, left, right, .. } = &question.bare().kind else {
        return false;
    };
    let both = [left, right].map(|it| kind(it, module));
    let [Some((one, is_there)), Some((other, is_other_there))] = both else { return false };
    one != other && (is_there || is_other_there)
}

/// The kind of a value that is not null, and whether it is known not to be null. `null` has a kind of its own.
fn kind(expr: &Expr, module: &Module) -> Option<(ResultKind, bool)> {
    if is_boolean(expr, module, 0) {
        return Some((ResultKind::Bool, true));
    }
    guarded(|| match &expr.bare().kind {
        ExprKind::Null => Some((ResultKind::Null, false)),
        ExprKind::Number(_) | ExprKind::Unary { op: UnaryOp::Negate, .. } => {
            Some((ResultKind::Number, true))
        }
        ExprKind::Binary { op, .. } => {
            use BinaryOp::{Add, Divide, Modulo, Multiply, Subtract};
            matches!(op, Add | Subtract | Multiply | Divide | Modulo)
                .then_some((ResultKind::Number, true))
        }
        ExprKind::String(_) | ExprKind::Template(_) => Some((ResultKind::Text, true)),
        ExprKind::Tuple(_) | ExprKind::Object(_) | ExprKind::For(_) => {
            Some((ResultKind::Structure, true))
        }
        ExprKind::Call { name, expand: false, .. } => {
            let name = name.name.strip_prefix("core::").unwrap_or(&name.name);
            if STRUCTURES.contains(&name) {
                return Some((ResultKind::Structure, true));
            }
            let ReturnType::Fixed(ty) = functions::lookup(name)?.returns else { return None };
            let kind = match ty.to_type() {
                Type::Bool => ResultKind::Bool,
                Type::Number => ResultKind::Number,
                Type::String => ResultKind::Text,
                Type::Dynamic => return None,
                _ => ResultKind::Structure,
            };
            Some((kind, name == "length"))
        }
        _ => None,
    })
}
