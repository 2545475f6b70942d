//! The part of a variable that an expression is.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use smol_str::SmolStr;

use super::tables;
use hcl::{Expr, ExprKind, ForExpr};
use module::{Module, ModuleCall};
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

/// What is known about a value: the parts of variables that it consists of.
#[derive(Clone, Debug)]
pub enum Made {
    /// It is a part of a variable.
    Of(Part),
    /// An object with these attributes. `None`: nothing is known about one.
    Object(Rc<BTreeMap<SmolStr, Option<Made>>>),
    /// A collection with such elements.
    Each(Rc<Made>),
    /// Objects that are merged.
    Merged(Rc<Vec<Made>>),
}

/// The name of the element of a splat.
pub const ITEM: SmolStr = SmolStr::new_static("[*]");

/// The name of the iterator of a resource or of a call.
pub const EACH: &str = "each";

/// What names are where an expression is.
#[derive(Clone)]
pub struct Scope<'m> {
    bound: Vec<(SmolStr, Option<Made>)>,
    of: Rc<Names<'m>>,
}

/// What the names of a module are, once somebody asked.
struct Names<'m> {
    module: &'m Module,
    /// The modules that it calls, by the names of the calls.
    called: BTreeMap<SmolStr, Scope<'m>>,
    locals: RefCell<BTreeMap<SmolStr, Option<Made>>>,
    /// The called modules with their outputs, as parts of this module's variables.
    modules: RefCell<BTreeMap<SmolStr, Option<Made>>>,
    /// How many expressions are looked at in all modules.
    left: Rc<Cell<usize>>,
}

/// How many expressions are looked at in all modules.
pub const LOOKS: usize = 4_000_000;

/// How many parts of an output are followed into the calling module.
const PARTS: usize = 400;

/// The most steps of a part: locals may refer to each other.
const LONGEST: usize = 40;

