//! The part of a variable that an expression is.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use hcl::{Expr, ExprKind, ForExpr};
use module::Module;
use stack::guarded;

/// A step into a value.
#[derive(Clone, Debug)]
pub enum Access {
    Attribute(SmolStr),
    Element,
    KeyedElement,
    /// The element of a list at the index that `count` has.
    CountedElement,
    /// The element at an index.
    At(usize),
    /// The list of the parts of a text.
    Split(SmolStr),
    /// The value in a text of JSON or YAML.
    Decoded,
    /// No step: there is another value if the way leads to none.
    Perhaps,
}

/// A variable, and the way from it to a part.
pub type Part = (SmolStr, Vec<Access>);

/// The name of the element of a splat.
pub const ITEM: SmolStr = SmolStr::new_static("[*]");

/// The name of the iterator of a resource or of a call.
pub const EACH: &str = "each";

/// What names are where an expression is.
#[derive(Clone, Default)]
pub struct Scope {
    bound: Vec<(SmolStr, Part)>,
    locals: Rc<BTreeMap<SmolStr, Part>>,
}

/// How often the locals are gone through for those that are parts of others.
const PASSES: usize = 6;

/// The most steps of a part: locals may refer to each other.
const LONGEST: usize = 40;

/// The functions whose result is their first argument, or would be, or has the same parts.
const TRANSPARENT: [&str; 17] = [
    "coalesce",
    "compact",
    "distinct",
    "lower",
    "nonsensitive",
    "reverse",
    "sensitive",
    "sort",
    "title",
    "tolist",
    "tomap",
    "toset",
    "tostring",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
];

/// Whether a `for` keeps the elements of a collection, with their keys if they have some.
fn is_choice(it: &ForExpr) -> bool {
    let is_name = |expr: &Expr, name: &SmolStr| matches!(&expr.bare().kind, ExprKind::Variable(it) if it == name);
    let keeps_key = match (&it.key, &it.key_name) {
        (None, _) => true,
        (Some(key), Some(name)) => is_name(key, &name.name),
        (Some(_), None) => false,
    };
    keeps_key && !it.group && is_name(&it.value, &it.value_name.name)
}

/// The key of an iterator's value among the bound names.
fn value_of(iterator: &str) -> SmolStr {
    SmolStr::new(format!("{iterator}.value"))
}

impl Scope {
    /// The scope of a module's blocks: each local that is a part of a variable is bound to it.
    pub fn of(module: &Module) -> Scope {
        let mut scope = Scope::default();
        for _ in 0..PASSES {
            let mut known = BTreeMap::new();
            for it in module.locals.values() {
                known.extend(scope.part(&it.expr).map(|part| (it.name.clone(), part)));
            }
            let is_done = known.len() == scope.locals.len();
            scope.locals = Rc::new(known);
            if is_done {
                break;
            }
        }
        scope
    }

    /// The scope inside of a block that is repeated: `each.value` is an element, or `rule.value` in a dynamic block.
    pub fn with_iterator(&self, name: &str, part: Part) -> Scope {
        self.with(value_of(name), part)
    }

    /// The scope inside of an expression that binds a name.
    pub fn with(&self, name: SmolStr, part: Part) -> Scope {
        let mut scope = self.clone();
        scope.bound.push((name, part));
        scope
    }

    /// The scope of a block, without what is bound inside of it.
    pub fn of_block(&self) -> Scope {
        Scope { bound: Vec::new(), locals: Rc::clone(&self.locals) }
    }

    fn is_iterator(&self, name: &SmolStr) -> bool {
        // A name that an expression binds hides an iterator.
        let value = value_of(name);
        let bound = self.bound.iter().rev().find(|it| it.0 == *name || it.0 == value);
        bound.is_some_and(|it| it.0 == value)
    }

    fn bound(&self, name: &SmolStr) -> Option<Part> {
        self.bound.iter().rev().find(|it| it.0 == *name).map(|it| it.1.clone())
    }

