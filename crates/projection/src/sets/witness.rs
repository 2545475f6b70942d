//! Members of a set: the borders first, then others.
//!
//! Candidates come from the parts of the set: the states of its automaton, the points at which a set of numbers
//! changes, the parts of arrays and objects. A candidate is a witness only if [`contains`](crate::sets::value_set)
//! finds it in the set, so that a witness is never wrong; but if none is found, that proves nothing. The work
//! is bounded.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    ValueSet,
    cases::case,
    compose::{arrays, objects},
    numbers, strings,
    strings::{Graph, Universe},
    value_set::contains,
};
use smol_str::SmolStr;
use stack::guarded;
use tf_value::{Type, Value};
use unicode_normalization::is_nfc;
use unicode_segmentation::UnicodeSegmentation;

/// Units of work for one question: steps of automata, candidates.
const WORK: u64 = 1_500_000;

/// How deep values of any type nest.
const DEPTH: u32 = 2;

/// How many automata are kept: most attributes of an object are texts of the same set.
const GRAPHS: usize = 8;

/// How many times a further member is looked for, for each that is wanted.
const ATTEMPTS: usize = 6;

/// Which members are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub count: usize,
    /// Another seed gives other members; the same seed gives the same ones.
    pub seed: u64,
    /// Whether null is a member.
    pub null: bool,
}

/// Distinct canonical values of the type that are in the set, as a JSON file has them: arrays are
/// tuples, maps and objects are objects, and an attribute that is absent is not there.
pub fn witnesses(set: &ValueSet, ty: &Type, sample: Sample) -> Vec<Value> {
    let mut finder = Finder { state: sample.seed | 1, left: WORK, graphs: Vec::new() };
    let null = sample.null.then(|| Value::null(Type::Dynamic));
    let count = sample.count.saturating_sub(usize::from(sample.null));
    let members = finder.members(set, ty, count, 0);
    null.into_iter().chain(members).take(sample.count).collect()
}

/// The search for members: pseudo-random numbers, and the work that is left.
pub(super) struct Finder {
    state: u64,
    left: u64,
    /// The automata of the sets of texts that were asked for last.
    graphs: Vec<(ValueSet, Option<Rc<Graph>>)>,
}

impl Finder {
    pub fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let limit = limit.max(1) as u64;
        usize::try_from((self.state >> 33) % limit).unwrap_or(0)
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    pub fn spend(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }

    /// Up to `count` members.
    pub fn members(&mut self, set: &ValueSet, ty: &Type, count: usize, depth: u32) -> Vec<Value> {
        if count == 0 || *set == ValueSet::Nothing || !self.spend(10) {
            return Vec::new();
        }
        guarded(|| {
            let mut found = Found { set, ty, count, out: Vec::new() };
            let mut texts = Vec::new();
            enumerated(set, &mut texts);
            let each: Vec<Value> = texts.into_iter().filter_map(|it| shaped(it, ty)).collect();
            let own = each.len().min(count.div_ceil(2));
            let first = if each.is_empty() { 0 } else { self.below(each.len()) };
            let mut each = each.iter().cycle().skip(first).take(each.len());
            each.by_ref().take(own.max(1)).for_each(|it| found.add(self, it.clone()));
            self.candidates(&mut found, depth);
            each.for_each(|it| found.add(self, it.clone()));
            found.out
        })
    }

    fn candidates(&mut self, found: &mut Found<'_>, depth: u32) {
        match found.ty {
            Type::Bool => {
                let first = self.below(2) == 0;
                [first, !first].map(Value::bool).into_iter().for_each(|it| found.add(self, it));
            }
            Type::Number => self.numbers(found),
            Type::String => self.strings(found),
            Type::Dynamic => self.of_any_kind(found, depth),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Map(_) | Type::Object(_) => {
                self.composed(found, depth);
            }
        }
    }

    fn numbers(&mut self, found: &mut Found<'_>) {
        let Some(mut all) = numbers::candidates(found.set) else { return };
        // Points and their neighbours, in random order, so that not always the same ones are found.
        while !all.is_empty() && !found.is_full() && self.spend(2) {
            let at = self.below(all.len());
            found.add(self, all.swap_remove(at));
        }
    }

    fn strings(&mut self, found: &mut Found<'_>) {
        let Some(graph) = self.graph(found.set) else { return };
        let Some(words) = strings::Words::of(&graph) else { return };
        for text in words.borders() {
            found.add_text(self, &text);
        }
        for _ in 0..found.count * ATTEMPTS {
            if found.is_full() || !self.spend(50) {
                return;
            }
            let text = words.random(self);
            self.spend(text.len() as u64);
            found.add_text(self, &text);
        }
    }

    /// The automaton of a set of texts; `None` if it is too large.
    fn graph(&mut self, set: &ValueSet) -> Option<Rc<Graph>> {
        if let Some((_, known)) = self.graphs.iter().find(|it| it.0 == *set) {
            return known.clone();
        }
        let mut steps = 0;
        let graph = strings::graph(set, Universe::Canonical, false, &mut steps).map(Rc::new);
        self.spend(steps);
        if self.graphs.len() == GRAPHS {
            self.graphs.remove(0);
        }
        self.graphs.push((set.clone(), graph.clone()));
        graph
    }

