//! Turns a formula about one element and its key into one about the whole collection: "x is a" becomes
//! `Items(OneOf(["a"]))`.

use crate::{
    condition::symbolic::Place,
    sets::{
        Assignments, ConstraintRoot, Extent, Kind, Length, Loss, Measure, Reason, Region, ValueSet,
    },
};
use diagnostics::Span;
use tf_value::{Type, Value};

/// Names the elements and the keys of the collection at a place; of a list, those from an index on.
pub struct Binder<'a> {
    pub place: &'a Place,
    pub from: usize,
    /// How a value of type `any` is read: as an object or as an array.
    pub any: Kind,
    pub element: ConstraintRoot,
    pub key: ConstraintRoot,
}

impl Binder<'_> {
    fn is_bound(&self, root: &ConstraintRoot) -> bool {
        *root == self.element || *root == self.key
    }

    /// Whether it has keys: as a map, or as an object of any type.
    fn is_map(&self) -> bool {
        matches!(self.place.ty, Type::Map(_)) || self.is_any() && self.any == Kind::Object
    }

    pub(super) fn is_any(&self) -> bool {
        self.place.ty == Type::Dynamic
    }

    pub(super) fn every(&self, extent: Extent) -> Extent {
        let mut losses = extent.losses;
        let inner = self.every_of(extent.formula, &mut losses);
        Extent { losses: Vec::new(), ..self.there() }.and(Extent { formula: inner, losses })
    }

    pub(super) fn some(&self, extent: Extent) -> Extent {
        let mut losses = extent.losses;
        let formula = self.some_of(extent.formula, &mut losses);
        let extent = Extent { formula, losses };
        let there = if self.is_any() { self.there() } else { Extent::everything() };
        extent.and(there)
    }

    /// The inputs for which the collection exists.
    fn there(&self) -> Extent {
        if self.is_any() {
            let kind = Region::new(false, ValueSet::Kind(self.any));
            return self.place.lift(kind, false);
        }
        self.place.with_at_least(self.from).0
    }

    /// The inputs for which it has no such element (`empty`), or at least one.
    fn emptiness(&self, empty: bool) -> Assignments {
        if self.is_any() && self.any == Kind::Array {
            let (min, max) = if empty { (None, Some(0)) } else { (Some(1), None) };
            let length = ValueSet::Length(Measure::Items, Length { min, max });
            return self.place.lift(Region::new(false, length), false).formula;
        }
        if self.from == 0 {
            return self.place.emptiness(empty).formula;
        }
        let (more, none) = self.place.with_at_least(self.from + 1);
        if empty { none.formula } else { more.formula }
    }

    fn every_of(&self, formula: Assignments, losses: &mut Vec<Loss>) -> Assignments {
        if formula.is_true() {
            return Assignments::TRUE;
        }
        if !formula.roots().iter().any(|it| self.is_bound(it)) {
            return Assignments::any([formula, self.emptiness(true)]);
        }
        if let Some(constraint) = self.whole(&formula, true) {
            return self.lifted(constraint, losses);
        }
        match formula {
            Assignments::All(parts) => {
                Assignments::all(parts.into_iter().map(|it| self.every_of(it, losses)))
            }
            Assignments::Any(parts) => self.every_alternative(parts, losses),
            Assignments::At(..) => lost(losses),
        }
    }

    /// ∀x (A(x) ∨ B) is (∀x A(x)) ∨ B, if B is not about x.
    fn every_alternative(&self, parts: Vec<Assignments>, losses: &mut Vec<Loss>) -> Assignments {
        let (bound, free): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|it| it.roots().iter().any(|root| self.is_bound(root)));
        if free.is_empty() {
            return match distributed(&bound) {
                Some(conjuncts) => {
                    Assignments::all(conjuncts.into_iter().map(|it| self.every_of(it, losses)))
                }
                None => lost(losses),
            };
        }
        let inner = self.every_of(Assignments::any(bound), losses);
        Assignments::any(free.into_iter().chain([inner]))
    }

    fn some_of(&self, formula: Assignments, losses: &mut Vec<Loss>) -> Assignments {
        if formula.is_false() {
            return Assignments::FALSE;
        }
        if !formula.roots().iter().any(|it| self.is_bound(it)) {
            return Assignments::all([formula, self.emptiness(false)]);
        }
        if let Some(constraint) = self.whole(&formula, false) {
            return self.lifted(constraint, losses);
        }
        match formula {
            Assignments::Any(parts) => {
                Assignments::any(parts.into_iter().map(|it| self.some_of(it, losses)))
            }
            Assignments::All(parts) => {
                let (bound, free): (Vec<_>, Vec<_>) = parts
                    .into_iter()
                    .partition(|it| it.roots().iter().any(|root| self.is_bound(root)));
                if free.is_empty() {
                    return lost(losses);
                }
                let inner = self.some_of(Assignments::all(bound), losses);
                Assignments::all(free.into_iter().chain([inner]))
            }
            Assignments::At(..) => lost(losses),
        }
    }

    fn lifted(&self, constraint: ValueSet, losses: &mut Vec<Loss>) -> Assignments {
        let lifted = self.place.lift(Region::new(false, constraint), false);
        losses.extend(lifted.losses);
        lifted.formula
    }

    /// The formula as a constraint on the collection, if it is about the element, the key, or both in a way
    /// that a schema can say.
    fn whole(&self, formula: &Assignments, every: bool) -> Option<ValueSet> {
        if let Some((null, values)) = formula.of_root(&self.element) {
            return Some(self.elements(self.of_element(null, values), every));
        }
        if let Some((_, keys)) = formula.of_root(&self.key) {
            return Some(match (self.is_map(), every) {
                (true, true) => ValueSet::every(ValueSet::Keys, keys),
                (true, false) => ValueSet::every(ValueSet::Keys, keys.negated()).negated(),
                _ => return None,
            });
        }
        match formula {
            Assignments::Any(parts) if every && self.is_map() => self.entries(parts),
            Assignments::All(parts) if !every && self.is_map() => self.some_entry(parts),
            _ => None,
        }
    }

    /// What a schema says about an element: if its type is not `any`, it is never null there.
    fn of_element(&self, null: bool, values: ValueSet) -> ValueSet {
        let is_any = self.place.ty.element().is_none_or(|it| *it == Type::Dynamic);
        match values {
            it if is_any => it.with_null_if(null),
            it if it.is_only_null() => ValueSet::Nothing,
            it => it,
        }
    }

    fn elements(&self, values: ValueSet, every: bool) -> ValueSet {
        match (self.is_map(), every) {
            (false, true) if self.from > 0 => ValueSet::items_from(self.from, values),
            (false, false) if self.from > 0 => {
                match ValueSet::items_from(self.from, values.negated()) {
                    ValueSet::Length(measure, _) => ValueSet::Length(
                        measure,
                        Length { min: Some(self.from as u64 + 1), max: None },
                    ),
                    none => none.negated(),
                }
            }
            (false, true) => ValueSet::every(ValueSet::Items, values),
            (false, false) => ValueSet::SomeItem(Box::new(values)),
            (true, true) => ValueSet::every(ValueSet::Values, values),
            (true, false) => ValueSet::every(ValueSet::Values, values.negated()).negated(),
        }
    }

    /// "Every key is in K, or its value in V."
    fn entries(&self, parts: &[Assignments]) -> Option<ValueSet> {
        let (key, value) = self.key_and_value(parts)?;
        match key {
            ValueSet::Not(inner) => match *inner {
                ValueSet::OneOf(keys) => {
                    let members = names(&keys)?.into_iter();
                    Some(ValueSet::all(
                        members.map(|it| ValueSet::member(it, false, value.clone())),
                    ))
                }
                ValueSet::Matches(pattern) => {
                    Some(ValueSet::ValuesMatching(pattern, Box::new(value)))
                }
                _ => None,
            },
            ValueSet::OneOf(keys) => Some(ValueSet::ValuesBeside(names(&keys)?, Box::new(value))),
            _ => None,
        }
    }

    fn some_entry(&self, parts: &[Assignments]) -> Option<ValueSet> {
        let (key, value) = self.key_and_value(parts)?;
        let ValueSet::OneOf(keys) = key else { return None };
        let members = names(&keys)?.into_iter();
        Some(ValueSet::either(members.map(|it| ValueSet::member(it, true, value.clone()))))
    }

    fn key_and_value(&self, parts: &[Assignments]) -> Option<(ValueSet, ValueSet)> {
        let [Assignments::At(first, of_first, one), Assignments::At(second, of_second, other)] =
            parts
        else {
            return None;
        };
        let (one, other) = (one.clone(), other.clone());
        match () {
            () if *first == self.key && *second == self.element => {
                Some((one, self.of_element(*of_second, other)))
            }
            () if *first == self.element && *second == self.key => {
                Some((other, self.of_element(*of_first, one)))
            }
            () => None,
        }
    }
}

fn names(values: &[Value]) -> Option<Vec<smol_str::SmolStr>> {
    values.iter().map(|it| it.as_str().map(Into::into)).collect()
}

/// A union of intersections as an intersection of unions, when that stays small.
fn distributed(parts: &[Assignments]) -> Option<Vec<Assignments>> {
    const MAX: usize = 64;
    parts.iter().any(|it| matches!(it, Assignments::All(_))).then_some(())?;
    let mut out = vec![Assignments::FALSE];
    for part in parts {
        let choices = match part {
            Assignments::All(choices) => choices.as_slice(),
            one => std::slice::from_ref(one),
        };
        if out.len() * choices.len() > MAX {
            return None;
        }
        let both = |it: &Assignments| {
            let it = it.clone();
            choices.iter().map(move |choice| Assignments::any([it.clone(), choice.clone()]))
        };
        out = out.iter().flat_map(|it| both(it).collect::<Vec<_>>()).collect();
    }
    Some(out)
}

fn lost(losses: &mut Vec<Loss>) -> Assignments {
    losses.push(Loss { reason: Reason::OutsideOfElements, span: Span::default() });
    Assignments::TRUE
}
