//! The static check of references, and the parsing of one.
//!
//! Terraform resolves every reference of an expression before it evaluates anything, so an undeclared
//! name is an error inside `can`, `try` and untaken branches as well.

mod problem;
mod walk;

use std::fmt;

pub(super) use problem::is_within;
pub use walk::{ReferenceStep, RootReference};
pub(super) use walk::{for_each_root, for_each_root_of_template, is_traversal};

use super::{Namespace, Scope};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::{Expr, ExprKind, Ident};
use release::{Release, changes};
use stack::guarded;

/// The target of `base.name`, parsed from its beginning.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reference<'e> {
    /// `var.NAME`, `local.NAME`
    Value(Namespace, &'e str),
    /// `path.NAME`, `terraform.NAME`
    Builtin(&'e str, &'e str),
    /// `each.NAME`, `count.NAME`
    Instance(&'e str, &'e str),
    /// A resource, data source or module call, whose value mostly only a plan knows.
    Object { kind: String, name: &'e str },
    /// `data.TYPE`, `resource.TYPE`, `ephemeral.TYPE`, before the name.
    Prefix,
}

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Value(namespace, name) => write!(f, "{}.{name}", namespace.root()),
            Reference::Builtin(root, name) | Reference::Instance(root, name) => {
                write!(f, "{root}.{name}")
            }
            Reference::Object { kind, name } => write!(f, "{kind}.{name}"),
            Reference::Prefix => Ok(()),
        }
    }
}

/// Parses `base.name` if it is the head of a reference; `None` for an ordinary attribute.
pub(super) fn of<'e>(
    base: &'e Expr,
    name: &'e Ident,
    release: Release,
    is_bound: impl Fn(&str) -> bool,
) -> Option<Reference<'e>> {
    match &base.kind {
        // `self` is a value of its own.
        ExprKind::Variable(root) if root == "self" => None,
        ExprKind::Variable(root) if !is_bound(root) => Some(head(root, &name.name, release)),
        ExprKind::GetAttr { base, name: kind } => match &base.kind {
            ExprKind::Variable(root) if !is_bound(root) => qualified(root, &kind.name, &name.name),
            _ => None,
        },
        _ => None,
    }
}

fn head<'e>(root: &'e str, name: &'e str, release: Release) -> Reference<'e> {
    match root {
        "var" => Reference::Value(Namespace::Variable, name),
        "local" => Reference::Value(Namespace::Local, name),
        "path" | "terraform" => Reference::Builtin(root, name),
        "tofu" if release.has(&changes::TOFU_NAMESPACE) => Reference::Builtin("terraform", name),
        "each" | "count" => Reference::Instance(root, name),
        "data" | "resource" | "ephemeral" => Reference::Prefix,
        _ => Reference::Object { kind: root.to_string(), name },
    }
}

/// `data.TYPE.NAME` and the like.
fn qualified<'e>(root: &str, kind: &str, name: &'e str) -> Option<Reference<'e>> {
    match root {
        "data" | "ephemeral" => Some(Reference::Object { kind: format!("{root}.{kind}"), name }),
        "resource" => Some(Reference::Object { kind: kind.to_string(), name }),
        _ => None,
    }
}

/// All errors in the references of an expression, in their order.
pub(super) fn check(expr: &Expr, scope: &Scope<'_>, bound: &[&str]) -> Diagnostics {
    let mut found = Vec::new();
    if !scope.release.has(&changes::PROVIDER_FUNCTIONS) {
        find_namespaces(expr, &mut found);
    }
    if scope.data.is_checked() {
        return found;
    }
    let mut visit = |root: RootReference<'_>| found.extend(problem::of(&root, scope));
    walk::for_each_root_in(scope.release, expr, bound, &mut visit);
    found
}

/// Reports calls of the form `a::b(…)`, which older releases cannot parse.
fn find_namespaces(expr: &Expr, found: &mut Diagnostics) {
    if let ExprKind::Call { name, .. } = &expr.kind
        && name.name.contains("::")
    {
        let detail = format!("The name {:?} has a namespace.", name.name);
        let error = Diagnostic::new(&lints::UNDECLARED_REFERENCE, "Missing argument separator");
        found.push(error.detail(detail).at(Role::Rule, name.span));
    }
    if !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| find_namespaces(it, found)));
    }
}
