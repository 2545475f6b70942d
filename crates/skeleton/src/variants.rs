//! Variants of a value that differ in one part, by what an error is about: `var.database.type` is one of the words in
//! the message, or the attribute that the message names is there.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    hints::{Hints, Topic, singular},
    siblings::sibling,
    uses::Use,
};
use stack::guarded;
use tf_value::{DYNAMIC, Type, Value, ValueContent};

/// The most variants of one value, and how many of its elements vary.
const MOST: usize = 60;
const ELEMENTS: usize = 3;

/// How many elements a list gets.
const LENGTHENED: usize = 3;

/// How many of them add an attribute that no error names.
const UNNAMED: usize = 8;

/// How many names and texts are tried together.
const KEYS: usize = 12;
const TEXTS: usize = 10;

/// How deep inside of a value parts vary.
const DEEPEST: usize = 8;

/// What an error and the expression at its place name.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    /// Names of variables and attributes.
    pub names: Vec<SmolStr>,
    /// Texts that something is compared with, and words of the message.
    pub texts: Vec<SmolStr>,
    /// Whether a key or an element is missing.
    pub lacks_element: bool,
}

/// A place in a value.
#[derive(Clone, Copy)]
struct Place<'v> {
    name: &'v str,
    ty: &'v Type,
    used: Option<&'v Use>,
    /// Whether an error names it, or the table that it is in.
    is_meant: bool,
    depth: usize,
}

/// The variants of a variable's value, those first that add what is missing. `order`: what comes next.
pub fn variants(
    hints: &Hints,
    name: &str,
    ty: &Type,
    value: &Value,
    used: Option<&Use>,
    clues: &Clues,
    order: Order,
) -> Vec<Value> {
    let mut all = Vec::new();
    let varying = Varying { hints, clues };
    varying.replaced(name, value, &mut all);
    let is_meant = varying.is_named(name);
    varying.of(Place { name, ty, used, is_meant, depth: 0 }, value, &mut all);
    all.sort_by_key(|it| match it.0 {
        Kind::TakesAwayNamed if order == Order::AddsMore => Kind::TakesAway,
        kind => kind,
    });
    let mut unnamed = 0;
    all.retain(|it| {
        unnamed += usize::from(it.0 == Kind::AddsUnnamed);
        it.0 != Kind::AddsUnnamed || unnamed <= UNNAMED
    });
    all.truncate(MOST);
    all.into_iter().map(|it| it.1).collect()
}

/// Whether unnamed attributes are added before named ones are taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    AddsMore,
    TakesAway,
}

/// What a variant does with the value. The kinds are tried in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Adds,
    Replaces,
    Lengthens,
    TakesAwayNamed,
    AddsUnnamed,
    TakesAway,
}

struct Varying<'v> {
    hints: &'v Hints,
    clues: &'v Clues,
}