    fn of_any_kind(&mut self, found: &mut Found<'_>, depth: u32) {
        let flat = [Type::String, Type::Number, Type::Bool];
        let nested = [Type::list(Type::Dynamic), Type::map(Type::Dynamic)];
        let most = found.count.div_ceil(3);
        let kinds = flat.iter().chain(nested.iter().filter(|_| depth < DEPTH));
        let mut each: Vec<_> =
            kinds.map(|ty| self.members(found.set, ty, most, depth + 1).into_iter()).collect();
        while !found.is_full() && each.iter().any(|it| it.len() > 0) {
            for it in each.iter_mut().filter_map(Iterator::next) {
                found.add(self, it);
            }
        }
    }

    fn composed(&mut self, found: &mut Found<'_>, depth: u32) {
        for attempt in 0..found.count.clamp(4, 40) {
            let mut literals = Vec::new();
            // The first parts first, then the others, then any.
            let mut choose = |count: usize| match attempt {
                0 => 0,
                1..3 => attempt % count.max(1),
                _ => self.below(count),
            };
            let is_some = case(found.set, true, &mut choose, &mut literals).is_some();
            if !is_some || found.is_full() || !self.spend(20 + literals.len() as u64) {
                if found.is_full() || self.left == 0 {
                    return;
                }
                continue;
            }
            let candidates = match found.ty {
                Type::Map(_) | Type::Object(_) => {
                    objects(self, &literals, found.ty, found.count, depth)
                }
                _ => arrays(self, &literals, found.ty, found.count, depth),
            };
            candidates.into_iter().for_each(|it| found.add(self, it));
        }
    }
}

/// The members found so far.
pub(super) struct Found<'a> {
    set: &'a ValueSet,
    ty: &'a Type,
    count: usize,
    out: Vec<Value>,
}

impl Found<'_> {
    fn is_full(&self) -> bool {
        self.out.len() >= self.count
    }

    /// Adds a candidate if it is new and a member.
    fn add(&mut self, finder: &mut Finder, value: Value) {
        let is_new =
            !self.is_full() && finder.spend(5 + value.size() / 4) && !self.out.contains(&value);
        let is_of_type = || shaped(&value, self.ty).as_ref() == Some(&value);
        if is_new && contains(self.set, &value) == Some(true) && is_of_type() {
            self.out.push(value);
        }
    }

    fn add_text(&mut self, finder: &mut Finder, text: &str) {
        if is_canonical(text) {
            self.add(finder, Value::string(text));
        }
    }
}

/// Whether each character is one code point, and the text is in NFC.
fn is_canonical(text: &str) -> bool {
    text.is_ascii() && !text.contains("\r\n")
        || is_nfc(text) && text.graphemes(true).all(|it| it.chars().count() == 1)
}

/// All values that are enumerated in the set, whether it contains them or not.
fn enumerated<'s>(set: &'s ValueSet, out: &mut Vec<&'s Value>) {
    match set {
        ValueSet::OneOf(values) => out.extend(values),
        ValueSet::All(_) | ValueSet::Either(_) => {
            guarded(|| {
                set.children().iter().for_each(|it| enumerated(it, out));
            });
        }
        _ => (),
    }
}

/// The value as a JSON file has it, if it is a canonical value of the type.
fn shaped(value: &Value, ty: &Type) -> Option<Value> {
    guarded(|| match ty {
        Type::String => value.as_str().filter(|it| is_canonical(it)).map(Value::string),
        Type::Number => value.as_number().cloned().map(Value::number),
        Type::Bool => value.as_bool().map(Value::bool),
        Type::List(element) | Type::Set(element) => {
            let elements = value.as_sequence()?.iter().map(|it| shaped(it, element));
            Some(Value::tuple(elements.collect::<Option<_>>()?))
        }
        Type::Tuple(types) => {
            let elements = value.as_sequence().filter(|it| it.len() == types.len())?;
            let each = elements.iter().zip(types.iter()).map(|(it, ty)| shaped(it, ty));
            Some(Value::tuple(each.collect::<Option<_>>()?))
        }
        Type::Map(element) => {
            let members = value.as_mapping()?.iter();
            let each = members.map(|(key, it)| Some((key.clone(), shaped(it, element)?)));
            Some(Value::object(each.collect::<Option<_>>()?))
        }
        Type::Object(object) => {
            let members = value.as_mapping()?;
            let mut out: BTreeMap<SmolStr, Value> = BTreeMap::new();
            for (name, ty) in &object.attributes {
                match members.get(name).filter(|it| !it.is_null()) {
                    Some(it) => drop(out.insert(name.clone(), shaped(it, ty)?)),
                    None if object.optional.contains(name) => (),
                    None => return None,
                }
            }
            Some(Value::object(out))
        }
        Type::Dynamic => {
            (value.is_wholly_known() && !value.is_null()).then(|| untyped(value)).flatten()
        }
    })
}

fn untyped(value: &Value) -> Option<Value> {
    let own = |it: &Value| shaped(it, &Type::Dynamic);
    Some(if let Some(elements) = value.as_sequence() {
        Value::tuple(elements.iter().map(own).collect::<Option<_>>()?)
    } else if let Some(members) = value.as_mapping() {
        let each = members.iter().map(|(key, it)| Some((key.clone(), own(it)?)));
        Value::object(each.collect::<Option<_>>()?)
    } else {
        value.clone()
    })
}
