//! What a module takes out of variables whose types say little: `var.network[0].name` needs a list of objects.

use std::{collections::BTreeMap, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use hcl::{BinaryOp, Body, Expr, ExprKind, Item, ObjectKey, UnaryOp, parse_body};
use module::Module;
use stack::guarded;
use tf_value::Type;
use verdict::tree::{Link, ModuleTree};

/// How deep inside of a value uses are noted.
const DEEPEST: usize = 8;

/// The most parts that a text is split into.
const MOST_PARTS: usize = 20;

/// How many parts one module takes over from those that it calls.
const MOST: usize = 20_000;

/// What is taken out of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    pub attributes: BTreeMap<SmolStr, Use>,
    /// What is taken out of each element, if elements are taken.
    pub elements: Option<Box<Use>>,
    /// Whether its elements have keys.
    pub is_keyed: bool,
    /// The type of a called module's variable that takes it as it is, or that an operator needs.
    pub ty: Option<Type>,
    /// The separator at which a text is split, and how many parts are taken.
    pub split: Option<(SmolStr, usize)>,
}

/// The uses of a module's variables.
#[derive(Default)]
pub struct Uses {
    of: Taken,
    /// The same of called modules, by the names of the calls.
    called: BTreeMap<SmolStr, Rc<Taken>>,
    /// How many parts were taken over from called modules.
    added: usize,
}

/// What is taken out of each variable.
type Taken = BTreeMap<SmolStr, Use>;

/// A step into a value.
#[derive(Clone, Debug)]
enum Access {
    Attribute(SmolStr),
    Element,
    KeyedElement,
}

/// A variable, and the way from it to a part.
type Part = (SmolStr, Vec<Access>);

/// The name of the element of a splat.
const ITEM: SmolStr = SmolStr::new_static("[*]");

/// Names that are bound to parts.
type Bound = Vec<(SmolStr, Part)>;

impl Uses {
    /// Reads all native files of the module, and of those that it calls.
    pub fn of(module: &Module, tree: &ModuleTree) -> Uses {
        // A module comes after those that call it.
        let mut known: Vec<Rc<Taken>> = vec![Rc::default(); tree.called.len()];
        for (place, called) in tree.called.iter().enumerate().rev() {
            let module = &called.module.module;
            let mut uses = Uses::in_files(module, &called.calls, &known);
            for (name, variable) in &module.variables {
                let ty = &variable.constraint.ty;
                if !is_open(ty) {
                    uses.of.entry(name.clone()).or_default().ty = Some(ty.clone());
                }
            }
            known[place] = uses.of.into();
        }
        Uses::in_files(module, &tree.calls, &known)
    }

    fn in_files(module: &Module, calls: &HashMap<SmolStr, Link>, known: &[Rc<Taken>]) -> Uses {
        let mut uses = Uses::default();
        for (name, link) in calls {
            let Link::To(place) = link else { continue };
            let taken = known.get(*place).cloned();
            uses.called.extend(taken.map(|it| (name.clone(), it)));
        }
        for (id, file) in module.sources.files() {
            let extension = std::path::Path::new(&file.path).extension();
            let is_native = extension.is_none_or(|it| it != "json");
            if is_native && !id.is_adopted() {
                uses.body(&parse_body(id, &file.bytes).0, None);
            }
        }
        uses
    }

    /// What is taken out of a variable.
    pub fn variable(&self, name: &str) -> Option<&Use> {
        self.of.get(name)
    }

