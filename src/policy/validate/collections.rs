//! Lists, maps, objects: each element, how many there are.

use std::{collections::BTreeMap, sync::Arc};

use smol_str::SmolStr;

use super::{Around, Judge, LocatedValue, inside, outcome::Outcome, show};
use crate::{
    diagnostic::Span,
    policy::language::{Bounds, Member, Valid, Validator},
    value::{Content, Number, Path, Step, Type, Value, ops},
};

impl Judge<'_> {
    pub(super) fn list(
        &self,
        each: Option<&Arc<Validator>>,
        length: &Bounds,
        at: LocatedValue<'_>,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let elements = match at.value.content() {
            Content::Sequence(elements) => elements,
            Content::Unknown(_) => return Outcome::unknown(path, at.value, span),
            _ => return Outcome::failed(path, show::found(at), span),
        };
        let mut outcome = counted(length, at, path, span);
        for (index, element) in elements.iter().enumerate() {
            let Some(each) = each else { break };
            outcome.add(self.element(each, element, index, at, path));
        }
        outcome
    }

    /// An element, with the one of the same index as its value before.
    fn element(
        &self,
        each: &Validator,
        element: &Value,
        index: usize,
        at: LocatedValue<'_>,
        path: &Path,
    ) -> Outcome {
        let prior = step(at.around.prior, &Step::index(index));
        let around = Around { prior: &prior, ..at.around };
        let path = inside(path, Step::index(index));
        self.judge(each, LocatedValue { around, ..at.of(element) }, &path)
    }

    pub(super) fn tuple(
        &self,
        all: &[Arc<Validator>],
        at: LocatedValue<'_>,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let length = Number::from_u64(all.len() as u64);
        let length = Bounds { min: Some(length.clone()), max: Some(length) };
        let mut outcome = self.list(None, &length, at, path, span);
        if outcome.is_pass() {
            let elements = at.value.as_sequence().unwrap_or_default();
            for (index, (each, element)) in all.iter().zip(elements).enumerate() {
                outcome.add(self.element(each, element, index, at, path));
            }
        }
        outcome
    }

    pub(super) fn some(
        &self,
        inner: &Validator,
        at: LocatedValue<'_>,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let Some(elements) = ops::elements(at.value) else {
            return if at.value.is_known() {
                Outcome::failed(path, show::found(at), span)
            } else {
                Outcome::unknown(path, at.value, span)
            };
        };
        let unknown = Value::unknown(Type::Dynamic);
        let around = Around { prior: &unknown, ..at.around };
        let mut doubts = Vec::new();
        for (index, (_, element)) in elements.enumerate() {
            let path = inside(path, Step::index(index));
            let outcome = self.judge(inner, LocatedValue { around, ..at.of(element) }, &path);
            if outcome.is_pass() {
                return Outcome::PASS;
            }
            if !outcome.is_fail() {
                super::outcome::keep_some(&mut doubts, outcome.doubts);
            }
        }
        if doubts.is_empty() {
            return Outcome::failed(path, show::found(at), span);
        }
        Outcome { violations: Vec::new(), doubts }
    }

    pub(super) fn map(
        &self,
        each: Option<&Arc<Validator>>,
        keys: Option<&Arc<Validator>>,
        length: &Bounds,
        at: LocatedValue<'_>,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let elements = match at.value.content() {
            Content::Mapping(elements) => elements,
            Content::Unknown(_) => return Outcome::unknown(path, at.value, span),
            _ => return Outcome::failed(path, show::found(at), span),
        };
        let mut outcome = counted(length, at, path, span);
        for (key, element) in elements.iter() {
            let path = inside(path, Step::Index(Value::string(key)));
            if let Some(keys) = keys {
                let key = Value::string(key);
                outcome.add(self.judge(keys, LocatedValue { value: &key, ..at }, &path));
            }
            if let Some(each) = each {
                let prior = step(at.around.prior, &Step::Attribute(key.clone()));
                let around = Around { prior: &prior, ..at.around };
                outcome.add(self.judge(each, LocatedValue { around, ..at.of(element) }, &path));
            }
        }
        outcome
    }

    pub(super) fn object(
        &self,
        members: &[Member],
        is_closed: bool,
        at: LocatedValue<'_>,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let elements = match at.value.content() {
            Content::Mapping(elements) => elements,
            Content::Unknown(_) => return Outcome::unknown(path, at.value, span),
            _ => return Outcome::failed(path, show::found(at), span),
        };
        let mut outcome = self.members(members, at, path);
        if is_closed {
            let is_known = |name: &SmolStr| members.iter().any(|it| it.name == *name);
            for (name, value) in elements.iter().filter(|it| !is_known(it.0)) {
                let path = inside(path, Step::Attribute(name.clone()));
                // A null member of an object is one that was not written.
                if value.is_null() {
                    continue;
                }
                outcome.add(if value.is_known() || super::is_not_null(value) {
                    Outcome::failed(&path, "a member that is not allowed".to_owned(), span)
                } else {
                    Outcome::unknown(&path, value, span)
                });
            }
        }
        outcome
    }

    /// The members of a known object; one that is not there is null.
    pub(in crate::policy) fn members(
        &self,
        members: &[Member],
        at: LocatedValue<'_>,
        path: &Path,
    ) -> Outcome {
        let absent = Value::null(Type::Dynamic);
        let Some(elements) = at.value.as_mapping() else { return Outcome::PASS };
        let full = self.with_defaults(members, elements, at);
        let parent = full.as_ref().unwrap_or(at.value);
        let mut outcome = Outcome::PASS;
        for member in members {
            let step_in = Step::Attribute(member.name.clone());
            let prior = step(at.around.prior, &step_in);
            let around = Around { prior: &prior, parent, ..at.around };
            let value = elements.get(&member.name).unwrap_or(&absent);
            let place = LocatedValue { around, ..at.of(value) };
            outcome.add(self.judge(&member.validator, place, &inside(path, step_in)));
        }
        outcome
    }

    /// The object with what members that were left out count as; `None` where that is the object itself.
    pub(in crate::policy) fn with_defaults(
        &self,
        members: &[Member],
        elements: &BTreeMap<SmolStr, Value>,
        at: LocatedValue<'_>,
    ) -> Option<Value> {
        let mut full: Option<BTreeMap<SmolStr, Value>> = None;
        for member in members {
            let Valid::Optional(_, Some(fallback)) = &member.validator.kind else { continue };
            let written = elements.get(&member.name);
            let value = match written {
                None => self.fallback(fallback, inner(at)),
                Some(it) if it.is_null() => self.fallback(fallback, inner(at)),
                // It may yet be null, and so the default.
                Some(it) if !it.is_known() && !super::is_not_null(it) => {
                    Value::unknown(Type::Dynamic).with_marks(it.marks())
                }
                Some(_) => continue,
            };
            full.get_or_insert_with(|| elements.clone()).insert(member.name.clone(), value);
        }
        Some(Value::object(full?).with_marks(at.value.marks()))
    }
}

