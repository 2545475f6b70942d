//! What the expressions of a policy read, found before any object is judged: the arguments of the judged
//! object, the types of other objects, and the argument that each filter of `core::getresources` compares with.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use smol_str::SmolStr;

use super::{functions::plain, model::Locals};
use crate::language::{BlockKind, LabelPattern};
use diagnostics::Span;
use hcl::{Expr, ExprKind, ObjectKey};
use stack::{Depth, guarded};
use tf_eval::{ReferenceStep, RootReference, references};
use tf_value::{Path, Step};

/// What the expressions of a policy read.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// The names after `attrs.` and `prior_attrs.`.
    pub attrs: BTreeSet<SmolStr>,
    /// Where a name follows after the name of an argument: `attrs.logging.enabled`.
    pub inside: Vec<(SmolStr, Span)>,
    /// Whether an expression reads all of `attrs`.
    pub is_open: bool,
    /// Whether an expression reads `prior_attrs`.
    pub has_prior: bool,
    /// Whether an expression reads `meta`.
    pub has_meta: bool,
    /// Every name after a dot: arguments that nested blocks and other objects may have.
    pub nested: BTreeSet<SmolStr>,
    /// The types that `core::getresources` and `core::getdatasource` ask for.
    pub related: Vec<(BlockKind, LabelPattern)>,
    /// For each call of `core::getresources`: the path in `attrs` that a name of its filter is compared with.
    pub links: BTreeMap<Span, BTreeMap<SmolStr, Path>>,
}

/// The most locals that are followed from one value of a filter.
pub(super) const MOST_STEPS: u32 = 32;

impl Reads {
    /// Adds what an expression reads. `locals`: those that it may refer to.
    pub fn add(&mut self, expr: &Expr, locals: &[&Locals]) {
        for it in references(expr) {
            self.has_prior |= it.name == "prior_attrs";
            self.has_meta |= it.name == "meta";
            if !matches!(it.name, "attrs" | "prior_attrs") {
                continue;
            }
            if let [Step::Attribute(name), _, ..] = path_of(&it).0.as_slice() {
                self.inside.push((name.clone(), it.whole().span));
            }
            match it.first {
                Some(ReferenceStep::Attribute(name)) => _ = self.attrs.insert(name.into()),
                _ => self.is_open = true,
            }
        }
        self.walk(expr, locals);
    }

    fn walk(&mut self, expr: &Expr, locals: &[&Locals]) {
        match &expr.kind {
            ExprKind::GetAttr { name, .. } => _ = self.nested.insert(name.name.clone()),
            ExprKind::Call { name, args, .. } => self.call(&name.name, args, expr.span, locals),
            _ => (),
        }
        if !expr.is_leaf() {
            guarded(|| expr.for_each_child(&mut |it| self.walk(it, locals)));
        }
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span, locals: &[&Locals]) {
        let kind = match plain(name) {
            "getresources" => BlockKind::Resource,
            "getdatasource" => BlockKind::Data,
            _ => return,
        };
        let ty = args.first().and_then(|it| text(it, locals));
        self.related.push((kind, LabelPattern(ty.unwrap_or_else(|| "*".into()))));
        let Some(ExprKind::Object(items)) = args.get(1).map(|it| &it.kind) else { return };
        for item in items {
            let key = match &item.key {
                ObjectKey::Name(it) => Some(it.name.clone()),
                ObjectKey::Expr(it) => text(it, locals),
                ObjectKey::Template(_) => None,
            };
            let path = attribute(&item.value, locals, Depth::of(MOST_STEPS));
            if let (Some(key), Some(path)) = (key, path) {
                self.nested.insert(key.clone());
                self.links.entry(span).or_default().insert(key, path);
            }
        }
    }
}

/// A constant text, also of a local.
fn text(expr: &Expr, locals: &[&Locals]) -> Option<SmolStr> {
    match &expr.kind {
        ExprKind::String(it) => Some(it.clone()),
        ExprKind::GetAttr { .. } => match &local(expr, locals)?.kind {
            ExprKind::String(it) => Some(it.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The definition that `local.NAME` refers to.
fn local<'l>(expr: &Expr, locals: &[&'l Locals]) -> Option<&'l Arc<Expr>> {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
    let is_local = matches!(&base.kind, ExprKind::Variable(root) if root == "local");
    if !is_local {
        return None;
    }
    locals.iter().find_map(|it| it.get(&name.name))
}

/// The path in `attrs` whose value an expression has, if it has a value at all: `attrs.id`,
/// `core::try(attrs.id, null)`, a local with one of these.
fn attribute(expr: &Expr, locals: &[&Locals], depth: Depth) -> Option<Path> {
    let depth = depth.inner()?;
    let expr = expr.bare();
    match &expr.kind {
        ExprKind::Call { name, args, .. } if plain(&name.name) == "try" => {
            attribute(args.first()?, locals, depth)
        }
        ExprKind::GetAttr { .. } => match local(expr, locals) {
            Some(it) => attribute(it, locals, depth),
            None => {
                let found = references(expr);
                let [root] = found.as_slice() else { return None };
                let path = path_of(root);
                let is_whole = root.steps().len() == path.0.len() && root.whole().span == expr.span;
                (root.name == "attrs" && is_whole).then_some(path)
            }
        },
        _ => None,
    }
}

/// The names after a root, up to the first index.
pub(super) fn path_of(root: &RootReference<'_>) -> Path {
    Path(names_of(root).into_iter().map(Step::Attribute).collect())
}

/// The names after the root of a reference, up to the first index.
pub(super) fn names_of(root: &RootReference<'_>) -> Vec<SmolStr> {
    let names = root.steps().into_iter().map_while(|it| match it {
        ReferenceStep::Attribute(name) => Some(name.into()),
        ReferenceStep::Index => None,
    });
    names.collect()
}
