//! The shape of a value whose type only a plan knows: one object, an array or a map of them, or a text.
//!
//! A shape holds whatever the plan finds, except that a value may be null.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::tree::{Link, ModuleTree};
use hcl::{Expr, ExprKind, ForExpr, ObjectItem, ObjectKey, UnaryOp};
use module::{Module, Repetition};
use stack::guarded;
use tf_value::Type;

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
    /// A list, a set or a tuple, with the shape of each element.
    Tuple(Box<Shape>),
    /// A map, or an object whose attributes all have one shape.
    Map(Box<Shape>),
    /// An object with these attributes.
    Record(BTreeMap<SmolStr, Shape>),
}

/// A module in whose expressions shapes are read, with the modules that it calls.
#[derive(Clone, Copy)]
pub struct Shapes<'r> {
    pub module: &'r Module,
    pub tree: &'r ModuleTree,
}

impl Shapes<'_> {
    /// The shape of an expression.
    pub fn of(self, expr: &Expr) -> Shape {
        self.reader().shape(expr, &mut PARTS.clone())
    }

    /// The shape of an attribute of a value.
    pub fn attribute(self, of: &Shape, name: &SmolStr) -> Shape {
        self.reader().attribute(of.clone(), name, &mut PARTS.clone())
    }

    fn reader(&self) -> ShapeReader<'_> {
        ShapeReader { within: *self, place: None, bound: &[], depth: 0 }
    }
}

/// Reads expressions of a module in the tree.
#[derive(Clone, Copy)]
struct ShapeReader<'r> {
    within: Shapes<'r>,
    /// The called module; `None` for the root.
    place: Option<usize>,
    /// The names that a `for` binds.
    bound: &'r [(SmolStr, Shape)],
    depth: usize,
}

