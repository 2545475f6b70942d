//! Judges lists, maps and objects: each element, and their number.

use std::{collections::BTreeMap, sync::Arc};

use super::{Around, LocatedValue, ValueJudge, outcome::Outcome, trail, trail::Trail};
use crate::language::{Bounds, MemberValidator, Valid, Validator};
use diagnostics::Span;
use smol_str::SmolStr;
use tf_value::{Number, Type, Value, ValueContent, ops};

impl ValueJudge<'_> {
    pub(super) fn list(
        &self,
        each: Option<&Arc<Validator>>,
        length: &Bounds,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let ValueContent::Sequence(elements) = at.value.content() else {
            return of_other_kind(at, trail, span);
        };
        let mut outcome = counted(length, at, trail, span);
        for (index, element) in elements.iter().enumerate() {
            let Some(each) = each else { break };
            outcome.add(self.element(each, element, index, at, trail));
        }
        outcome
    }

    /// Judges an element; its value before is the element of the same index.
    fn element(
        &self,
        each: &Validator,
        element: &Value,
        index: usize,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        let prior = element_of(at.around.prior, index);
        let around = Around { prior: &prior, ..at.around };
        let trail = trail.element(index);
        self.judge(each, LocatedValue { around, ..at.of(element) }, &trail)
    }

    pub(super) fn tuple(
        &self,
        all: &[Arc<Validator>],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let length = Number::from_u64(all.len() as u64);
        let length = Bounds { min: Some(length.clone()), max: Some(length) };
        let mut outcome = self.list(None, &length, at, trail, span);
        if outcome.is_pass() {
            let elements = at.value.as_sequence().unwrap_or_default();
            for (index, (each, element)) in all.iter().zip(elements).enumerate() {
                outcome.add(self.element(each, element, index, at, trail));
            }
        }
        outcome
    }

    pub(super) fn some(
        &self,
        inner: &Validator,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let Some(elements) = ops::elements(at.value) else {
            return of_other_kind(at, trail, span);
        };
        let unknown = Value::unknown(Type::Dynamic);
        let around = Around { prior: &unknown, ..at.around };
        let (mut doubts, mut is_broken) = (Vec::new(), false);
        for (index, (_, element)) in elements.enumerate() {
            let trail = trail.element(index);
            let outcome = self.judge(inner, LocatedValue { around, ..at.of(element) }, &trail);
            if outcome.is_pass() {
                return Outcome::PASS;
            }
            if outcome.is_fail() {
                is_broken |= outcome.is_broken();
            } else {
                super::outcome::keep_some(&mut doubts, outcome.doubts);
            }
        }
        if doubts.is_empty() {
            return Outcome::failed(trail, trail::found(at), span).broken_if(is_broken);
        }
        Outcome { violations: Vec::new(), doubts }
    }

    pub(super) fn map(
        &self,
        each: Option<&Arc<Validator>>,
        keys: Option<&Arc<Validator>>,
        length: &Bounds,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let ValueContent::Mapping(elements) = at.value.content() else {
            return of_other_kind(at, trail, span);
        };
        let mut outcome = counted(length, at, trail, span);
        for (key, element) in elements.iter() {
            let trail = trail.key(key);
            if let Some(keys) = keys {
                // The keys of a sensitive map are as sensitive as it is.
                let key = Value::string(key).with_marks(at.value.marks());
                outcome.add(self.judge(keys, at.of(&key), &trail));
            }
            if let Some(each) = each {
                let prior = member_of(at.around.prior, key);
                let around = Around { prior: &prior, ..at.around };
                outcome.add(self.judge(each, LocatedValue { around, ..at.of(element) }, &trail));
            }
        }
        outcome
    }

    pub(super) fn object(
        &self,
        members: &[MemberValidator],
        is_closed: bool,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let ValueContent::Mapping(elements) = at.value.content() else {
            return of_other_kind(at, trail, span);
        };
        let mut outcome = self.members(members, at, trail);
        if is_closed {
            let is_known = |name: &SmolStr| members.iter().any(|it| it.name == *name);
            for (name, value) in elements.iter().filter(|it| !is_known(it.0)) {
                let trail = trail.attribute(name);
                // A null member of an object is one that was not written.
                if value.is_null() {
                    continue;
                }
                outcome.add(if value.is_known() || super::is_not_null(value) {
                    Outcome::failed(&trail, "a member that is not allowed".to_owned(), span)
                } else {
                    Outcome::unknown(&trail, value, span)
                });
            }
        }
        outcome
    }

    /// Judges the members of a known object; a missing member is null.
    pub(crate) fn members(
        &self,
        members: &[MemberValidator],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        self.members_or(members, at, trail, &mut |_| true)
    }

    /// Like [`ValueJudge::members`], but asks for each missing member whether it is judged as null.
    pub(crate) fn members_or(
        &self,
        members: &[MemberValidator],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        counts_as_null: &mut dyn FnMut(&MemberValidator) -> bool,
    ) -> Outcome {
        let absent = Value::null(Type::Dynamic);
        let Some(elements) = at.value.as_mapping() else { return Outcome::PASS };
        let full = at.around.is_asked.then(|| self.with_defaults(members, elements, at)).flatten();
        let parent = full.as_ref().unwrap_or(at.value);
        let mut outcome = Outcome::PASS;
        for member in members {
            let found = elements.get(&member.name);
            if found.is_none() && !counts_as_null(member) {
                continue;
            }
            let value = found.unwrap_or(&absent);
            let prior = member_of(at.around.prior, &member.name);
            let around = Around { prior: &prior, parent, ..at.around };
            let place = LocatedValue { around, ..at.of(value) };
            outcome.add(self.judge(&member.validator, place, &trail.attribute(&member.name)));
        }
        outcome
    }

    /// The object in which null or missing members have their defaults (`optional(V, DEFAULT)`); `None` if it
    /// has none of these.
    pub(crate) fn with_defaults(
        &self,
        members: &[MemberValidator],
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
                // The value may turn out to be null, and so to be the default.
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

/// The place as seen from a member: its `parent` is this object.
fn inner(at: LocatedValue<'_>) -> LocatedValue<'_> {
    LocatedValue { around: Around { parent: at.value, ..at.around }, ..at }
}

/// A member of the value before.
pub fn member_of(prior: &Value, name: &SmolStr) -> Value {
    inside(prior, prior.as_mapping().and_then(|it| it.get(name)))
}

/// An element of the value before.
pub fn element_of(prior: &Value, index: usize) -> Value {
    inside(prior, prior.as_sequence().and_then(|it| it.get(index)))
}

/// A part of the value before, with its marks: unknown if that is unknown, null if it has no such part.
fn inside(prior: &Value, found: Option<&Value>) -> Value {
    let inside = match found {
        Some(it) => it.clone(),
        None if prior.is_known() => Value::null(Type::Dynamic),
        None => Value::unknown(Type::Dynamic),
    };
    inside.with_marks(prior.marks())
}

/// The outcome of a value that is not of the kind that is asked for.
fn of_other_kind(at: LocatedValue<'_>, trail: &Trail<'_>, span: Span) -> Outcome {
    if at.value.is_known() {
        Outcome::failed(trail, trail::found(at), span)
    } else {
        Outcome::unknown(trail, at.value, span)
    }
}

/// Whether the number of elements is within the bounds.
fn counted(bounds: &Bounds, at: LocatedValue<'_>, trail: &Trail<'_>, span: Span) -> Outcome {
    if bounds.min.is_none() && bounds.max.is_none() {
        return Outcome::PASS;
    }
    let length = ops::length(at.value);
    let Some(number) = length.as_ref().and_then(Value::as_number) else {
        return Outcome::unknown(trail, at.value, span);
    };
    if bounds.hold(number) {
        return Outcome::PASS;
    }
    if at.is_hidden || at.value.marks().is_hidden() {
        return Outcome::failed(trail, "a sensitive number of elements".to_owned(), span);
    }
    let elements = if number.to_u64() == Some(1) { "element" } else { "elements" };
    Outcome::failed(trail, format!("{} {elements}", number.to_decimal()), span)
}

impl Bounds {
    pub(super) fn hold(&self, number: &Number) -> bool {
        self.min.as_ref().is_none_or(|it| it.compare(number).is_le())
            && self.max.as_ref().is_none_or(|it| it.compare(number).is_ge())
    }
}
