//! Finds the references of an expression: root names that nothing in the expression binds.

use diagnostics::Span;
use hcl::{Expr, ExprKind, ForExpr, Ident, TemplatePart};
use release::{Release, function};
use stack::guarded;
use tf_value::Number;

/// Words that are types where an expression is a type.
const PRIMITIVES: [&str; 4] = ["any", "bool", "number", "string"];

/// A root name and the constant steps after it.
#[derive(Clone, Debug, PartialEq)]
pub struct RootReference<'e> {
    pub name: &'e str,
    /// The step right after the name.
    pub first: Option<ReferenceStep<'e>>,
    pub span: Span,
    /// The expression of the name with its steps.
    whole: &'e Expr,
}

impl<'e> RootReference<'e> {
    /// The expression of the name with its steps.
    pub fn whole(&self) -> &'e Expr {
        self.whole
    }

    /// All steps.
    pub fn steps(&self) -> Vec<ReferenceStep<'e>> {
        let mut steps = Vec::new();
        let mut at = self.whole;
        while let Some((step, base)) = step(at) {
            steps.push(step);
            at = base;
        }
        steps.reverse();
        steps
    }

    /// Whether a resource or a call is followed by a key that no instance can have, such as `[true]` or `[1.5]`.
    pub fn has_unfit_key(&self) -> bool {
        let names = match self.name {
            "data" | "resource" | "ephemeral" => 2,
            "var" | "local" | "path" | "terraform" | "tofu" | "each" | "count" | "self" => {
                return false;
            }
            _ => 1,
        };
        let (mut at, mut keys) = (self.whole, Vec::new());
        while let Some((_, base)) = step(at) {
            keys.push(match &at.kind {
                ExprKind::Index { key, .. } => Some(&key.kind),
                _ => None,
            });
            at = base;
        }
        match keys.iter().rev().nth(names).copied().flatten() {
            Some(ExprKind::Null | ExprKind::Bool(_)) => true,
            Some(ExprKind::Number(text)) => {
                Number::parse(text).and_then(|it| it.to_i64()).is_none()
            }
            _ => false,
        }
    }
}

/// A step of a reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceStep<'e> {
    Attribute(&'e str),
    /// `[0]`, `["a"]`, also `[null]`
    Index,
}

/// Visits the references of an expression whose root is not among `bound`, in order of appearance.
pub fn for_each_root<'e>(
    expr: &'e Expr,
    bound: &[&'e str],
    visit: &mut dyn FnMut(RootReference<'e>),
) {
    Walk { bound: bound.to_vec(), has_types: true, visit }.expr(expr);
}

/// Like [`for_each_root`], with the type of a `convert` as an ordinary argument: a template takes its names for
/// variables.
pub fn for_each_root_of_template<'e>(
    expr: &'e Expr,
    bound: &[&'e str],
    visit: &mut dyn FnMut(RootReference<'e>),
) {
    Walk { bound: bound.to_vec(), has_types: false, visit }.expr(expr);
}

/// Like [`for_each_root`]; in a release without the function `convert`, its type is an ordinary
/// argument.
pub(super) fn for_each_root_in<'e>(
    release: Release,
    expr: &'e Expr,
    bound: &[&'e str],
    visit: &mut dyn FnMut(RootReference<'e>),
) {
    let has_types = function("convert").is_none_or(|it| release.has(it));
    Walk { bound: bound.to_vec(), has_types, visit }.expr(expr);
}

struct Walk<'e, 'v> {
    bound: Vec<&'e str>,
    /// Whether the second argument of `convert` is a type.
    has_types: bool,
    visit: &'v mut dyn FnMut(RootReference<'e>),
}

impl<'e> Walk<'e, '_> {
    fn expr(&mut self, expr: &'e Expr) {
        if expr.is_leaf() {
            self.descend(expr);
        } else {
            guarded(|| self.descend(expr));
        }
    }

    fn descend(&mut self, expr: &'e Expr) {
        if let Some(root) = traversal(expr) {
            if !self.bound.contains(&root.name) {
                (self.visit)(root);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Template(parts) => self.parts(parts),
            // The keywords of a type are not references.
            ExprKind::Call { name, args, .. } if self.has_types && is_conversion(&name.name) => {
                let (value, types) = args.split_at(args.len().min(1));
                self.all(value);
                let visit = &mut *self.visit;
                let mut visit = |it: RootReference<'e>| {
                    if it.first.is_some() || !PRIMITIVES.contains(&it.name) {
                        visit(it);
                    }
                };
                Walk { bound: self.bound.clone(), has_types: true, visit: &mut visit }.all(types);
            }
            ExprKind::For(it) => self.for_expr(it),
            _ => expr.for_each_child(&mut |it| self.expr(it)),
        }
    }

    fn all(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|it| self.expr(it));
    }

    fn for_expr(&mut self, it: &'e ForExpr) {
        self.expr(&it.collection);
        self.bound([it.key_name.as_ref(), Some(&it.value_name)], |walk| {
            walk.all(it.key.iter().chain([&it.value]).chain(&it.condition));
        });
    }

    fn parts(&mut self, parts: &'e [TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => (),
                TemplatePart::Interpolation(expr) => self.expr(expr),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.nested(then);
                    self.nested(otherwise);
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    self.expr(collection);
                    self.bound([key.as_ref(), Some(value)], |walk| walk.nested(body));
                }
            }
        }
    }

    fn nested(&mut self, parts: &'e [TemplatePart]) {
        guarded(|| self.parts(parts));
    }

    fn bound(&mut self, names: [Option<&'e Ident>; 2], walk: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        self.bound.extend(names.into_iter().flatten().map(|it| it.name.as_str()));
        walk(self);
        self.bound.truncate(depth);
    }
}

fn is_conversion(function: &str) -> bool {
    function.strip_prefix("core::").unwrap_or(function) == "convert"
}

/// The expression as a root name and constant steps.
fn traversal(expr: &Expr) -> Option<RootReference<'_>> {
    let (mut at, mut first) = (expr, None);
    while let Some((step, base)) = step(at) {
        (at, first) = (base, Some(step));
    }
    let ExprKind::Variable(name) = &at.kind else { return None };
    Some(RootReference { name, first, span: expr.span, whole: expr })
}

/// The last step of an expression, and its base.
fn step(expr: &Expr) -> Option<(ReferenceStep<'_>, &Expr)> {
    match &expr.kind {
        ExprKind::GetAttr { base, name } => Some((ReferenceStep::Attribute(&name.name), base)),
        ExprKind::Index { base, key, .. } if is_constant(key) => Some((ReferenceStep::Index, base)),
        _ => None,
    }
}

/// Whether the expression is a root name and constant steps.
pub fn is_traversal(expr: &Expr) -> bool {
    traversal(expr).is_some()
}

fn is_constant(key: &Expr) -> bool {
    matches!(
        key.kind,
        ExprKind::Number(_) | ExprKind::String(_) | ExprKind::Null | ExprKind::Bool(_)
    )
}