impl Varying<'_> {
    fn is_named(&self, name: &str) -> bool {
        self.clues.names.iter().any(|it| it == name)
    }

    /// The variants in which everything with a name that the error names is something else.
    fn replaced(&self, variable: &str, value: &Value, out: &mut Vec<(Kind, Value)>) {
        let mut add = |kind, key: &str, new: &dyn Fn(&Value) -> Option<Value>| {
            let is_own = key == variable;
            let other = if is_own { leaves(value, new) } else { at_key(value, key, new) };
            out.extend(other.filter(|it| it != value).map(|it| (kind, it)));
        };
        for key in self.clues.names.iter().take(KEYS) {
            for text in self.clues.texts.iter().take(TEXTS) {
                add(Kind::Replaces, key, &|it| match it.content() {
                    ValueContent::String(_) => Some(Value::string(text.as_str())),
                    ValueContent::Number(_) => {
                        Some(text.parse().map_or_else(|_| it.clone(), Value::int))
                    }
                    _ => Some(it.clone()),
                });
            }
            add(Kind::Replaces, key, &|it| {
                Some(it.as_bool().map_or_else(|| it.clone(), |flag| Value::bool(!flag)))
            });
            if key != variable {
                add(Kind::TakesAwayNamed, key, &|_| None);
                add(Kind::TakesAwayNamed, key, &|_| Some(Value::object(BTreeMap::new())));
                add(Kind::TakesAwayNamed, key, &|_| Some(Value::tuple(Vec::new())));
            }
        }
    }

    fn of(&self, place: Place<'_>, value: &Value, out: &mut Vec<(Kind, Value)>) {
        if place.depth > DEEPEST {
            return;
        }
        guarded(|| match value.content() {
            ValueContent::Sequence(all) => self.of_elements(place, all, out),
            ValueContent::Mapping(all) => self.of_members(place, all, out),
            _ => (),
        });
    }

    fn of_elements(&self, place: Place<'_>, all: &[Value], out: &mut Vec<(Kind, Value)>) {
        let name = singular(place.name);
        self.lengthened(place, &name, all, out);
        let mut each = Vec::new();
        for (at, element) in all.iter().enumerate().take(ELEMENTS) {
            let ty = match place.ty {
                Type::Tuple(types) => types.get(at),
                other => other.element(),
            };
            let inner = Place {
                name: &name,
                ty: ty.unwrap_or(&DYNAMIC),
                used: place.used.and_then(|it| it.elements.as_deref()),
                depth: place.depth + 1,
                ..place
            };
            let mut variants = Vec::new();
            self.of(inner, element, &mut variants);
            each.push(variants.clone());
            out.extend(variants.into_iter().map(|(kind, new)| {
                let mut all = all.to_vec();
                all[at] = new;
                (kind, Value::tuple(all))
            }));
        }
        let is_whole = each.len() == all.len();
        out.extend(alike(&each).filter(|_| is_whole).map(|(kind, all)| (kind, Value::tuple(all))));
        if !all.is_empty() && !matches!(place.ty, Type::Tuple(_)) {
            // Elements may be too many, or too similar.
            if all.len() > 1 {
                out.push((Kind::TakesAway, Value::tuple(all[..1].to_vec())));
            }
            out.push((Kind::TakesAway, Value::tuple(Vec::new())));
        }
    }

    /// The variants of a list that an error names with more elements, such as one for each of another list.
    fn lengthened(
        &self,
        place: Place<'_>,
        name: &str,
        all: &[Value],
        out: &mut Vec<(Kind, Value)>,
    ) {
        if !self.clues.lacks_element || !place.is_meant || matches!(place.ty, Type::Tuple(_)) {
            return;
        }
        let ty = place.ty.element().unwrap_or(&DYNAMIC);
        let used = place.used.and_then(|it| it.elements.as_deref());
        let mut more = all.to_vec();
        let others = self.hints.values(Topic { name, examples: &[] }, ty);
        let mut others = others.into_iter().filter(|it| !all.contains(it));
        for _ in 0..LENGTHENED {
            let one = || self.hints.of_use(name, ty, used);
            let next = match more.first() {
                // An element that has parts is repeated, with another name.
                Some(it) if it.as_str().is_none() => Some(sibling(it, more.len())),
                Some(it) => others.next().or_else(|| Some(sibling(it, more.len()))),
                None => one(),
            };
            let Some(next) = next else { return };
            more.push(next);
            out.push((Kind::Lengthens, Value::tuple(more.clone())));
        }
    }

    fn of_members(
        &self,
        place: Place<'_>,
        all: &BTreeMap<SmolStr, Value>,
        out: &mut Vec<(Kind, Value)>,
    ) {
        self.added(place, all, out);
        self.keyed(place, all, out);
        let object = place.ty.as_object();
        let mut each = Vec::new();
        for (key, member) in all {
            let own = object.and_then(|it| it.attributes.get(key)).or(place.ty.element());
            let of_key = place.used.and_then(|it| it.attributes.get(key));
            let used = of_key.or_else(|| place.used.and_then(|it| it.elements.as_deref()));
            let inner = Place {
                name: key,
                ty: own.unwrap_or(&DYNAMIC),
                used,
                is_meant: self.is_named(key) || place.is_meant && of_key.is_none(),
                depth: place.depth + 1,
            };
            let mut variants = Vec::new();
            self.of(inner, member, &mut variants);
            if object.is_none() && all.len() <= ELEMENTS {
                each.push(variants.clone());
            }
            out.extend(variants.into_iter().map(|(kind, new)| {
                let mut all = all.clone();
                all.insert(key.clone(), new);
                (kind, Value::object(all))
            }));
        }
        let keyed = |values: Vec<Value>| Value::object(all.keys().cloned().zip(values).collect());
        out.extend(alike(&each).map(|(kind, values)| (kind, keyed(values))));
        if object.is_none() && !all.is_empty() {
            out.push((Kind::TakesAway, Value::object(BTreeMap::new())));
        }
    }

    /// The variants in which a table has another key, with the value of the first one.
    fn keyed(
        &self,
        place: Place<'_>,
        all: &BTreeMap<SmolStr, Value>,
        out: &mut Vec<(Kind, Value)>,
    ) {
        if !place.is_meant || place.ty.as_object().is_some() {
            return;
        }
        let each = place.used.and_then(|it| it.elements.as_deref());
        let new = || {
            let ty = place.ty.element().unwrap_or(&DYNAMIC);
            self.hints.of_use(&singular(place.name), ty, each)
        };
        let Some(first) = all.values().next().cloned().or_else(new) else { return };
        let mut whole = all.clone();
        for key in self.clues.texts.iter().take(TEXTS).filter(|it| !all.contains_key(*it)) {
            let mut more = all.clone();
            more.insert(key.clone(), first.clone());
            whole.insert(key.clone(), first.clone());
            out.push((Kind::Adds, Value::object(more)));
        }
        if whole.len() > all.len() + 1 {
            out.push((Kind::Adds, Value::object(whole)));
        }
    }

    /// The variants with attributes that are optional or taken out, and not there.
    fn added(
        &self,
        place: Place<'_>,
        all: &BTreeMap<SmolStr, Value>,
        out: &mut Vec<(Kind, Value)>,
    ) {
        let mut missing: BTreeMap<&SmolStr, (&Type, Option<&Use>)> = BTreeMap::new();
        let of_use = place.used.map(|it| &it.attributes);
        if let Some(object) = place.ty.as_object() {
            let optional = object.attributes.iter().filter(|it| object.optional.contains(it.0));
            missing.extend(
                optional.map(|(name, ty)| (name, (ty, of_use.and_then(|it| it.get(name))))),
            );
        } else {
            let ty = place.ty.element().unwrap_or(&DYNAMIC);
            missing.extend(of_use.into_iter().flatten().map(|(name, it)| (name, (ty, Some(it)))));
        }
        let mut whole = all.clone();
        let mut named = 0;
        for (name, (ty, used)) in missing.into_iter().filter(|it| !all.contains_key(it.0)) {
            let Some(value) = self.hints.of_use(name, ty, used) else { continue };
            let is_named = self.is_named(name);
            let kind = if is_named { Kind::Adds } else { Kind::AddsUnnamed };
            if is_named {
                whole.insert(name.clone(), value.clone());
                named += 1;
            }
            let texts = self.clues.texts.iter().filter(|_| is_named && value.as_str().is_some());
            let texts = texts.take(TEXTS).map(|it| Value::string(it.as_str()));
            for value in std::iter::once(value.clone()).chain(texts) {
                let mut more = all.clone();
                more.insert(name.clone(), value);
                out.push((kind, Value::object(more)));
            }
        }
        if named > 1 {
            out.push((Kind::Adds, Value::object(whole)));
        }
    }
}

