//! The shape of an output that depends on a plan: whether it is one object, a tuple or a map of them.
//!
//! Only a plan knows the attributes of a resource, but the module says how many instances there are. If `count` is
//! added to `aws_vpc.main`, `value = aws_vpc.main` was an object and is a tuple, so that `module.m.vpc.id` is refused.
//! `aws_vpc.main.id` and `aws_vpc.main[0].id` are the same attribute of the same type.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::contract::ModuleContract;
use hcl::{Expr, ExprKind, ForExpr, ObjectItem, ObjectKey};
use module::{Module, Repetition};
use stack::guarded;
use tf_value::Type;
use verdict::tree::Link;

/// Locals, and outputs of called modules, that refer to others, this deep.
const DEEPEST: usize = 40;

/// The most parts of one expression.
const PARTS: usize = 2000;

/// The shape of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Nothing is known of it.
    Unknown,
    Typed(Type),
    /// An instance of a resource of a type, or of a called module.
    Instance(SmolStr),
    /// An attribute or element of something whose type is not known.
    Part(Box<Shape>, SmolStr),
    Tuple(Box<Shape>),
    Map(Box<Shape>),
    Record(BTreeMap<SmolStr, Shape>),
}

/// How well a new shape fits where an old one was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Same,
    More,
    Open,
    Other,
}

/// Compares two shapes.
pub fn fit(was: &Shape, is: &Shape) -> Fit {
    use Shape::{Instance, Map, Part, Record, Tuple, Typed, Unknown};
    guarded(|| match (was, is) {
        (Unknown, _) | (_, Unknown) => Fit::Open,
        _ if was == is => Fit::Same,
        (Part(..), _) | (_, Part(..)) | (Instance(_), Instance(_)) => Fit::Open,
        (Tuple(was), Tuple(is)) | (Map(was), Map(is)) => fit(was, is),
        (Record(was), Record(is)) => {
            let each =
                was.iter().map(|(name, was)| is.get(name).map_or(Fit::Other, |is| fit(was, is)));
            let is_more = is.len() > was.len();
            each.chain(is_more.then_some(Fit::More)).max().unwrap_or(Fit::Same)
        }
        // What attributes an object has is not known.
        (Record(_), Instance(_) | Map(_)) | (Instance(_) | Map(_), Record(_)) => Fit::Open,
        (Typed(ty), other) | (other, Typed(ty)) => typed(ty, other),
        _ => Fit::Other,
    })
}

/// What replaces an attribute that is gone.
const GONE: &Shape = &Shape::Unknown;

/// The first place at which the shapes do not fit, with both shapes there.
pub fn difference<'s>(path: &str, was: &'s Shape, is: &'s Shape) -> (String, &'s Shape, &'s Shape) {
    let inner = match (was, is) {
        (Shape::Record(before), Shape::Record(after)) => before.iter().find_map(|(name, was)| {
            let is = after.get(name).unwrap_or(GONE);
            let is_gone = *is == Shape::Unknown && !after.contains_key(name);
            (is_gone || fit(was, is) == Fit::Other).then(|| (format!("{path}.{name}"), was, is))
        }),
        (Shape::Tuple(was), Shape::Tuple(is)) | (Shape::Map(was), Shape::Map(is)) => {
            Some((format!("{path}[*]"), &**was, &**is))
        }
        _ => None,
    };
    match inner {
        Some((path, was, is)) => guarded(|| difference(&path, was, is)),
        None => (path.to_owned(), was, is),
    }
}

/// Whether a value of a type may have a shape.
fn typed(ty: &Type, shape: &Shape) -> Fit {
    let may_be = match shape {
        Shape::Tuple(_) => matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Dynamic),
        Shape::Map(_) | Shape::Instance(_) | Shape::Record(_) => {
            matches!(ty, Type::Object(_) | Type::Map(_) | Type::Dynamic)
        }
        _ => true,
    };
    if may_be { Fit::Open } else { Fit::Other }
}

/// The shape of an expression of a contract's module.
pub fn shape(expr: &Expr, contract: &ModuleContract<'_>) -> Shape {
    let mut parts = PARTS;
    let reader = ShapeReader { contract, place: None, bound: &[], depth: 0 };
    reader.shape(expr, &mut parts)
}

/// Reads expressions of a module in the tree.
#[derive(Clone, Copy)]
struct ShapeReader<'r> {
    contract: &'r ModuleContract<'r>,
    /// The called module; `None` for the root.
    place: Option<usize>,
    /// The names that a `for` binds.
    bound: &'r [(SmolStr, Shape)],
    depth: usize,
}

