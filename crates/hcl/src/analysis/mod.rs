//! Reads expressions without evaluating them: keywords, traversals, lists, maps, calls.
//!
//! The rules are those of HCL's static analysis. They do not look through parentheses and templates, so
//! `("x")` is not a keyword and `(foo.bar)` is not a traversal.

mod references;
mod traversal;

pub use references::{PathStep, Reference, body_references, references};
pub use traversal::closed_traversal;
pub use traversal::{
    ConstantIndex, OpenStep, RelativeTraversal, Traversal, TraversalStep, absolute_traversal,
    open_traversal, relative_traversal,
};

use super::{Expr, ExprKind, Ident, ObjectItem};

/// The expression as a keyword: a single bare word. `true`, `false` and `null` are words too.
pub fn as_keyword(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Variable(name) => Some(name),
        ExprKind::Bool(true) => Some("true"),
        ExprKind::Bool(false) => Some("false"),
        ExprKind::Null => Some("null"),
        _ => None,
    }
}

/// The elements of `[a, b]`.
pub fn as_list(expr: &Expr) -> Option<&[Expr]> {
    match &expr.kind {
        ExprKind::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The items of `{a = b}`, in source order, duplicates kept.
pub fn as_map(expr: &Expr) -> Option<&[ObjectItem]> {
    match &expr.kind {
        ExprKind::Object(items) => Some(items),
        _ => None,
    }
}

/// A function call as written.
#[derive(Clone, Copy, Debug)]
pub struct StaticCall<'a> {
    /// Parts of a namespaced name are joined by `::`.
    pub name: &'a Ident,
    pub args: &'a [Expr],
    /// Whether the last argument is expanded by `...`.
    pub expand: bool,
}

/// The expression as a function call.
pub fn as_call(expr: &Expr) -> Option<StaticCall<'_>> {
    match &expr.kind {
        ExprKind::Call { name, args, expand } => Some(StaticCall { name, args, expand: *expand }),
        _ => None,
    }
}
