//! What a module takes out of variables: `var.network[0].name` needs a list of objects with a `name`, and
//! `split("/", var.id)[2]` a text with three parts.

pub mod needs;
mod part;
mod reader;
pub mod tables;

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use module::Module;
use part::{LOOKS, Scope};
use reader::Reader;
use tf_value::{Type, Value, ValueContent};
use verdict::tree::{Link, Links, ModuleTree};

/// How deep inside of a value uses are noted.
const DEEPEST: usize = 8;

/// The most elements, or parts of a text, that are taken by index.
pub const MOST_INDICES: usize = 20;

/// The most keys of a table.
const MOST_KEYS: usize = 20;

/// How many parts of each entry are added to those of one.
const MOST_OF_ENTRY: usize = 2_000;

/// What is taken out of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    pub attributes: BTreeMap<SmolStr, Use>,
    /// What is taken out of each element, if elements are taken.
    pub elements: Option<Box<Use>>,
    /// Whether its elements have keys.
    pub is_keyed: bool,
    /// Whether its elements are taken by the places of instances, so that it is a list even where keys are bound.
    pub is_counted: bool,
    /// Whether it is taken outside of `try`, and of `lookup` with a default.
    pub is_certain: bool,
    /// The type of a called module's variable that takes it as it is, or that an operator or a function needs.
    pub ty: Option<Type>,
    /// How many elements are taken by index, at least.
    pub least: usize,
    /// The texts that it is split at, with what is taken out of the list of parts.
    pub splits: BTreeMap<SmolStr, Use>,
    /// What is taken out of single parts of a text.
    pub by_index: BTreeMap<usize, Use>,
    /// The keys of the tables in which it is looked up.
    pub keys: Vec<SmolStr>,
    /// Whether it is written into a text.
    pub is_text: bool,
    /// The keys of a map, or the texts in a list, for which instances are referred to.
    pub wanted: Vec<SmolStr>,
    /// The same for lists of objects, by the attribute that gives the key.
    pub wanted_by: Vec<(SmolStr, SmolStr)>,
    /// What a text must match, as functions take it.
    pub patterns: Vec<SmolStr>,
    /// What is taken out of the JSON that a text contains.
    pub json: Option<Box<Use>>,
}

/// The uses of a module's variables.
#[derive(Default)]
pub struct Uses {
    of: Taken,
}

/// What is taken out of each variable.
type Taken = BTreeMap<SmolStr, Use>;

impl Uses {
    /// Reads all native files of the module, and of those that it calls.
    pub fn of(module: &Module, tree: &ModuleTree) -> Uses {
        // A module comes after those that call it.
        let mut known: Vec<Option<Rc<Taken>>> = vec![None; tree.called.len()];
        let mut scopes: Vec<Option<Scope<'_>>> = vec![None; tree.called.len()];
        let left = Rc::new(Cell::new(LOOKS));
        for (index, called) in tree.called.iter().enumerate().rev() {
            let module = &called.module.module;
            let scope = Scope::of(module, of_calls(&called.calls, &scopes), &left);
            let mut taken = Reader::new(module, of_calls(&called.calls, &known)).read(&scope);
            scopes[index] = Some(scope);
            for (name, variable) in &module.variables {
                let ty = &variable.constraint.ty;
                if *ty != Type::Dynamic {
                    taken.entry(name.clone()).or_default().ty = Some(ty.clone());
                }
            }
            known[index] = Some(taken.into());
        }
        let scope = Scope::of(module, of_calls(&tree.calls, &scopes), &left);
        Uses { of: Reader::new(module, of_calls(&tree.calls, &known)).read(&scope) }
    }

    /// What is taken out of a variable.
    pub fn variable(&self, name: &str) -> Option<&Use> {
        self.of.get(name)
    }
}

/// What is known of the modules that a module calls, by the names of the calls.
fn of_calls<T: Clone>(calls: &Links, known: &[Option<T>]) -> BTreeMap<SmolStr, T> {
    let each = calls.iter().filter_map(|(name, link)| match link {
        Link::To(index) => Some((name.clone(), known.get(*index)?.clone()?)),
        Link::Away(_) | Link::Broken(_) => None,
    });
    each.collect()
}

impl Use {
    /// Whether its type decides about the value. What is taken out of a value says more than a type without parts.
    pub fn says_kind(&self) -> bool {
        let has_parts = !self.attributes.is_empty() || self.elements.is_some();
        let is_plain = |it: &Type| matches!(it, Type::Bool | Type::Number | Type::String);
        self.ty.as_ref().is_some_and(|it| !has_parts || !is_plain(it))
    }

