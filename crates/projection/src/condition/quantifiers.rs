//! "For every element", "for some element".
//!
//! In goes the answer for one element of a collection, or for one part of a string; out come the joined answers
//! of all ([`Elements`]), as sets of assignments to the collection's own root. How an expression gives its
//! elements is not known here.

use crate::{
    condition::symbolic::{Cases, Place, Truth, views::quantified},
    sets::{
        Assignments, ConstraintRoot, Extent, Kind, Length, Loss, Measure, Reason, Region, ValueSet,
    },
};
use diagnostics::Span;
use tf_value::{Type, Value};

/// Answers a question for an element, given the element and its key or index.
pub type Visitor<'a, 'm> = &'a dyn Fn(&Cases<'m>, &Cases<'m>) -> Elements;

/// Whether all elements are true, for `alltrue`, `anytrue` and `contains`.
pub fn all(it: Elements) -> Truth {
    Truth {
        when_true: it.all_true,
        when_false: it.clean.and(it.some_false),
        error: it.error,
        ..Truth::never()
    }
}

/// Whether some element is true and none fails.
pub fn any(it: Elements) -> Truth {
    Truth {
        when_true: it.some_true.and(it.clean.clone()),
        when_false: it.clean.and(it.all_false),
        error: it.error,
        ..Truth::never()
    }
}

// "For every element" and "for some element" of a sequence.

/// The joined answers of a sequence's elements: for which inputs all are true, some is true, and so on.
#[derive(Clone)]
pub struct Elements {
    pub all_true: Extent,
    pub some_true: Extent,
    /// Every element is false or null.
    pub all_false: Extent,
    pub some_false: Extent,
    /// No element fails.
    pub clean: Extent,
    /// Some element fails.
    pub error: Extent,
}

impl Elements {
    /// One element.
    pub fn one(truth: Truth) -> Elements {
        let falsity = truth.when_false.clone().or(truth.null.clone());
        Elements {
            clean: truth.defined(),
            all_true: truth.when_true.clone(),
            some_true: truth.when_true,
            all_false: falsity.clone(),
            some_false: falsity,
            error: truth.error,
        }
    }

    /// No element.
    pub fn none() -> Elements {
        let (all, none) = (Extent::everything(), Extent::nothing());
        Elements {
            all_true: all.clone(),
            some_true: none.clone(),
            all_false: all.clone(),
            some_false: none.clone(),
            clean: all,
            error: none,
        }
    }

    /// No sequence: the source fails.
    pub fn never() -> Elements {
        let none = Extent::nothing;
        Elements {
            all_true: none(),
            some_true: none(),
            all_false: none(),
            some_false: none(),
            clean: none(),
            error: none(),
        }
    }

    pub fn unknown(reason: Reason, span: Span) -> Elements {
        let it = Extent::unknown(reason, span);
        Elements {
            all_true: it.clone(),
            some_true: it.clone(),
            all_false: it.clone(),
            some_false: it.clone(),
            clean: it.clone(),
            error: it,
        }
    }

    /// The same answers, marked as possibly too large.
    pub fn losing(self, reason: &Reason, span: Span) -> Elements {
        let losing =
            |it: Extent| if it.is_nothing() { it } else { it.losing(reason.clone(), span) };
        Elements {
            all_true: losing(self.all_true),
            some_true: losing(self.some_true),
            all_false: losing(self.all_false),
            some_false: losing(self.some_false),
            clean: losing(self.clean),
            error: losing(self.error),
        }
    }

    /// The same answers with another set of inputs for which some element fails.
    pub fn failing(self, error: Extent) -> Elements {
        Elements { error, ..self }
    }

    /// Adds inputs for which the source fails.
    pub fn also_failing(self, error: Extent) -> Elements {
        Elements { error: self.error.or(error), ..self }
    }

    /// The work of joining them with as many.
    pub fn work(&self) -> u64 {
        let Elements { all_true, some_true, all_false, some_false, clean, error } = self;
        [all_true, some_true, all_false, some_false, clean, error]
            .into_iter()
            .map(Extent::work)
            .sum()
    }

    /// The elements of `self`, and after them those of `other`.
    pub fn then(self, other: Elements) -> Elements {
        Elements {
            all_true: self.all_true.and(other.all_true),
            some_true: self.some_true.or(other.some_true),
            all_false: self.all_false.and(other.all_false),
            some_false: self.some_false.or(other.some_false),
            clean: self.clean.and(other.clean),
            error: self.error.or(other.error),
        }
    }

    /// Adds a case: where the guard holds, the elements are those of `other`.
    pub fn or_case(self, guard: &Extent, other: Elements) -> Elements {
        let within = |it: Extent| guard.clone().and(it);
        Elements {
            all_true: self.all_true.or(within(other.all_true)),
            some_true: self.some_true.or(within(other.some_true)),
            all_false: self.all_false.or(within(other.all_false)),
            some_false: self.some_false.or(within(other.some_false)),
            clean: self.clean.or(within(other.clean)),
            error: self.error.or(within(other.error)),
        }
    }