/// The functions whose result is their first argument, or would be, or has the same parts.
const TRANSPARENT: [&str; 18] = [
    "coalesce",
    "compact",
    "distinct",
    "lower",
    "nonsensitive",
    "reverse",
    "sensitive",
    "slice",
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

/// The functions that take a list or a set.
const LISTS: [&str; 7] = ["compact", "concat", "distinct", "flatten", "sort", "tolist", "toset"];

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

impl Made {
    /// A part of it.
    fn step(&self, step: Access) -> Option<Made> {
        match self {
            Made::Of((variable, steps)) => {
                let mut steps = steps.clone();
                steps.push(step);
                (steps.len() <= LONGEST).then(|| Made::Of((variable.clone(), steps)))
            }
            Made::Object(all) => match step {
                Access::Attribute(name) => all.get(&name)?.clone(),
                Access::Element | Access::KeyedElement | Access::CountedElement => {
                    all.values().flatten().next().cloned()
                }
                Access::Perhaps => Some(self.clone()),
                Access::At(_) | Access::Split(_) | Access::Decoded => None,
            },
            Made::Each(inner) => match step {
                Access::Split(_) | Access::Decoded => None,
                Access::Perhaps => Some(self.clone()),
                _ => Some((**inner).clone()),
            },
            Made::Merged(all) => {
                if let Access::Attribute(name) = &step {
                    let own = all.iter().rev().find_map(|it| match it {
                        Made::Object(all) => all.get(name),
                        _ => None,
                    });
                    if let Some(own) = own {
                        return own.clone();
                    }
                }
                // Any of them may have what is taken out; the first one usually has most.
                all.iter().find_map(|it| guarded(|| it.step(step.clone())))
            }
        }
    }

    /// The part of a variable that it is, or that most of it is.
    fn part(&self) -> Option<Part> {
        match self {
            Made::Of(it) => Some(it.clone()),
            Made::Merged(all) => all.iter().find_map(|it| guarded(|| it.part())),
            Made::Object(_) | Made::Each(_) => None,
        }
    }

    /// The same without other values.
    fn certain(mut self) -> Made {
        if let Made::Of((_, steps)) = &mut self {
            steps.retain(|it| !matches!(it, Access::Perhaps));
        }
        self
    }

    /// The elements of its elements.
    fn flat(&self) -> Option<Made> {
        let Made::Each(inner) = self else { return Some(self.clone()) };
        Some(match &**inner {
            Made::Of(_) => Made::Each(inner.step(Access::Element)?.into()),
            Made::Each(_) => (**inner).clone(),
            Made::Object(_) | Made::Merged(_) => self.clone(),
        })
    }

    /// The same with something else in the place of each variable. `left`: how many parts there may be.
    fn map(&self, of: &dyn Fn(&SmolStr) -> Option<Made>, left: &mut usize) -> Option<Made> {
        *left = left.checked_sub(1)?;
        guarded(|| match self {
            Made::Of((variable, steps)) => {
                steps.iter().try_fold(of(variable)?, |it, step| it.step(step.clone()))
            }
            Made::Object(all) => {
                let each = all.iter().map(|(name, made)| {
                    (name.clone(), made.as_ref().and_then(|it| it.map(of, left)))
                });
                Some(Made::Object(Rc::new(each.collect())))
            }
            Made::Each(inner) => Some(Made::Each(inner.map(of, left)?.into())),
            Made::Merged(all) => {
                let all: Vec<Made> = all.iter().filter_map(|it| it.map(of, left)).collect();
                (!all.is_empty()).then(|| Made::Merged(all.into()))
            }
        })
    }
}

impl<'m> Scope<'m> {
    /// The scope of a module's blocks. `called`: the modules that it calls, by the names of the calls.
    pub fn of(
        module: &'m Module,
        called: BTreeMap<SmolStr, Scope<'m>>,
        left: &Rc<Cell<usize>>,
    ) -> Scope<'m> {
        let (locals, modules) = Default::default();
        let names = Names { module, called, locals, modules, left: Rc::clone(left) };
        Scope { bound: Vec::new(), of: names.into() }
    }

    /// The scope inside of a block that is repeated: `each.value` is an element, or `rule.value` in a dynamic block.
    pub fn with_iterator(&self, name: &str, made: Option<Made>) -> Scope<'m> {
        self.with(value_of(name), made)
    }

    /// The scope inside of an expression that binds a name.
    pub fn with(&self, name: SmolStr, made: Option<Made>) -> Scope<'m> {
        let mut scope = self.clone();
        scope.bound.push((name, made));
        scope
    }

    /// The scope of a block, without what is bound inside of it.
    pub fn of_block(&self) -> Scope<'m> {
        Scope { bound: Vec::new(), of: Rc::clone(&self.of) }
    }

    fn is_iterator(&self, name: &SmolStr) -> bool {
        // A name that an expression binds hides an iterator.
        let value = value_of(name);
        let bound = self.bound.iter().rev().find(|it| it.0 == *name || it.0 == value);
        bound.is_some_and(|it| it.0 == value)
    }

    fn bound(&self, name: &SmolStr) -> Option<Made> {
        self.bound.iter().rev().find(|it| it.0 == *name)?.1.clone()
    }

    /// The part of a variable that an expression is.
    pub fn part(&self, expr: &Expr) -> Option<Part> {
        match &expr.bare().kind {
            ExprKind::Object(_) | ExprKind::Tuple(_) => None,
            ExprKind::For(it) if !is_choice(it) => None,
            _ => self.made(expr)?.part(),
        }
    }

    /// What each element of a collection is.
    pub fn element(&self, collection: &Expr, step: Access) -> Option<Made> {
        let is_list = matches!(&collection.bare().kind, ExprKind::Call { name, .. }
            if LISTS.contains(&name.name.as_str()));
        let step = match step {
            Access::KeyedElement if is_list => Access::CountedElement,
            other => other,
        };
        self.made(collection)?.step(step)
    }

    /// What an expression is, if it consists of parts of variables.
    pub fn made(&self, expr: &Expr) -> Option<Made> {
        self.of.left.set(self.of.left.get().checked_sub(1)?);
        guarded(|| self.made_of(expr))
    }

    fn made_of(&self, expr: &Expr) -> Option<Made> {
        let step = |base: &Expr, step: Access| self.made(base)?.step(step);
        match &expr.bare().kind {
            ExprKind::Conditional { then, otherwise, .. } => {
                let then = self.made(then);
                if then.as_ref().is_some_and(|it| it.part().is_some()) {
                    return then;
                }
                let otherwise = self.made(otherwise);
                let is_part = otherwise.as_ref().is_some_and(|it| it.part().is_some());
                if is_part { otherwise } else { then.or(otherwise) }
            }
            ExprKind::Variable(name) => self.bound(name),
            ExprKind::GetAttr { base, name } => match &base.bare().kind {
                ExprKind::Variable(root) if root == "var" => {
                    Some(Made::Of((name.name.clone(), Vec::new())))
                }
                ExprKind::Variable(root) if root == "local" => self.local(&name.name),
                ExprKind::Variable(root) if self.is_iterator(root) => {
                    self.bound(&value_of(root)).filter(|_| name.name == "value")
                }
                ExprKind::Variable(root) if root == "module" => self.called(&name.name),
                _ => step(base, Access::Attribute(name.name.clone())),
            },
            ExprKind::Index { base, key, .. } => {
                let access = match &key.bare().kind {
                    ExprKind::Number(it) => it.parse().map_or(Access::Element, Access::At),
                    ExprKind::GetAttr { base: root, name }
                        if name.name == "index"
                            && matches!(&root.kind, ExprKind::Variable(it) if it == "count") =>
                    {
                        Access::CountedElement
                    }
                    _ => tables::text(self.of.module, key)
                        .map_or(Access::KeyedElement, Access::Attribute),
                };
                step(base, access)
            }
            ExprKind::Splat { source, each, .. } => {
                let item = step(source, Access::Element)?;
                Some(Made::Each(self.with(ITEM, Some(item)).made(each)?.into()))
            }
            ExprKind::SplatItem => self.bound(&ITEM),
            // The elements that a condition chooses, as they are.
            ExprKind::For(it) if is_choice(it) => self.made(&it.collection),
            ExprKind::For(it) => {
                let element = self.element(&it.collection, step_of(it));
                let scope = self.with(it.value_name.name.clone(), element);
                Some(Made::Each(scope.made(&it.value)?.into()))
            }
            ExprKind::Object(items) => {
                let each = items.iter().filter_map(|it| Some((tables::key(it)?, &it.value)));
                let all: BTreeMap<SmolStr, Option<Made>> =
                    each.map(|(name, it)| (name, self.made(it))).collect();
                Some(Made::Object(all.into()))
            }
            ExprKind::Tuple(all) => {
                Some(Made::Each(all.iter().find_map(|it| self.made(it))?.into()))
            }
            ExprKind::Call { name, args, .. } => self.call(&name.name, args),
            _ => None,
        }
    }

    /// What the result of a function is.
    fn call(&self, name: &str, args: &[Expr]) -> Option<Made> {
        let step = |base: &Expr, step: Access| self.made(base)?.step(step);
        match (name, args) {
            // If all may be null, one of them must not be.
            ("coalesce" | "coalescelist", [first, .., last]) if may_be_nothing(last) => {
                Some(self.made(first)?.certain())
            }
            (name, [first, ..]) if TRANSPARENT.contains(&name) => self.made(first),
            ("try", [first, ..]) => step(first, Access::Perhaps),
            ("merge", all) => {
                let mut all: Vec<Made> = all.iter().filter_map(|it| self.made(it)).collect();
                match all.len() {
                    0 | 1 => all.pop(),
                    _ => Some(Made::Merged(all.into())),
                }
            }
            ("lookup", [table, key, default @ ..]) => {
                let key = tables::text(self.of.module, key)?;
                let found = step(table, Access::Attribute(key))?;
                if default.is_empty() { Some(found) } else { found.step(Access::Perhaps) }
            }
            ("element", [list, _]) => step(list, Access::Element),
            ("one", [list]) => step(list, Access::Element),
            ("concat", all) => all.iter().find_map(|it| self.made(it)),
            ("flatten", [list]) => self.made(list)?.flat(),
            ("values", [table]) => Some(Made::Each(step(table, Access::KeyedElement)?.into())),
            ("jsondecode" | "yamldecode", [text]) => step(text, Access::Decoded),
            ("split", [separator, text]) => {
                let ExprKind::String(separator) = &separator.kind else { return None };
                let is_one = !separator.is_empty();
                is_one.then(|| step(text, Access::Split(separator.clone())))?
            }
            _ => None,
        }
    }

    /// What a local is.
    fn local(&self, name: &SmolStr) -> Option<Made> {
        let names = &self.of;
        if let Some(known) = names.locals.borrow().get(name) {
            return known.clone();
        }
        // A local that refers to itself is nothing.
        names.locals.borrow_mut().insert(name.clone(), None);
        let made = names.module.locals.get(name).and_then(|it| self.of_block().made(&it.expr));
        names.locals.borrow_mut().insert(name.clone(), made.clone());
        made
    }

    /// What a called module is: an object with its outputs, or several of them.
    fn called(&self, name: &SmolStr) -> Option<Made> {
        let names = &self.of;
        if let Some(known) = names.modules.borrow().get(name) {
            return known.clone();
        }
        names.modules.borrow_mut().insert(name.clone(), None);
        let made = self.outputs(name);
        names.modules.borrow_mut().insert(name.clone(), made.clone());
        made
    }

    fn outputs(&self, name: &SmolStr) -> Option<Made> {
        let called = self.of.called.get(name)?.of_block();
        let call = self.of.module.calls.get(name)?;
        let scope = self.of_call(call);
        let argument = |variable: &SmolStr| scope.made(&call.arguments.get(variable)?.expr);
        let outputs = called.of.module.outputs.values().map(|output| {
            let made = output.value.as_ref().and_then(|it| called.made(it));
            (output.name.clone(), made.and_then(|it| it.map(&argument, &mut PARTS.clone())))
        });
        let all = Made::Object(Rc::new(outputs.collect()));
        let is_single = call.repetition.expr().is_none();
        Some(if is_single { all } else { Made::Each(all.into()) })
    }

    /// The scope of the arguments of a call.
    fn of_call(&self, call: &ModuleCall) -> Scope<'m> {
        let outer = self.of_block();
        match &call.repetition.for_each {
            Some(it) => outer.with_iterator(EACH, outer.element(it, Access::KeyedElement)),
            None => outer,
        }
    }
}

/// How the collection of a `for` is gone over.
pub fn step_of(it: &ForExpr) -> Access {
    if it.key_name.is_some() { Access::KeyedElement } else { Access::Element }
}

/// Whether an expression takes something out of a value that may not be there.
pub fn may_fail(expr: &Expr) -> bool {
    match &expr.bare().kind {
        ExprKind::GetAttr { base, .. } => !matches!(&base.kind, ExprKind::Variable(_)),
        ExprKind::Index { .. } => true,
        _ => false,
    }
}

/// Whether an expression takes something out of a value, or else is `null` or an empty text.
fn may_be_nothing(expr: &Expr) -> bool {
    match &expr.bare().kind {
        ExprKind::Call { name, args, .. } if matches!(&*name.name, "lookup" | "try") => {
            args.last().is_some_and(|it| match &it.bare().kind {
                ExprKind::String(text) => text.is_empty(),
                _ => it.is_null() || may_fail(it),
            })
        }
        _ => may_fail(expr),
    }
}