    /// What is taken out of one entry: out of it by its name, and out of each of them.
    pub fn entry(&self, name: &str) -> Use {
        let mut own = self.attributes.get(name).cloned().unwrap_or_default();
        // Next to entries without parts, elements are no objects.
        let has_parts = !own.attributes.is_empty() || own.elements.is_some();
        if let Some(each) = self.elements.as_deref().filter(|_| has_parts) {
            own.add(each, DEEPEST, &mut MOST_OF_ENTRY.clone());
        }
        own
    }

    /// What is taken out of one entry of a value that another module takes as it is.
    fn member(&self, name: Option<&SmolStr>) -> Use {
        let own = name.and_then(|it| self.attributes.get(it)).or(self.elements.as_deref());
        let mut inner = own.cloned().unwrap_or_default();
        let ty = self.ty.as_ref().and_then(|ty| {
            let attributes = ty.as_object().map(|it| &it.attributes);
            name.and_then(|it| attributes?.get(it)).or(ty.element())
        });
        if let Some(ty) = ty.filter(|it| **it != Type::Dynamic) {
            inner.ty = Some(ty.clone());
        }
        inner
    }

    /// Notes a type. A number is a text as well, and most texts are no numbers.
    fn need(&mut self, ty: &Type) {
        let is_text = self.ty.as_ref().is_none_or(|it| *it == Type::String);
        if self.ty.is_none() || is_text && matches!(ty, Type::Bool | Type::Number) {
            self.ty = Some(ty.clone());
        }
    }

    /// Adds what another module takes out of the same value. `left`: how many parts may be added.
    fn add(&mut self, other: &Use, levels: usize, left: &mut usize) {
        let (Some(levels), Some(rest)) = (levels.checked_sub(1), left.checked_sub(1)) else {
            return;
        };
        *left = rest;
        for (name, it) in &other.attributes {
            self.attributes.entry(name.clone()).or_default().add(it, levels, left);
        }
        for (separator, it) in &other.splits {
            self.splits.entry(separator.clone()).or_default().add(it, levels, left);
        }
        for (index, it) in &other.by_index {
            self.by_index.entry(*index).or_default().add(it, levels, left);
        }
        self.is_keyed |= other.is_keyed;
        self.is_counted |= other.is_counted;
        self.is_certain |= other.is_certain;
        self.is_text |= other.is_text;
        self.least = self.least.max(other.least);
        self.add_keys(&other.keys);
        other.wanted.iter().for_each(|it| add_once(&mut self.wanted, it));
        other.wanted_by.iter().for_each(|it| add_once(&mut self.wanted_by, it));
        other.patterns.iter().for_each(|it| add_once(&mut self.patterns, it));
        if let Some(it) = &other.json {
            self.json.get_or_insert_default().add(it, levels, left);
        }
        if let Some(ty) = &other.ty {
            self.need(ty);
        }
        if let Some(it) = &other.elements {
            self.elements.get_or_insert_default().add(it, levels, left);
        }
    }

    /// Whether a value of a type is of the kind that the parts need which are surely taken, and has these parts, unless
    /// the type gives it them.
    pub fn may_be(&self, value: &Value, ty: &Type) -> bool {
        let is_mapping = value.as_mapping().is_some();
        let is_certain = |it: &Use| it.is_certain;
        let has = |name: &SmolStr| value.as_mapping().is_some_and(|it| it.contains_key(name));
        let lacks = self.attributes.iter().any(|it| is_certain(it.1) && !has(it.0));
        if lacks && ty.as_object().is_none() && !value.is_null() {
            return false;
        }
        let has_parts = is_mapping || value.as_sequence().is_some();
        let is_text = self.is_text || !self.patterns.is_empty() || self.json.is_some();
        if has_parts && is_text {
            return false;
        }
        let text = value.as_str();
        let is_converted = match &self.ty {
            Some(Type::Bool) => value.as_bool().is_some() || matches!(text, Some("true" | "false")),
            Some(Type::Number) => {
                let is_number = matches!(value.content(), ValueContent::Number(_));
                is_number || text.is_some_and(|it| it.parse::<f64>().is_ok())
            }
            _ => true,
        };
        if !is_converted && !value.is_null() {
            return false;
        }
        let has_elements = self.elements.as_deref().is_some_and(is_certain);
        !has_elements || has_parts || value.is_null()
    }

    /// Adds the keys of a table. What is looked up in two tables must be in both.
    fn add_keys(&mut self, keys: &[SmolStr]) {
        if self.keys.iter().any(|it| keys.contains(it)) {
            self.keys.retain(|it| keys.contains(it));
        } else if self.keys.is_empty() {
            self.keys = keys.iter().take(MOST_KEYS).cloned().collect();
        }
    }
}

/// Adds what is not there, if there are not too many.
fn add_once<T: Clone + PartialEq>(all: &mut Vec<T>, new: &T) {
    if all.len() < MOST_KEYS && !all.contains(new) {
        all.push(new.clone());
    }
}