    /// Only where the condition of a `for` is true; where it is false there is no element.
    pub fn only_if(self, condition: Truth) -> Elements {
        let total = condition.error.is_nothing()
            && condition.null.is_nothing()
            && condition.when_false.losses.is_empty()
            && condition.when_true.losses.is_empty();
        let (yes, no) = (condition.when_true, condition.when_false);
        // "Either it is left out, or …" needs no "it is kept" in its second half.
        let implied = |it: Extent| no.clone().or(if total { it } else { yes.clone().and(it) });
        let kept = |it: Extent| yes.clone().and(it);
        Elements {
            all_true: implied(self.all_true),
            some_true: kept(self.some_true),
            all_false: implied(self.all_false),
            some_false: kept(self.some_false),
            clean: implied(self.clean),
            error: condition.error.or(condition.null).or(kept(self.error)),
        }
    }

    /// The answers for all elements of a place; `self` is the answer for the one that `binder` names.
    pub fn over(self, binder: &Binder<'_>) -> Elements {
        let mut missing = binder.place.with_at_least(binder.from).1;
        if binder.is_any() {
            let other = ValueSet::Kind(binder.any).negated();
            missing = missing.or(binder.place.lift(Region::new(false, other), false));
        }
        let out = self.within(binder);
        let error = out.error.clone().or(missing);
        out.failing(error)
    }

    /// Like [`Elements::over`], without the failures of a place that has no elements.
    pub fn within(self, binder: &Binder<'_>) -> Elements {
        Elements {
            all_true: binder.every(self.all_true),
            some_true: binder.some(self.some_true),
            all_false: binder.every(self.all_false),
            some_false: binder.some(self.some_false),
            clean: binder.every(self.clean),
            error: binder.some(self.error),
        }
    }
}

// The parts that `split` makes of the string at a place, as elements.

/// The answers for all parts of the string at a place; `of_one` is the answer for the part that `element`
/// names. There is at least one part.
pub fn over_parts(
    place: &Place,
    separator: char,
    element: &ConstraintRoot,
    of_one: Elements,
) -> Elements {
    let parts = Parts { place, separator, element };
    let error = parts.quantified(of_one.error, false);
    Elements {
        all_true: parts.quantified(of_one.all_true, true),
        some_true: parts.quantified(of_one.some_true, false),
        all_false: parts.quantified(of_one.all_false, true),
        some_false: parts.quantified(of_one.some_false, false),
        clean: parts.quantified(of_one.clean, true),
        error: error.or(place.null()).or(place.failing()),
    }
}

struct Parts<'a> {
    place: &'a Place,
    separator: char,
    element: &'a ConstraintRoot,
}

impl Parts<'_> {
    fn quantified(&self, extent: Extent, every: bool) -> Extent {
        let mut losses = extent.losses;
        let formula = self.of_formula(extent.formula, every, &mut losses);
        self.place.not_null().and(Extent { formula, losses })
    }

    fn of_formula(&self, formula: Assignments, every: bool, losses: &mut Vec<Loss>) -> Assignments {
        if !formula.roots().contains(self.element) {
            return formula;
        }
        if let Some((_, values)) = formula.of_root(self.element) {
            let preimage = quantified(self.separator, &values, every);
            if preimage.as_ref().is_none_or(|it| !it.exact) {
                losses.push(Loss { reason: Reason::Parts, span: Span::default() });
            }
            let values = preimage.map_or(ValueSet::Anything, |it| it.values);
            let lifted = self.place.lift(Region::new(false, values), false);
            losses.extend(lifted.losses);
            return lifted.formula;
        }
        match formula {
            Assignments::All(parts) if every => {
                Assignments::all(parts.into_iter().map(|it| self.of_formula(it, every, losses)))
            }
            Assignments::Any(parts) if !every => {
                Assignments::any(parts.into_iter().map(|it| self.of_formula(it, every, losses)))
            }
            _ => {
                losses.push(Loss { reason: Reason::Parts, span: Span::default() });
                Assignments::TRUE
            }
        }
    }
}

// Turns a formula about one element and its key into one about the whole collection: "x is a" becomes
// `Items(OneOf(["a"]))`.

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

    fn is_any(&self) -> bool {
        self.place.ty == Type::Dynamic
    }

    fn every(&self, extent: Extent) -> Extent {
        let mut losses = extent.losses;
        let inner = self.every_of(extent.formula, &mut losses);
        Extent { losses: Vec::new(), ..self.there() }.and(Extent { formula: inner, losses })
    }

    fn some(&self, extent: Extent) -> Extent {
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