impl<'r> ShapeReader<'r> {
    fn module(self) -> &'r Module {
        match self.place {
            Some(at) => &self.contract.tree.called[at].module.module,
            None => &self.contract.module,
        }
    }

    fn shape(self, expr: &Expr, parts: &mut usize) -> Shape {
        if *parts == 0 || self.depth > DEEPEST {
            return Shape::Unknown;
        }
        *parts -= 1;
        guarded(|| self.kind(expr.bare(), parts))
    }
    fn kind(self, expr: &Expr, parts: &mut usize) -> Shape {
        match &expr.kind {
            ExprKind::String(_) | ExprKind::Template(_) => Shape::Typed(Type::String),
            ExprKind::Number(_) => Shape::Typed(Type::Number),
            ExprKind::Bool(_) => Shape::Typed(Type::Bool),
            ExprKind::Variable(name) => self.of_bound(name).unwrap_or(Shape::Unknown),
            ExprKind::SplatItem => self.of_bound("*").unwrap_or(Shape::Unknown),
            ExprKind::GetAttr { base, name } => match self.reference(expr, parts) {
                Some(it) => it,
                None => self.attribute(self.shape(base, parts), &name.name, parts),
            },
            ExprKind::Index { base, key, .. } => {
                match (self.shape(base, parts), &key.bare().kind) {
                    (Shape::Tuple(it) | Shape::Map(it), _) => *it,
                    (base, ExprKind::String(name)) => self.attribute(base, name, parts),
                    (Shape::Unknown, _) => Shape::Unknown,
                    (Shape::Typed(ty), _) => {
                        ty.element().map_or(Shape::Unknown, |it| Shape::Typed(it.clone()))
                    }
                    (base, _) => Shape::Part(Box::new(base), "[]".into()),
                }
            }
            ExprKind::Splat { source, each, .. } => {
                let item = match self.shape(source, parts) {
                    Shape::Tuple(it) => *it,
                    it @ (Shape::Instance(_) | Shape::Record(_)) => it,
                    _ => return Shape::Unknown,
                };
                self.tuple_of(&[("*".into(), item)], each, parts)
            }
            ExprKind::Call { name, args, expand: false } => {
                self.call(name.name.strip_prefix("core::").unwrap_or(&name.name), args, parts)
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                let is_null = |it: &Expr| matches!(it.bare().kind, ExprKind::Null);
                let (one, other) = (self.shape(then, parts), self.shape(otherwise, parts));
                match () {
                    () if is_null(then) => other,
                    () if is_null(otherwise) || one == other => one,
                    () => Shape::Unknown,
                }
            }
            ExprKind::Object(items) => self.record(items, parts),
            ExprKind::For(it) => self.each(it, parts),
            _ => Shape::Unknown,
        }
    }

    fn of_bound(self, name: &str) -> Option<Shape> {
        self.bound.iter().rfind(|it| it.0 == name).map(|it| it.1.clone())
    }

    /// The shape of a reference to a resource, a call, a local or a variable; `None` for anything else.
    fn reference(self, expr: &Expr, parts: &mut usize) -> Option<Shape> {
        let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
        let module = self.module();
        match &base.bare().kind {
            ExprKind::Variable(root) if self.of_bound(root).is_none() => match root.as_str() {
                "local" => {
                    let deeper = ShapeReader { depth: self.depth + 1, bound: &[], ..self };
                    Some(deeper.shape(&module.locals.get(&name.name)?.expr, parts))
                }
                "var" => {
                    let ty = &module.variables.get(&name.name)?.constraint.ty;
                    Some(if ty.has_dynamic() {
                        Shape::Unknown
                    } else {
                        Shape::Typed(ty.without_optional())
                    })
                }
                "module" => {
                    let call = module.calls.get(&name.name)?;
                    let source = call.source.as_ref().map_or("", |it| it.0.as_str());
                    let version = call.version.as_ref().map_or("", |it| it.0.as_str());
                    let of = match self.link(&name.name) {
                        Some(at) => format!("{LOCAL}{at}"),
                        None => format!("module {source} {version}"),
                    };
                    Some(instances(&call.repetition, of))
                }
                kind => {
                    let it = module.resources.get(&(kind.into(), name.name.clone()))?;
                    Some(instances(&it.repetition, kind.to_owned()))
                }
            },
            ExprKind::GetAttr { base, name: kind } => {
                let ExprKind::Variable(root) = &base.bare().kind else { return None };
                let is_kind = matches!(root.as_str(), "data" | "ephemeral");
                let kind = is_kind.then(|| format!("{root}.{}", kind.name))?;
                let it = module.resources.get(&(kind.as_str().into(), name.name.clone()))?;
                Some(instances(&it.repetition, kind))
            }
            _ => None,
        }
    }

    /// The place in the tree of a called module.
    fn link(self, call: &str) -> Option<usize> {
        let links = match self.place {
            Some(at) => &self.contract.tree.called[at].calls,
            None => &self.contract.tree.calls,
        };
        match links.get(call)? {
            Link::To(at) => Some(*at),
            _ => None,
        }
    }

    fn attribute(self, of: Shape, name: &SmolStr, parts: &mut usize) -> Shape {
        match of {
            Shape::Map(it) => *it,
            Shape::Record(members) => members.get(name).cloned().unwrap_or(Shape::Unknown),
            Shape::Typed(Type::Object(ref object)) => {
                object.attributes.get(name).map_or(Shape::Unknown, |it| Shape::Typed(it.clone()))
            }
            Shape::Typed(Type::Map(ref it)) => Shape::Typed((**it).clone()),
            Shape::Instance(of) => {
                if let Some(at) = of.strip_prefix(LOCAL).and_then(|it| it.parse().ok()) {
                    let called =
                        ShapeReader { place: Some(at), bound: &[], depth: self.depth + 1, ..self };
                    let output = called.module().outputs.get(name).and_then(|it| it.value.as_ref());
                    return output.map_or(Shape::Unknown, |it| called.shape(it, parts));
                }
                Shape::Part(Box::new(Shape::Instance(of)), name.clone())
            }
            Shape::Part(..) => Shape::Part(Box::new(of), name.clone()),
            _ => Shape::Unknown,
        }
    }

    fn call(self, name: &str, args: &[Expr], parts: &mut usize) -> Shape {
        match (name, args) {
            ("one", [list]) => match self.shape(list, parts) {
                Shape::Tuple(it) => *it,
                _ => Shape::Unknown,
            },
            ("values", [map]) => match self.shape(map, parts) {
                Shape::Map(it) => Shape::Tuple(it),
                _ => Shape::Unknown,
            },
            ("sensitive" | "nonsensitive" | "try", [it]) => self.shape(it, parts),
            _ => Shape::Unknown,
        }
    }

    fn record(self, items: &[ObjectItem], parts: &mut usize) -> Shape {
        let mut out = BTreeMap::new();
        for item in items {
            let name = match &item.key {
                ObjectKey::Name(it) => it.name.clone(),
                ObjectKey::Expr(it) | ObjectKey::Template(it) => match &it.bare().kind {
                    ExprKind::String(it) => it.clone(),
                    _ => return Shape::Unknown,
                },
            };
            out.insert(name, self.shape(&item.value, parts));
        }
        Shape::Record(out)
    }

    fn each(self, it: &ForExpr, parts: &mut usize) -> Shape {
        let item = match self.shape(&it.collection, parts) {
            Shape::Tuple(it) | Shape::Map(it) => *it,
            Shape::Typed(ty) => ty.element().map_or(Shape::Unknown, |it| Shape::Typed(it.clone())),
            _ => Shape::Unknown,
        };
        let mut bound = vec![(it.value_name.name.clone(), item)];
        bound.extend(it.key_name.iter().map(|it| (it.name.clone(), Shape::Unknown)));
        let value = self.tuple_of(&bound, &it.value, parts);
        match value {
            Shape::Tuple(value) if it.key.is_some() => {
                Shape::Map(if it.group { Box::new(Shape::Tuple(value)) } else { value })
            }
            value => value,
        }
    }

    /// A tuple of what an expression is with names bound.
    fn tuple_of(self, bound: &[(SmolStr, Shape)], each: &Expr, parts: &mut usize) -> Shape {
        let bound = [self.bound, bound].concat();
        let deeper = ShapeReader { bound: &bound, depth: self.depth + 1, ..self };
        Shape::Tuple(Box::new(deeper.shape(each, parts)))
    }
}

/// What the name of a module that is here begins with, before its place in the tree.
const LOCAL: &str = "\0";

/// The instances of a resource or a call.
fn instances(repetition: &Repetition, of: String) -> Shape {
    let instance = Box::new(Shape::Instance(of.into()));
    match (&repetition.count, &repetition.for_each) {
        (Some(_), _) => Shape::Tuple(instance),
        (None, Some(_)) => Shape::Map(instance),
        (None, None) => *instance,
    }
}
