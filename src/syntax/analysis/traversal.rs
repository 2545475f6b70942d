//! Traversals: a name followed by constant steps.

use smol_str::SmolStr;

use crate::diagnostic::Span;
use crate::syntax::{Expr, ExprKind, Ident};

/// `root.a["b"][0]`
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Traversal {
    pub root: Ident,
    pub steps: Vec<TraversalStep>,
    pub span: Span,
}

/// A traversal whose first name is a step too, as `ignore_changes = [tags["x"]]` uses it. The list of
/// steps is never empty.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RelativeTraversal {
    pub steps: Vec<TraversalStep>,
    pub span: Span,
}

/// A step of a traversal.
#[derive(Clone, Debug, PartialEq)]
pub enum TraversalStep {
    /// `.name`
    Attr(Ident),
    /// `["key"]`, `[0]`, and the legacy `.0`.
    Index { key: Key, span: Span },
}

/// A constant index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    String(SmolStr),
    /// A number as written.
    Number(SmolStr),
}

impl Key {
    /// The key of an index expression, if it is constant.
    pub fn new(expr: &Expr) -> Option<Key> {
        match &expr.kind {
            ExprKind::String(text) => Some(Key::String(text.clone())),
            ExprKind::Number(text) => Some(Key::Number(text.clone())),
            _ => None,
        }
    }
}

/// The expression as a traversal that begins with a name; `None` for any other expression, also for a
/// computed index. The words `true`, `false` and `null` count as names, even with steps behind them.
pub fn absolute_traversal(expr: &Expr) -> Option<Traversal> {
    let mut steps = Vec::new();
    let mut at = expr;
    loop {
        at = match &at.kind {
            ExprKind::GetAttr { base, name } => {
                steps.push(TraversalStep::Attr(name.clone()));
                base
            }
            ExprKind::Index { base, key, .. } => {
                steps.push(TraversalStep::Index { key: Key::new(key)?, span: key.span });
                base
            }
            _ => break,
        };
    }
    let name = super::as_keyword(at)?;
    steps.reverse();
    let root = Ident { name: name.into(), span: at.span };
    Some(Traversal { root, steps, span: expr.span })
}

/// The expression as a traversal whose first name is an attribute too.
pub fn relative_traversal(expr: &Expr) -> Option<RelativeTraversal> {
    let Traversal { root, steps, span } = absolute_traversal(expr)?;
    let steps = std::iter::once(TraversalStep::Attr(root)).chain(steps).collect();
    Some(RelativeTraversal { steps, span })
}
