//! Reads expressions without evaluating them: keywords, traversals, lists, maps, calls.
//!
//! The rules are those of HCL's static analysis. They do not look through parentheses and templates, so
//! `("x")` is not a keyword and `(foo.bar)` is not a traversal.

use super::{Body, Expr, ExprKind, ForExpr, Ident, Item, ObjectItem, TemplatePart};
use diagnostics::Span;
use smol_str::SmolStr;
use stack::guarded;

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

// The names that an expression refers to, with the steps into them.

/// A name from outside the expression and the steps taken from it.
///
/// Unlike HCL's own list of variables, steps behind an index that is not constant are kept, with
/// [`PathStep::Any`] in the index's place: `foo.x[count.index].name` gives `foo.x[*].name` and
/// `count.index`. Steps are also kept through parentheses, both results of a conditional, and
/// splats.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub root: Ident,
    pub steps: Vec<PathStep>,
    /// From the root to the last step.
    pub span: Span,
}

/// A step of a reference.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    /// `.name`
    Attr(SmolStr),
    /// A constant index.
    Key(ConstantIndex),
    /// A splat, or an index that is an expression.
    Any,
}

/// All references of an expression, in source order of their roots. Names that a `for` binds, in
/// expressions or templates, are left out.
pub fn references(expr: &Expr) -> Vec<Reference> {
    let mut walk = Walk::default();
    walk.expr(expr, &Suffix::default());
    walk.found.sort_by_key(|it| it.root.span.start);
    walk.found
}

/// All references of the attributes of a body and of the blocks in it.
pub fn body_references(body: &Body) -> Vec<Reference> {
    let mut found = Vec::new();
    for item in &body.items {
        match item {
            Item::Attribute(it) => found.extend(references(&it.value)),
            Item::Block(it) => {
                found.extend(guarded(|| body_references(&it.body)));
            }
        }
    }
    found
}

/// The steps that follow an expression, the nearest last, and the end of the last step.
#[derive(Clone, Default)]
struct Suffix {
    steps: Vec<PathStep>,
    end: u32,
}

impl Suffix {
    fn after(&self, step: PathStep, end: u32) -> Suffix {
        let mut steps = self.steps.clone();
        steps.push(step);
        Suffix { steps, end: self.end.max(end) }
    }
}

#[derive(Default)]
struct Walk<'a> {
    found: Vec<Reference>,
    bound: Vec<&'a SmolStr>,
    /// For each surrounding splat its source, and the step for its elements.
    sources: Vec<(&'a Expr, PathStep)>,
}

impl<'a> Walk<'a> {
    fn expr(&mut self, expr: &'a Expr, suffix: &Suffix) {
        guarded(|| self.expr_here(expr, suffix));
    }

    fn alone(&mut self, expr: &'a Expr) {
        self.expr(expr, &Suffix::default());
    }

    fn expr_here(&mut self, expr: &'a Expr, suffix: &Suffix) {
        let expr = expr.bare();
        let end = expr.span.end;
        match &expr.kind {
            ExprKind::Variable(name) => self.variable(name, expr.span, suffix),
            ExprKind::GetAttr { .. } | ExprKind::Index { .. } => self.chain(expr, suffix),
            ExprKind::Splat { source, each, .. } => self.splat(source, each, suffix),
            ExprKind::SplatItem => {
                if let Some((source, step)) = self.sources.pop() {
                    self.expr(source, &suffix.after(step.clone(), end));
                    self.sources.push((source, step));
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.alone(condition);
                self.expr(then, suffix);
                self.expr(otherwise, suffix);
            }
            ExprKind::For(it) => self.for_expr(it),
            ExprKind::Template(parts) => self.parts(parts),
            _ => expr.for_each_child(&mut |it| self.alone(it)),
        }
    }

    /// Follows attributes and indexes without a recursion for each.
    fn chain(&mut self, mut expr: &'a Expr, suffix: &Suffix) {
        let mut suffix = suffix.clone();
        loop {
            let end = expr.span.end.max(suffix.end);
            expr = match &expr.kind {
                ExprKind::GetAttr { base, name } => {
                    suffix.steps.push(PathStep::Attr(name.name.clone()));
                    base
                }
                ExprKind::Index { base, key, .. } => {
                    let constant = ConstantIndex::new(key);
                    if constant.is_none() {
                        self.alone(key);
                    }
                    suffix.steps.push(constant.map_or(PathStep::Any, PathStep::Key));
                    base
                }
                _ => break,
            };
            suffix.end = end;
        }
        self.expr(expr, &suffix);
    }

    /// An index on a splat's result selects one of the elements.
    fn splat(&mut self, source: &'a Expr, each: &'a Expr, suffix: &Suffix) {
        let mut suffix = suffix.clone();
        let step = match suffix.steps.pop() {
            Some(PathStep::Attr(_)) => {
                suffix.steps.clear();
                PathStep::Any
            }
            Some(step) => step,
            None => PathStep::Any,
        };
        self.sources.push((source, step));
        self.expr(each, &suffix);
        self.sources.pop();
    }

    fn variable(&mut self, name: &SmolStr, span: Span, suffix: &Suffix) {
        if self.bound.contains(&name) {
            return;
        }
        let steps = suffix.steps.iter().rev().cloned().collect();
        let root = Ident { name: name.clone(), span };
        let span = Span { end: span.end.max(suffix.end), ..span };
        self.found.push(Reference { root, steps, span });
    }

    fn for_expr(&mut self, it: &'a ForExpr) {
        self.alone(&it.collection);
        self.with_names(it.key_name.as_ref(), &it.value_name, |walk| {
            let inner = it.key.iter().chain([&it.value]).chain(&it.condition);
            inner.for_each(|it| walk.alone(it));
        });
    }

    fn with_names(
        &mut self,
        key: Option<&'a Ident>,
        value: &'a Ident,
        inner: impl FnOnce(&mut Self),
    ) {
        let before = self.bound.len();
        self.bound.extend(key.into_iter().chain([value]).map(|it| &it.name));
        inner(self);
        self.bound.truncate(before);
    }

    fn parts(&mut self, parts: &'a [TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => {}
                TemplatePart::Interpolation(it) => self.alone(it),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.alone(condition);
                    self.parts(then);
                    self.parts(otherwise);
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    self.alone(collection);
                    self.with_names(key.as_ref(), value, |it| it.parts(body));
                }
            }
        }
    }
}

// Traversals: a name followed by constant steps.

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
    let root = Ident { name: as_keyword(root)?.into(), span: root.span };
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