    /// The part of a variable that an expression is.
    pub fn part(&self, expr: &Expr) -> Option<Part> {
        guarded(|| self.part_of(expr)).filter(|it| it.1.len() <= LONGEST)
    }

    /// The part that each element of a collection is: `[var.rule]` has the variable itself.
    pub fn element(&self, collection: &Expr, step: Access) -> Option<Part> {
        guarded(|| match &collection.bare().kind {
            ExprKind::Conditional { then, otherwise, .. } => {
                self.element(then, step.clone()).or_else(|| self.element(otherwise, step))
            }
            ExprKind::Tuple(all) => self.part(all.first()?),
            ExprKind::For(it) => {
                let part = self.element(&it.collection, step)?;
                self.with(it.value_name.name.clone(), part).part(&it.value)
            }
            ExprKind::Call { name, args, .. }
                if matches!(&*name.name, "toset" | "tolist" | "concat" | "flatten")
                    && matches!(args.first().map(|it| &it.kind), Some(ExprKind::Tuple(_))) =>
            {
                self.element(args.first()?, step)
            }
            _ => {
                let (variable, mut steps) = self.part(collection)?;
                steps.push(step);
                Some((variable, steps))
            }
        })
    }

    fn part_of(&self, expr: &Expr) -> Option<Part> {
        let step = |base: &Expr, step: Access| {
            let (variable, mut steps) = self.part(base)?;
            steps.push(step);
            Some((variable, steps))
        };
        match &expr.bare().kind {
            ExprKind::Conditional { then, otherwise, .. } => {
                self.part(then).or_else(|| self.part(otherwise))
            }
            ExprKind::Variable(name) => self.bound(name),
            ExprKind::GetAttr { base, name } => match &base.kind {
                ExprKind::Variable(root) if root == "var" => Some((name.name.clone(), Vec::new())),
                ExprKind::Variable(root) if root == "local" => self.locals.get(&name.name).cloned(),
                ExprKind::Variable(root) if self.is_iterator(root) => {
                    self.bound(&value_of(root)).filter(|_| name.name == "value")
                }
                _ => step(base, Access::Attribute(name.name.clone())),
            },
            ExprKind::Index { base, key, .. } => {
                let access = match &key.kind {
                    ExprKind::String(it) => Access::Attribute(it.clone()),
                    ExprKind::Number(it) => it.parse().map_or(Access::Element, Access::At),
                    ExprKind::GetAttr { base: root, name }
                        if name.name == "index"
                            && matches!(&root.kind, ExprKind::Variable(it) if it == "count") =>
                    {
                        Access::CountedElement
                    }
                    _ => Access::KeyedElement,
                };
                step(base, access)
            }
            ExprKind::SplatItem => self.bound(&ITEM),
            // The elements that a condition chooses, as they are.
            ExprKind::For(it) if is_choice(it) => self.part(&it.collection),
            ExprKind::Call { name, args, .. } => match (name.name.as_str(), args.as_slice()) {
                (name, [first, ..]) if TRANSPARENT.contains(&name) => self.part(first),
                ("try", [first, ..]) => step(first, Access::Perhaps),
                // Any of them may have what is taken out; the first one usually has most.
                ("merge", all) => all.iter().find_map(|it| self.part(it)),
                ("lookup", [table, key, default @ ..]) => {
                    let ExprKind::String(key) = &key.kind else { return None };
                    let (variable, mut steps) = step(table, Access::Attribute(key.clone()))?;
                    steps.extend(default.first().map(|_| Access::Perhaps));
                    Some((variable, steps))
                }
                ("element", [list, _]) => step(list, Access::Element),
                ("one", [list]) => step(list, Access::Element),
                ("jsondecode" | "yamldecode", [text]) => step(text, Access::Decoded),
                ("split", [separator, text]) => {
                    let ExprKind::String(separator) = &separator.kind else { return None };
                    let is_one = !separator.is_empty();
                    is_one.then(|| step(text, Access::Split(separator.clone())))?
                }
                _ => None,
            },
            _ => None,
        }
    }
}
