//! An intersection sorted by its subject: the length of an array or object, its places, members and keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Kind, Length, Measure, ValueSet,
    cases::Literal,
    emptiness::{Search, enumerated, names_null},
    value_set::{contains, matches},
};
use smol_str::SmolStr;
use tf_value::{Type, Value};

/// The constraints on arrays, sorted by subject. They may admit arrays that the intersection refuses.
#[derive(Default)]
pub(super) struct Arrays {
    pub length: Length,
    /// Sets that hold all elements from an index on, and (`some`) sets that hold at least one of these.
    pub every: Vec<(usize, ValueSet)>,
    pub some: Vec<(usize, ValueSet)>,
    pub counts: Vec<(Length, ValueSet)>,
    /// The sets of the elements at these places, if they are there.
    pub places: BTreeMap<usize, Vec<ValueSet>>,
    /// The same for elements that may also be absent.
    unless_absent: Vec<(usize, ValueSet)>,
    pub is_unique: bool,
}

/// The constraints on objects and maps, sorted by subject. They may admit some that the intersection refuses.
#[derive(Default)]
pub(super) struct Objects {
    pub length: Length,
    pub present: BTreeSet<SmolStr>,
    pub members: BTreeMap<SmolStr, Vec<ValueSet>>,
    /// The same for members that may also be absent.
    unless_absent: Vec<(SmolStr, ValueSet)>,
    pub keys: Vec<ValueSet>,
    pub some_key: Vec<ValueSet>,
    pub values: Vec<ValueSet>,
    pub some_value: Vec<ValueSet>,
    pub beside: Vec<(Vec<SmolStr>, ValueSet)>,
    pub matching: Vec<(String, ValueSet)>,
}

/// A constraint on another kind of values always holds, and its complement never does.
fn of_other_kind(is_in: bool) -> Option<()> {
    is_in.then_some(())
}

fn kind(is_in: bool, kind: Kind, own: Kind) -> Option<()> {
    (is_in == (kind == own)).then_some(())
}