/// As seen from a member: the object is what is around.
fn inner(at: LocatedValue<'_>) -> LocatedValue<'_> {
    LocatedValue { around: Around { parent: at.value, ..at.around }, ..at }
}

/// What was there before, in a place inside.
pub(in crate::policy) fn step(prior: &Value, step: &Step) -> Value {
    let marks = prior.marks();
    let inside = match (prior.content(), step) {
        (Content::Unknown(_), _) => return Value::unknown(Type::Dynamic).with_marks(marks),
        (Content::Mapping(all), Step::Attribute(name)) => all.get(name).cloned(),
        (Content::Sequence(all), Step::Index(index)) => {
            let index = index.as_number().and_then(Number::to_u64);
            index.and_then(|it| all.get(usize::try_from(it).ok()?).cloned())
        }
        _ => None,
    };
    inside.unwrap_or_else(|| Value::null(Type::Dynamic)).with_marks(marks)
}

/// Whether the number of elements is within the bounds.
fn counted(bounds: &Bounds, at: LocatedValue<'_>, path: &Path, span: Span) -> Outcome {
    if bounds.min.is_none() && bounds.max.is_none() {
        return Outcome::PASS;
    }
    let length = ops::length(at.value);
    let Some(number) = length.as_ref().and_then(Value::as_number) else {
        return Outcome::unknown(path, at.value, span);
    };
    if bounds.hold(number) {
        return Outcome::PASS;
    }
    let elements = if number.to_u64() == Some(1) { "element" } else { "elements" };
    Outcome::failed(path, format!("{} {elements}", number.to_decimal()), span)
}

impl Bounds {
    pub(super) fn hold(&self, number: &Number) -> bool {
        self.min.as_ref().is_none_or(|it| it.compare(number).is_le())
            && self.max.as_ref().is_none_or(|it| it.compare(number).is_ge())
    }
}
