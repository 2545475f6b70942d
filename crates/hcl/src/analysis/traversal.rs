//! Traversals: a name followed by constant steps.

use smol_str::SmolStr;

use crate::{Expr, ExprKind, Ident};
use diagnostics::Span;

/// `root.a["b"][0]`
#[derive(Clone, Debug, PartialEq)]
pub struct Traversal {
    pub root: Ident,
    pub steps: Vec<TraversalStep>,
    pub span: Span,
}

/// A traversal whose first name is a step too, as `ignore_changes = [tags["x"]]` uses it. The list of
/// steps is never empty.
#[derive(Clone, Debug, PartialEq)]
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
    Index { key: ConstantIndex, span: Span },
}

/// A constant index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantIndex {
    String(SmolStr),
    /// A number as written.
    Number(SmolStr),
}

impl ConstantIndex {
    /// The key of an index expression, if it is constant.
    pub fn new(expr: &Expr) -> Option<ConstantIndex> {
        match &expr.kind {
            ExprKind::String(text) => Some(ConstantIndex::String(text.clone())),
            ExprKind::Number(text) => Some(ConstantIndex::Number(text.clone())),
            _ => None,
        }
    }
}

/// A step whose key is whatever expression was written.
#[derive(Clone, Copy, Debug)]
pub enum OpenStep<'e> {
    /// `.name`
    Attribute(&'e Ident),
    /// `["key"]`, `[each.key]`, and the legacy `.0`.
    Key(&'e Expr),
}

/// The expression before all attributes and indexes, and these in source order.
///
/// `f(x).a[each.key]` gives `f(x)` and the steps `.a` and `[each.key]`; an expression of any other form gives
/// itself and no steps. It does not fail, since callers differ in what they accept as the root.
pub fn open_traversal(expr: &Expr) -> (&Expr, Vec<OpenStep<'_>>) {
    let (mut root, mut steps) = (expr, Vec::new());
    loop {
        root = match &root.kind {
            ExprKind::GetAttr { base, name } => {
                steps.push(OpenStep::Attribute(name));
                base
            }
            ExprKind::Index { base, key, .. } => {
                steps.push(OpenStep::Key(key));
                base
            }
            _ => break,
        };
    }
    steps.reverse();
    (root, steps)
}

/// The expression as a traversal that begins with a name; `None` for any other expression, also for a
/// computed index. The words `true`, `false` and `null` count as names, even with steps behind them.
pub fn absolute_traversal(expr: &Expr) -> Option<Traversal> {
    closed_traversal(expr, ConstantIndex::new)
}

/// As [`absolute_traversal`], with the constant that `key` gives for each index.
pub fn closed_traversal(
    expr: &Expr,
    key: impl Fn(&Expr) -> Option<ConstantIndex>,
) -> Option<Traversal> {
    let (root, steps) = open_traversal(expr);
    let root = Ident { name: super::as_keyword(root)?.into(), span: root.span };
    let close = |step: OpenStep<'_>| match step {
        OpenStep::Attribute(name) => Some(TraversalStep::Attr(name.clone())),
        OpenStep::Key(it) => Some(TraversalStep::Index { key: key(it)?, span: it.span }),
    };
    let steps = steps.into_iter().map(close).collect::<Option<Vec<_>>>()?;
    Some(Traversal { root, steps, span: expr.span })
}

/// The expression as a traversal whose first name is an attribute too.
pub fn relative_traversal(expr: &Expr) -> Option<RelativeTraversal> {
    let Traversal { root, steps, span } = absolute_traversal(expr)?;
    let steps = std::iter::once(TraversalStep::Attr(root)).chain(steps).collect();
    Some(RelativeTraversal { steps, span })
}