    /// `each`: what `each.value` is in this body.
    fn body(&mut self, body: &Body, each: Option<&Part>) {
        let own = body.items.iter().find_map(|it| match it {
            Item::Attribute(it) if it.name.name == "for_each" => {
                let (name, mut steps) = part(&it.value, &Bound::new())?;
                steps.push(Access::KeyedElement);
                Some((name, steps))
            }
            _ => None,
        });
        if let Some((name, steps)) = &own {
            self.note(name.clone(), steps);
        }
        let each = own.as_ref().or(each);
        let bound: Bound = each.map(|it| (SmolStr::new("each"), it.clone())).into_iter().collect();
        for item in &body.items {
            match item {
                Item::Attribute(it) => self.expr(&it.value, &bound),
                Item::Block(it) => guarded(|| {
                    if let ("module", [label]) = (it.kind.name.as_str(), it.labels.as_slice()) {
                        self.call(&label.text, &it.body, own.as_ref());
                    }
                    self.body(&it.body, each);
                }),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, bound: &Bound) {
        if let Some((name, steps)) = part(expr, bound) {
            self.note(name, &steps);
        }
        self.needs(expr, bound);
        match &expr.kind {
            ExprKind::For(it) => {
                let mut inner = bound.clone();
                if let Some((name, mut steps)) = part(&it.collection, bound) {
                    let is_keyed = it.key_name.is_some();
                    steps.push(if is_keyed { Access::KeyedElement } else { Access::Element });
                    self.note(name.clone(), &steps);
                    inner.push((it.value_name.name.clone(), (name, steps)));
                }
                if let Some(condition) = &it.condition {
                    self.need(condition, &Type::Bool, &inner);
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, &inner)));
            }
            ExprKind::Splat { source, each, .. } => {
                let mut inner = bound.clone();
                if let Some((name, mut steps)) = part(source, bound) {
                    steps.push(Access::Element);
                    self.note(name.clone(), &steps);
                    inner.push((ITEM, (name, steps)));
                }
                guarded(|| self.expr(source, bound));
                guarded(|| self.expr(each, &inner));
            }
            ExprKind::Call { name, args, .. } if name.name == "merge" => {
                for it in args {
                    if let Some((name, mut steps)) = part(it, bound) {
                        steps.push(Access::KeyedElement);
                        self.note(name, &steps);
                    }
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, bound)));
            }
            ExprKind::Index { base, key, .. } => {
                self.split(base, key, bound);
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, bound)));
            }
            ExprKind::Object(items) => {
                for it in items {
                    if let ObjectKey::Expr(key) | ObjectKey::Template(key) = &it.key {
                        guarded(|| self.expr(key, bound));
                    }
                    guarded(|| self.expr(&it.value, bound));
                }
            }
            _ => guarded(|| expr.for_each_child(&mut |it| self.expr(it, bound))),
        }
    }

    /// Notes the types that operators and functions need.
    fn needs(&mut self, expr: &Expr, bound: &Bound) {
        match &expr.kind {
            ExprKind::Unary { op, operand } => {
                let ty = if *op == UnaryOp::Not { Type::Bool } else { Type::Number };
                self.need(operand, &ty, bound);
            }
            ExprKind::Binary { op, left, right, .. } => {
                let ty = match op {
                    BinaryOp::Equal | BinaryOp::NotEqual => return,
                    BinaryOp::And | BinaryOp::Or => Type::Bool,
                    _ => Type::Number,
                };
                self.need(left, &ty, bound);
                self.need(right, &ty, bound);
            }
            ExprKind::Conditional { condition, .. } => self.need(condition, &Type::Bool, bound),
            ExprKind::Call { name, args, .. } => {
                let first = match name.name.as_str() {
                    "cidrsubnet" | "cidrsubnets" | "cidrhost" | "range" => {
                        usize::from(name.name != "range")
                    }
                    "max" | "min" | "ceil" | "floor" | "abs" => 0,
                    _ => return,
                };
                args.iter().skip(first).for_each(|it| self.need(it, &Type::Number, bound));
            }
            _ => (),
        }
    }

    fn need(&mut self, expr: &Expr, ty: &Type, bound: &Bound) {
        if let Some((name, steps)) = part(expr, bound) {
            self.note(name, &steps).ty.get_or_insert_with(|| ty.clone());
        }
    }

    /// `split("/", var.id)[8]` takes nine parts.
    fn split(&mut self, base: &Expr, key: &Expr, bound: &Bound) {
        let (ExprKind::Call { name, args, .. }, ExprKind::Number(at)) = (&base.kind, &key.kind)
        else {
            return;
        };
        let ([separator, text], "split") = (args.as_slice(), name.name.as_str()) else { return };
        let ExprKind::String(separator) = &separator.kind else { return };
        let Some(at) = at.parse::<usize>().ok().filter(|it| *it < MOST_PARTS) else { return };
        if let Some((name, steps)) = part(text, bound)
            && !separator.is_empty()
        {
            let split = &mut self.note(name, &steps).split;
            let least = split.as_ref().map_or(0, |it| it.1);
            *split = Some((separator.clone(), least.max(at + 1)));
        }
    }

    /// What a called module takes out of a variable, it takes out of the argument.
    fn call(&mut self, name: &str, body: &Body, each: Option<&Part>) {
        let Some(inner) = self.called.get(name).cloned() else { return };
        let bound: Bound = each.map(|it| (SmolStr::new("each"), it.clone())).into_iter().collect();
        for item in &body.items {
            let Item::Attribute(it) = item else { continue };
            let taken = inner.get(&it.name.name);
            if let (Some(taken), Some((name, steps))) = (taken, part(&it.value, &bound)) {
                let mut left = MOST.saturating_sub(self.added);
                self.note(name, &steps).add(taken, DEEPEST, &mut left);
                self.added = MOST - left;
            }
        }
    }

    fn note(&mut self, name: SmolStr, steps: &[Access]) -> &mut Use {
        let mut at = self.of.entry(name).or_default();
        for step in steps.iter().take(DEEPEST) {
            at = match step {
                Access::Attribute(name) => at.attributes.entry(name.clone()).or_default(),
                Access::Element => at.elements.get_or_insert_default(),
                Access::KeyedElement => {
                    at.is_keyed = true;
                    at.elements.get_or_insert_default()
                }
            };
        }
        at
    }
}