/// The variants in which all elements get the same attribute. `each`: the variants of each element.
fn alike(each: &[Vec<(Kind, Value)>]) -> impl Iterator<Item = (Kind, Vec<Value>)> {
    let adds = |all: &Vec<(Kind, Value)>| -> Vec<(Kind, Value)> {
        all.iter().filter(|it| matches!(it.0, Kind::Adds | Kind::AddsUnnamed)).cloned().collect()
    };
    let each: Vec<Vec<(Kind, Value)>> = each.iter().map(adds).collect();
    let count = each.first().map_or(0, Vec::len);
    let are_alike = each.len() > 1 && each.iter().all(|it| it.len() == count);
    (0..if are_alike { count } else { 0 })
        .map(move |at| (each[0][at].0, each.iter().map(|it| it[at].1.clone()).collect()))
}

/// The value with what has a key changed; `None` if nothing of it is left.
fn at_key(value: &Value, key: &str, new: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
    guarded(|| match value.content() {
        ValueContent::Sequence(all) => {
            Some(Value::tuple(all.iter().filter_map(|it| at_key(it, key, new)).collect()))
        }
        ValueContent::Mapping(all) => {
            let each = all.iter().filter_map(|(name, it)| {
                let changed = match name == key {
                    true if is_flat(it) => leaves(it, new),
                    true => new(it).filter(|other| other != it).or_else(|| at_key(it, key, new)),
                    false => at_key(it, key, new),
                };
                Some((name.clone(), changed?))
            });
            Some(Value::object(each.collect::<BTreeMap<_, _>>()))
        }
        _ => Some(value.clone()),
    })
}

/// The value, or each element if it has some, changed.
fn leaves(value: &Value, new: &dyn Fn(&Value) -> Option<Value>) -> Option<Value> {
    let changed = new(value);
    if changed.as_ref() != Some(value) {
        return changed;
    }
    match value.content() {
        ValueContent::Sequence(all) => Some(Value::tuple(all.iter().filter_map(new).collect())),
        ValueContent::Mapping(all) => {
            let each = all.iter().filter_map(|(name, it)| Some((name.clone(), new(it)?)));
            Some(Value::object(each.collect::<BTreeMap<_, _>>()))
        }
        _ => changed,
    }
}

/// Whether nothing in a value has parts of its own.
fn is_flat(value: &Value) -> bool {
    let is_plain = |it: &Value| it.as_sequence().is_none() && it.as_mapping().is_none();
    match value.content() {
        ValueContent::Sequence(all) => all.iter().all(is_plain),
        ValueContent::Mapping(all) => all.values().all(is_plain),
        _ => true,
    }
}