impl Arrays {
    /// `None` if no array is in the case.
    pub fn of(case: &[Literal<'_>], ty: &Type) -> Option<Arrays> {
        let mut out = Arrays::default();
        if let Type::Tuple(elements) = ty {
            let count = Some(elements.len() as u64);
            out.length = Length { min: count, max: count };
        }
        for (is_in, set) in case {
            out.add(*is_in, set)?;
        }
        let is_set = matches!(ty, Type::Set(_));
        if is_set && case.contains(&(false, &ValueSet::Unique)) {
            return None;
        }
        out.is_unique |= is_set;
        for (index, values) in std::mem::take(&mut out.unless_absent) {
            if out.length.min.is_some_and(|it| index as u64 <= it.saturating_sub(1) && it > 0) {
                out.places.entry(index).or_default().push(values);
            } else if values == ValueSet::Nothing {
                out.length = out.length.and(Length { min: None, max: Some(index as u64) });
            }
        }
        (!out.length.is_empty()).then_some(out)
    }

    fn add(&mut self, is_in: bool, set: &ValueSet) -> Option<()> {
        match (set, is_in) {
            (ValueSet::Kind(it), _) => kind(is_in, *it, Kind::Array)?,
            (ValueSet::Length(Measure::Items, length), _) => {
                let length = if is_in { Some(*length) } else { length.complement() };
                self.length = self.length.and(length.unwrap_or_default());
            }
            (ValueSet::Items(it), true) => self.every.push((0, (**it).clone())),
            (ValueSet::Items(it), false) => self.some.push((0, it.signed(false))),
            (ValueSet::ItemsFrom(index, it), true) => self.every.push((*index, (**it).clone())),
            (ValueSet::ItemsFrom(index, it), false) => self.some.push((*index, it.signed(false))),
            (ValueSet::SomeItem(it), true) => self.some.push((0, (**it).clone())),
            (ValueSet::SomeItem(it), false) => self.every.push((0, it.signed(false))),
            (ValueSet::Count(length, it), _) => {
                let length = if is_in { Some(*length) } else { length.complement() };
                self.counts.extend(length.map(|length| (length, (**it).clone())));
            }
            (ValueSet::Place { index, required, values }, _) => {
                if *required == is_in {
                    self.length = self.length.and(Length::at_least(*index as u64 + 1));
                }
                let values = values.signed(is_in);
                if is_in || !*required {
                    self.places.entry(*index).or_default().push(values);
                } else {
                    self.unless_absent.push((*index, values));
                }
            }
            (ValueSet::Unique, true) => self.is_unique = true,
            (ValueSet::Unique, false) => self.length = self.length.and(Length::at_least(2)),
            (ValueSet::OneOf(_), _) => (),
            _ => of_other_kind(is_in)?,
        }
        Some(())
    }

    /// The set of the element at a place.
    pub fn element(&self, index: usize) -> ValueSet {
        let own = self.places.get(&index).into_iter().flatten();
        ValueSet::all([self.from(index)].into_iter().chain(own.cloned()))
    }

    /// The set that holds every element from an index on.
    pub fn from(&self, index: usize) -> ValueSet {
        let every = self.every.iter().filter(|(start, _)| *start <= index);
        ValueSet::all(every.map(|(_, it)| it.clone()))
    }

    pub fn is_empty(&self, ty: &Type, search: &mut Search) -> bool {
        let own;
        let elements: &[Type] = match ty {
            Type::Tuple(elements) => elements,
            other => {
                own = [other.element().cloned().unwrap_or(Type::Dynamic)];
                &own
            }
        };
        let is_tuple = matches!(ty, Type::Tuple(_));
        let nowhere = |search: &mut Search, index: usize, set: &ValueSet| {
            let within = ValueSet::all([self.from(index), set.clone()]);
            elements.iter().all(|ty| search.is_empty_inside(&within, ty))
        };
        let mut length = self.length;
        for (index, set) in &self.some {
            length = length.and(Length::at_least(*index as u64 + 1));
            if nowhere(search, *index, set) {
                return true;
            }
        }
        for (count, set) in &self.counts {
            length = length.and(Length { min: count.min, max: None });
            if count.is_empty() || count.min.is_some_and(|it| it > 0) && nowhere(search, 0, set) {
                return true;
            }
            // If every element is counted, the count limits the length.
            let others = set.signed(false);
            if count.max.is_some() && nowhere(search, 0, &others) {
                length = length.and(Length { min: None, max: count.max });
            }
        }
        // There are at most as many distinct elements as values.
        let most = match elements {
            [Type::Bool] => Some(2),
            [_] => enumerated(&self.from(0)).map(<[Value]>::len),
            _ => None,
        };
        if self.is_unique && !is_tuple && self.every.iter().all(|(_, it)| !names_null(it)) {
            length = length.and(Length { min: None, max: most.map(|it| it as u64) });
        }
        if length.is_empty() {
            return true;
        }
        let least = usize::try_from(length.min.unwrap_or(0)).unwrap_or(usize::MAX);
        if is_tuple {
            let mut each = elements.iter().enumerate();
            return each.any(|(index, ty)| search.is_empty_inside(&self.element(index), ty));
        }
        let in_places = self.places.keys().copied().filter(|it| *it < least);
        in_places
            .chain(least.checked_sub(1))
            .any(|index| search.is_empty_inside(&self.element(index), &elements[0]))
    }
}

impl Objects {
    /// `None` if no object is in the case.
    pub fn of(case: &[Literal<'_>], ty: &Type) -> Option<Objects> {
        let mut out = Objects::default();
        for (is_in, set) in case {
            out.add(*is_in, set)?;
        }
        if let Type::Object(object) = ty {
            let required = object.attributes.keys().filter(|it| !object.optional.contains(*it));
            out.present.extend(required.cloned());
            // The type decides how many attributes an object has.
            out.length = Length::default();
        }
        for (name, values) in std::mem::take(&mut out.unless_absent) {
            if out.present.contains(&name) {
                out.members.entry(name).or_default().push(values);
            }
        }
        let least = Length::at_least(out.present.len() as u64);
        (!out.length.and(least).is_empty()).then_some(out)
    }

    fn add(&mut self, is_in: bool, set: &ValueSet) -> Option<()> {
        match (set, is_in) {
            (ValueSet::Kind(it), _) => kind(is_in, *it, Kind::Object)?,
            (ValueSet::Length(Measure::Properties, length), _) => {
                let length = if is_in { Some(*length) } else { length.complement() };
                self.length = self.length.and(length.unwrap_or_default());
            }
            (ValueSet::Member { name, required, values }, _) => {
                if *required == is_in {
                    self.present.insert(name.clone());
                }
                let is_nothing = !is_in && **values == ValueSet::Anything;
                let values = values.signed(is_in);
                if is_in || !*required || is_nothing {
                    self.members.entry(name.clone()).or_default().push(values);
                } else {
                    self.unless_absent.push((name.clone(), values));
                }
            }
            (ValueSet::Keys(it), true) => self.keys.push((**it).clone()),
            (ValueSet::Keys(it), false) => self.some_key.push(it.signed(false)),
            (ValueSet::Values(it), true) => self.values.push((**it).clone()),
            (ValueSet::Values(it), false) => self.some_value.push(it.signed(false)),
            (ValueSet::ValuesBeside(names, it), true) => {
                self.beside.push((names.clone(), (**it).clone()));
            }
            (ValueSet::ValuesMatching(pattern, it), true) => {
                self.matching.push((pattern.clone(), (**it).clone()));
            }
            (ValueSet::ValuesBeside(_, it) | ValueSet::ValuesMatching(_, it), false) => {
                self.some_value.push(it.signed(false));
            }
            (ValueSet::OneOf(_), _) => (),
            _ => of_other_kind(is_in)?,
        }
        Some(())
    }

    /// The set of a member's value.
    pub fn member(&self, name: &SmolStr) -> ValueSet {
        let own = self.members.get(name).into_iter().flatten();
        let beside = self.beside.iter().filter(|it| !it.0.contains(name)).map(|it| &it.1);
        let is_matched = |it: &&(String, ValueSet)| matches(&it.0, name) == Some(true);
        let matching = self.matching.iter().filter(is_matched).map(|it| &it.1);
        ValueSet::all(own.chain(&self.values).chain(beside).chain(matching).cloned())
    }

    pub fn is_empty(&self, ty: &Type, search: &mut Search) -> bool {
        match ty {
            Type::Object(object) => {
                let mut there = object.attributes.iter().filter(|it| self.present.contains(it.0));
                let own = |name: &SmolStr| {
                    ValueSet::all(self.members.get(name).into_iter().flatten().cloned())
                };
                there.any(|(name, ty)| search.is_empty_inside(&own(name), ty))
            }
            Type::Map(element) => self.is_no_map(element, search),
            _ => false,
        }
    }

    fn is_no_map(&self, element: &Type, search: &mut Search) -> bool {
        let keys = ValueSet::all(self.keys.iter().cloned());
        let is_no_key = |it: &SmolStr| contains(&keys, &Value::string(it)) == Some(false);
        if self.present.iter().any(is_no_key) {
            return true;
        }
        let mut present = self.present.iter();
        if present.any(|name| search.is_empty_inside(&self.member(name), element)) {
            return true;
        }
        let within = |all: &[ValueSet], it: &ValueSet| {
            ValueSet::all(all.iter().cloned().chain([it.clone()]))
        };
        if self.some_key.iter().any(|it| search.is_empty(&within(&self.keys, it), &Type::String)) {
            return true;
        }
        let mut some = self.some_value.iter();
        if some.any(|it| search.is_empty_inside(&within(&self.values, it), element)) {
            return true;
        }
        let some = !self.present.is_empty()
            || !self.some_key.is_empty()
            || !self.some_value.is_empty()
            || self.length.min.is_some_and(|it| it > 0);
        let values = ValueSet::all(self.values.iter().cloned());
        some && (search.is_empty(&keys, &Type::String) || search.is_empty_inside(&values, element))
    }
}
