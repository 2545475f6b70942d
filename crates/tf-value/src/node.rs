//! A node's summary of everything below it, which saves a walk.
//!
//! Values and types share their parts: a list of one list twice, forty times over, is forty nodes, and
//! more than a million millions unfolded. Each node computes its summary when it is made. So the work of
//! a walk is known before it begins, and a question about marks or unknowns needs no walk at all.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hasher},
    ops::Deref,
    sync::OnceLock,
};

use smol_str::SmolStr;

use super::{Marks, Type, Value, ValueContent};

/// The elements of a value, with a summary of everything in them.
#[derive(Clone, Debug)]
pub struct Elements<T> {
    inner: T,
    /// The approximate work of a walk over all of them, with shared parts unfolded.
    pub(super) size: u64,
    pub(super) marks: Marks,
    pub(super) is_known: bool,
}

impl<T> Elements<T> {
    fn empty(inner: T) -> Self {
        Elements { inner, size: 1, marks: Marks::NONE, is_known: true }
    }

    fn add(&mut self, key: u64, value: &Value) {
        self.size = self.size.saturating_add(key).saturating_add(value.content_size());
        self.marks |= value.deep_marks();
        self.is_known &= value.is_wholly_known();
    }
}

impl From<Vec<Value>> for Elements<Vec<Value>> {
    fn from(elements: Vec<Value>) -> Self {
        let mut summed = Elements::empty(());
        elements.iter().for_each(|it| summed.add(0, it));
        let Elements { size, marks, is_known, .. } = summed;
        Elements { inner: elements, size, marks, is_known }
    }
}

impl From<BTreeMap<SmolStr, Value>> for Elements<BTreeMap<SmolStr, Value>> {
    fn from(elements: BTreeMap<SmolStr, Value>) -> Self {
        let mut summed = Elements::empty(());
        elements.iter().for_each(|(key, it)| summed.add(1 + key.len() as u64 / 16, it));
        let Elements { size, marks, is_known, .. } = summed;
        Elements { inner: elements, size, marks, is_known }
    }
}

impl<T> Deref for Elements<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: PartialEq> PartialEq for Elements<T> {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

/// The summary of all types inside of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The number of types inside, with shared parts unfolded.
    pub(super) size: u64,
    pub(super) has_dynamic: bool,
    pub(super) has_optional: bool,
    hash: OnceLock<u64>,
}

impl Facts {
    pub(super) fn of<'a>(types: impl IntoIterator<Item = &'a Type>, has_optional: bool) -> Facts {
        let mut facts = Facts { has_optional, ..Facts::default() };
        for ty in types {
            facts.size = facts.size.saturating_add(ty.size());
            facts.has_dynamic |= ty.has_dynamic();
            facts.has_optional |= ty.has_optional();
        }
        facts
    }

    /// A hash that equal types share, computed once.
    pub(super) fn hash(&self, content: impl FnOnce(&mut DefaultHasher)) -> u64 {
        *self.hash.get_or_init(|| {
            let mut state = DefaultHasher::new();
            content(&mut state);
            state.finish()
        })
    }
}

/// The number of types that count as one unit, since comparing types is faster than walking values.
const TYPES_A_UNIT: u64 = 8;

impl Value {
    /// The approximate work of walking everything in the value and its type once: one unit for an
    /// element, one more for every sixteen bytes of text. A part that occurs twice counts twice, but is
    /// not walked: each node knows its size.
    pub fn size(&self) -> u64 {
        self.content_size().saturating_add(self.ty.size() / TYPES_A_UNIT)
    }

    /// Like [`Value::size`], without the type.
    pub(super) fn content_size(&self) -> u64 {
        match &self.content {
            ValueContent::String(it) => 1 + it.len() as u64 / 16,
            ValueContent::Number(it) => it.size(),
            ValueContent::Sequence(it) => it.size,
            ValueContent::Mapping(it) => it.size,
            _ => 1,
        }
    }
}
