//! Steps that find nothing whatever the values are, apart from what the static pass finds: nobody has to walk them to
//! learn what the values of an example make fail.
//!
//! The forms are the plainest ones, which most arguments of resources have: constants, references, and lists, objects
//! and `jsonencode` of them. Every other form counts as one that may fail.

use smol_str::SmolStr;

use super::{
    built_in,
    graph::{Node, Task},
};
use hcl::{Expr, ExprKind, ObjectKey, TemplatePart};
use module::{BlockContent, Mode, Module, Resource, WrittenBody, inputs::Collected};
use release::Release;
use stack::guarded;
use tf_eval::shape;
use tf_value::{Number, Type, Value};

/// The root module, with the values that it is given.
#[derive(Clone, Copy)]
pub(super) struct Unfailing<'a> {
    pub module: &'a Module,
    pub given: &'a Collected,
    pub release: Release,
    /// Whether other modules may call it.
    pub is_called: bool,
}

impl<'a> Unfailing<'a> {
    /// Whether a step finds nothing new with the given values.
    pub fn holds(self, step: &Task) -> bool {
        if step.member > 0 {
            return false;
        }
        match &step.node {
            Node::Resource(kind, name) => {
                let declared = self.module.resources.get(&(kind.clone(), name.clone()));
                declared.is_some_and(|it| self.resource(it))
            }
            Node::Local(name) => {
                self.module.locals.get(name).is_some_and(|it| self.value(&it.expr))
            }
            // In the root module the marks of a value decide whether an output may show it.
            Node::Output(name) => self.module.outputs.get(name).is_some_and(|output| {
                self.is_called
                    && output.preconditions.is_empty()
                    && output.constraint.is_none()
                    && output.value.as_ref().is_some_and(|it| self.value(it))
            }),
            _ => false,
        }
    }

    fn resource(self, it: &Resource) -> bool {
        self.is_known_to_provider_only(it)
            && it.preconditions.is_empty()
            && it.postconditions.is_empty()
            && it.replace_triggered_by.is_empty()
            && it.body.overridden.is_none()
            && self.body(&it.body, it.mode)
    }

    /// Whether its value is unknown, without instances.
    fn is_known_to_provider_only(self, it: &Resource) -> bool {
        it.repetition.is_single()
            && !built_in::has_schema(it)
            && (!it.ty.starts_with("terraform_") || shape(&it.kind(), self.release).is_none())
    }

    fn body(self, body: &WrittenBody, mode: Mode) -> bool {
        // The provider stores what a data source is given: that a local value may not be stored shows when it is known.
        let may_be = |it: &Expr| self.value(it) && (mode != Mode::Data || !has_locals(it));
        guarded(|| {
            body.arguments.iter().all(|it| it.iterators.is_empty() && may_be(&it.expr))
                && body.blocks.iter().all(|it| match &it.content {
                    BlockContent::Plain(inner) => self.body(inner, mode),
                    BlockContent::Dynamic(_) => false,
                })
        })
    }

    /// Whether an expression has a value.
    fn value(self, expr: &Expr) -> bool {
        guarded(|| match &expr.bare().kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::String(_) => true,
            ExprKind::Tuple(items) => items.iter().all(|it| self.value(it)),
            ExprKind::Object(items) => {
                items.iter().all(|it| is_constant(&it.key) && self.value(&it.value))
            }
            ExprKind::Template(parts) => parts.iter().all(|it| match it {
                TemplatePart::Literal { .. } => true,
                TemplatePart::Interpolation(it) => self.is_text(it),
                TemplatePart::If { .. } | TemplatePart::For { .. } => false,
            }),
            ExprKind::Call { name, args, expand: false } => match (name.name.as_str(), &args[..]) {
                ("jsonencode", [it]) => self.is_finite(it, &mut { MOST_PARTS }) && self.value(it),
                ("merge", args) => args.iter().all(|it| self.is_mapping(it)),
                ("try", args) => args.last().is_some_and(|it| self.value(it)),
                _ => false,
            },
            ExprKind::GetAttr { .. } => self.is_reference(expr),
            _ => false,
        })
    }

    /// Whether it is a reference that leads to a value.
    fn is_reference(self, expr: &Expr) -> bool {
        let Some(it) = Reference::of(expr) else { return false };
        match (it.root, it.names()) {
            ("local", [_]) => true,
            ("var", [name, rest @ ..]) => {
                let Some(declared) = self.module.variables.get(*name) else { return false };
                // Where nobody knows it, it is as in the static pass.
                self.of_variable(name)
                    .is_none_or(|it| has_attributes(it, Some(&declared.constraint.ty), rest))
            }
            (root, names) => self.is_of_provider(root, names),
        }
    }

    /// Whether it is an object or a variable of a type that `merge` takes.
    fn is_mapping(self, expr: &Expr) -> bool {
        if let ExprKind::Object(_) = expr.bare().kind {
            return self.value(expr);
        }
        let Some(it) = Reference::of(expr) else { return false };
        let ("var", [name]) = (it.root, it.names()) else { return false };
        let declared = self.module.variables.get(*name).map(|it| &it.constraint.ty);
        matches!(declared, Some(Type::Map(_) | Type::Object(_)))
    }

    /// Whether it is a reference to something that a template can show.
    fn is_text(self, expr: &Expr) -> bool {
        let Some(it) = Reference::of(expr) else { return false };
        let ("var", [name, rest @ ..]) = (it.root, it.names()) else { return false };
        self.of_variable(name).and_then(|it| at(it, rest)).is_some_and(|it| {
            let is_text = || it.as_str().is_some() || it.as_number().is_some();
            it.is_known() && !it.is_null() && is_text()
        })
    }

    /// Whether a reference leads to an attribute of something that only a provider knows.
    fn is_of_provider(self, root: &str, names: &[&str]) -> bool {
        let (mode, ty, name) = match (root, names) {
            ("data", [ty, name, _, ..]) => (Mode::Data, *ty, *name),
            (ty, [name, _, ..]) => (Mode::Managed, ty, *name),
            _ => return false,
        };
        let key = (SmolStr::new(format!("{}{ty}", mode.prefix())), SmolStr::new(name));
        let declared = self.module.resources.get(&key);
        declared.is_some_and(|it| self.is_known_to_provider_only(it))
    }

    /// Whether `jsonencode` can write all numbers: JSON has no infinity.
    fn is_finite(self, expr: &Expr, left: &mut usize) -> bool {
        guarded(|| match &expr.bare().kind {
            ExprKind::GetAttr { .. } => Reference::of(expr).is_some_and(|reference| {
                let name = reference.names().first().filter(|_| reference.root == "var");
                let value = name.and_then(|it| self.of_variable(it));
                reference.root != "local" && value.is_none_or(|it| is_finite(it, left))
            }),
            ExprKind::Call { name, .. } if name.name == "jsonencode" => false,
            _ => {
                let mut found = count(left);
                expr.for_each_child(&mut |it| found = found && self.is_finite(it, left));
                found
            }
        })
    }

    /// The given value of a variable, or its default.
    fn of_variable(self, name: &str) -> Option<&'a Value> {
        let given = self.given.get(name).map(|it| &it.value);
        given.or_else(|| self.module.variables.get(name)?.default.as_ref())
    }
}