impl Use {
    fn add(&mut self, other: &Use, levels: usize, left: &mut usize) {
        let (Some(levels), Some(rest)) = (levels.checked_sub(1), left.checked_sub(1)) else {
            return;
        };
        *left = rest;
        for (name, it) in &other.attributes {
            self.attributes.entry(name.clone()).or_default().add(it, levels, left);
        }
        self.is_keyed |= other.is_keyed;
        if self.split.is_none() {
            self.split.clone_from(&other.split);
        }
        if self.ty.is_none() {
            self.ty.clone_from(&other.ty);
        }
        if let Some(it) = &other.elements {
            self.elements.get_or_insert_default().add(it, levels, left);
        }
    }
}

/// The functions whose result is their first argument, or would be.
const TRANSPARENT: [&str; 4] = ["coalesce", "toset", "tomap", "try"];

/// Whether the type says nothing.
fn is_open(ty: &Type) -> bool {
    *ty == Type::Dynamic
}

/// The part of a variable that an expression is.
fn part(expr: &Expr, bound: &Bound) -> Option<Part> {
    guarded(|| match &expr.kind {
        ExprKind::Paren(inner) => part(inner, bound),
        ExprKind::Conditional { then, otherwise, .. } => {
            part(then, bound).or_else(|| part(otherwise, bound))
        }
        ExprKind::Variable(name) => {
            let (_, it) = bound.iter().rev().find(|it| it.0 == *name && it.0 != "each")?;
            Some(it.clone())
        }
        ExprKind::GetAttr { base, name } => {
            match &base.kind {
                ExprKind::Variable(root) if root == "var" => {
                    return Some((name.name.clone(), Vec::new()));
                }
                ExprKind::Variable(root) if root == "each" => {
                    let is_value = name.name == "value";
                    return bound
                        .iter()
                        .find(|it| is_value && it.0 == "each")
                        .map(|it| it.1.clone());
                }
                _ => (),
            }
            let (variable, mut steps) = part(base, bound)?;
            steps.push(Access::Attribute(name.name.clone()));
            Some((variable, steps))
        }
        ExprKind::Index { base, key, .. } => {
            let (variable, mut steps) = part(base, bound)?;
            steps.push(match &key.kind {
                ExprKind::String(it) => Access::Attribute(it.clone()),
                ExprKind::Number(_) => Access::Element,
                _ => Access::KeyedElement,
            });
            Some((variable, steps))
        }
        ExprKind::SplatItem => Some(bound.iter().rev().find(|it| it.0 == ITEM)?.1.clone()),
        ExprKind::Call { name, args, .. } if TRANSPARENT.contains(&name.name.as_str()) => {
            part(args.first()?, bound)
        }
        ExprKind::Call { name, args, .. } if name.name == "lookup" => {
            let (variable, mut steps) = part(args.first()?, bound)?;
            let ExprKind::String(key) = &args.get(1)?.kind else { return None };
            steps.push(Access::Attribute(key.clone()));
            Some((variable, steps))
        }
        _ => None,
    })
}