impl<'r> ShapeReader<'r> {
    fn module(self) -> &'r Module {
        match self.place {
            Some(at) => &self.within.tree.called[at].module.module,
            None => self.within.module,
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
            ExprKind::Unary { op: UnaryOp::Not, .. } => Shape::Typed(Type::Bool),
            ExprKind::Unary { .. } => Shape::Typed(Type::Number),
            ExprKind::Binary { op, .. } => {
                Shape::Typed(if op.is_arithmetic() { Type::Number } else { Type::Bool })
            }
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
            ExprKind::Call { name, args, expand } => {
                let name = name.name.strip_prefix("core::").unwrap_or(&name.name);
                if *expand { of_function(name, &[]) } else { self.call(name, args, parts) }
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                let (one, other) = (self.shape(then, parts), self.shape(otherwise, parts));
                match () {
                    () if then.is_null() => other,
                    () if otherwise.is_null() => one,
                    () if then.is_empty() => next_to_empty(other, then),
                    () if otherwise.is_empty() => next_to_empty(one, otherwise),
                    () => unified(one, &other),
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
            Some(at) => &self.within.tree.called[at].calls,
            None => &self.within.tree.calls,
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
            ("element", [list, _]) => match self.shape(list, parts) {
                Shape::Tuple(it) => *it,
                _ => Shape::Unknown,
            },
            ("values", [map]) => match self.shape(map, parts) {
                Shape::Map(it) => Shape::Tuple(it),
                _ => of_function(name, &[]),
            },
            ("sensitive" | "nonsensitive", [it]) => self.shape(it, parts),
            // One of them is taken as it is.
            ("try", [_, ..]) => {
                let others = args.iter().filter(|it| !it.is_null() && !it.is_empty());
                let all: Vec<Shape> = others.map(|it| self.shape(it, parts)).collect();
                let empty = args.iter().find(|it| it.is_empty()).map(is_object);
                match (all.into_iter().reduce(one_of), empty) {
                    (Some(it), None) => it,
                    (Some(it), Some(false)) if is_sequence(&it) => it,
                    (Some(it), Some(true)) if is_mapping(&it) => container(true),
                    (None, Some(is_object)) => container(is_object),
                    _ => Shape::Unknown,
                }
            }
            _ => {
                let all: Vec<Shape> = args.iter().map(|it| self.shape(it, parts)).collect();
                of_function(name, &all)
            }
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

fn is_object(expr: &Expr) -> bool {
    matches!(expr.bare().kind, ExprKind::Object(_))
}

/// The result of a conditional whose other branch is empty: nothing but such a value fits it.
fn next_to_empty(shape: Shape, empty: &Expr) -> Shape {
    let is_object = is_object(empty);
    match shape {
        Shape::Map(_) if is_object => shape,
        // The attributes become the elements of a map.
        Shape::Record(members) if is_object => {
            let one = members
                .into_values()
                .reduce(|one, other| same(one, &other))
                .unwrap_or(Shape::Unknown);
            Shape::Map(Box::new(one))
        }
        Shape::Tuple(_) if !is_object => shape,
        Shape::Typed(ty) => unified(Shape::Typed(ty), &container(is_object)),
        _ => container(is_object),
    }
}

fn container(is_object: bool) -> Shape {
    let element = Box::new(Shape::Unknown);
    if is_object { Shape::Map(element) } else { Shape::Tuple(element) }
}

/// The shape that both are; else nothing is known.
fn same(one: Shape, other: &Shape) -> Shape {
    if one == *other { one } else { Shape::Unknown }
}

/// The result of a conditional: Terraform converts both branches to one type.
fn unified(one: Shape, other: &Shape) -> Shape {
    let either = |is: fn(&Shape) -> bool| is(&one) || is(other);
    match () {
        () if one == *other => one,
        () if either(|it| *it == Shape::Typed(Type::String)) => Shape::Typed(Type::String),
        () if either(is_sequence) => container(false),
        () if either(is_mapping) => container(true),
        () => Shape::Unknown,
    }
}

/// What is one value or another one, as it is.
fn one_of(one: Shape, other: Shape) -> Shape {
    match (one, other) {
        (one, other) if one == other => one,
        (Shape::Tuple(one), Shape::Tuple(other)) => {
            Shape::Tuple(Box::new(guarded(|| one_of(*one, *other))))
        }
        (one, other) if is_sequence(&one) && is_sequence(&other) => container(false),
        (one, other) if is_mapping(&one) && is_mapping(&other) => container(true),
        _ => Shape::Unknown,
    }
}

fn is_sequence(shape: &Shape) -> bool {
    let is_typed = |ty: &Type| matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    matches!(shape, Shape::Tuple(_)) || matches!(shape, Shape::Typed(ty) if is_typed(ty))
}

fn is_mapping(shape: &Shape) -> bool {
    let is_typed = |ty: &Type| matches!(ty, Type::Map(_) | Type::Object(_));
    matches!(shape, Shape::Map(_) | Shape::Record(_) | Shape::Instance(_))
        || matches!(shape, Shape::Typed(ty) if is_typed(ty))
}

/// The functions whose results are lists, sets or tuples: with the elements of their first argument, of all, or others.
const OF_FIRST: [&str; 8] =
    ["distinct", "reverse", "setsubtract", "slice", "sort", "tolist", "toset", "compact"];
const OF_ALL: [&str; 4] = ["coalescelist", "concat", "setintersection", "setunion"];
const OF_OTHERS: [&str; 5] = ["chunklist", "flatten", "matchkeys", "setproduct", "values"];

/// The result of a function for arguments with these shapes.
fn of_function(name: &str, args: &[Shape]) -> Shape {
    let element = |it: &Shape| match it {
        Shape::Tuple(it) | Shape::Map(it) => (**it).clone(),
        _ => Shape::Unknown,
    };
    let elements =
        args.iter().map(element).reduce(|one, other| same(one, &other)).unwrap_or(Shape::Unknown);
    match name {
        "keys" => Shape::Tuple(Box::new(Shape::Typed(Type::String))),
        "merge" | "tomap" => Shape::Map(Box::new(elements)),
        "zipmap" => container(true),
        _ if OF_FIRST.contains(&name) => {
            Shape::Tuple(Box::new(args.first().map_or(Shape::Unknown, element)))
        }
        _ if OF_ALL.contains(&name) => Shape::Tuple(Box::new(elements)),
        _ if OF_OTHERS.contains(&name) => container(false),
        _ => Shape::Unknown,
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