/// The value at a path inside a value; `None` where something on the way has no attributes.
fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    let inside = |it: &'v Value, name: &&str| {
        let has_attributes = it.is_known() && !it.is_null();
        it.as_mapping().filter(|_| has_attributes)?.get(*name)
    };
    path.iter().try_fold(value, inside)
}

/// Whether a value of a declared type has what is at a path, once it is converted to the type. The static pass found the
/// attributes in the type where that names them.
fn has_attributes(value: &Value, ty: Option<&Type>, path: &[&str]) -> bool {
    let Some((name, rest)) = path.split_first() else { return true };
    if !value.is_known() {
        return true;
    }
    let declared = ty.and_then(Type::as_object).and_then(|it| it.attributes.get(*name));
    let attributes = value.as_mapping().filter(|_| !value.is_null());
    match attributes.map(|it| it.get(*name)) {
        Some(Some(value)) => has_attributes(value, declared, rest),
        // It is null, or has a default that is not looked at here.
        Some(None) => declared.is_some() && rest.is_empty(),
        None => false,
    }
}

/// The most parts of an expression, or of values in it, that are looked at again for one question.
const MOST_PARTS: usize = 256;

/// Takes one part more; whether it is not too many.
fn count(left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
}

/// The most names behind the root of a [`Reference`]; a longer one counts as one that may fail.
const MOST_NAMES: usize = 8;

/// A root with attributes behind it: `var.a.b`.
struct Reference<'e> {
    root: &'e str,
    /// From the end.
    names: [&'e str; MOST_NAMES],
    count: usize,
}

impl<'e> Reference<'e> {
    /// `None` for everything else, also where it has an index.
    fn of(expr: &'e Expr) -> Option<Reference<'e>> {
        let mut found = Reference { root: "", names: [""; MOST_NAMES], count: 0 };
        let mut expr = expr.bare();
        while let ExprKind::GetAttr { base, name } = &expr.kind {
            let place = MOST_NAMES.checked_sub(found.count + 1)?;
            found.names[place] = name.name.as_str();
            found.count += 1;
            expr = base;
        }
        let ExprKind::Variable(root) = &expr.kind else { return None };
        found.root = root;
        Some(found)
    }

    fn names(&self) -> &[&'e str] {
        &self.names[MOST_NAMES - self.count..]
    }
}

fn is_constant(key: &ObjectKey) -> bool {
    match key {
        ObjectKey::Name(_) => true,
        ObjectKey::Expr(it) => matches!(it.kind, ExprKind::String(_)),
        ObjectKey::Template(_) => false,
    }
}

/// Whether a local value is referred to somewhere.
fn has_locals(expr: &Expr) -> bool {
    guarded(|| match &expr.kind {
        ExprKind::Variable(name) => name == "local",
        _ => {
            let mut found = false;
            expr.for_each_child(&mut |it| found = found || has_locals(it));
            found
        }
    })
}

/// Whether nothing in a value is an infinity, or a text that may become one.
fn is_finite(value: &Value, left: &mut usize) -> bool {
    guarded(|| {
        if !count(left) {
            return false;
        }
        if let Some(text) = value.as_str() {
            let is_number = |it: char| "+-Ii".contains(it) || it.is_ascii_digit();
            return !text.starts_with(is_number)
                || text.len() < 64 && Number::parse(text).is_none_or(|it| !it.is_infinite());
        }
        let is_infinite = value.as_number().is_some_and(Number::is_infinite);
        !is_infinite
            && value.as_sequence().is_none_or(|items| items.iter().all(|it| is_finite(it, left)))
            && value.as_mapping().is_none_or(|items| items.values().all(|it| is_finite(it, left)))
    })
}
