//! Finds equal parts of a set without comparing each part with each.

use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::{HashMap, fast::RandomState};

use super::{Assignments, ConstraintRoot, ValueSet};
use stack::guarded;
use tf_value::{Value, ValueContent};

/// Below this number of parts each is compared with all others, which is faster.
pub(super) const FEW: usize = 16;

/// The most parts of a union or an intersection that are simplified pair by pair. Nobody reads more, and the
/// work would grow with the square of their number.
pub(super) const MANY: usize = 64;

/// The places of parts by what equal ones share. Nobody outside knows the seed, so nobody can write parts that only
/// seem equal.
#[derive(Debug, Default)]
pub(super) struct Places {
    places: HashMap<u64, Vec<usize>>,
    seed: RandomState,
}

impl Places {
    pub fn of(parts: &[ValueSet]) -> Places {
        let mut out = Places::default();
        parts.iter().enumerate().for_each(|(at, it)| out.add(it, at));
        out
    }

    pub fn add(&mut self, part: &impl Shared, at: usize) {
        self.places.entry(self.key(part)).or_default().push(at);
    }

    /// The places where an equal part may be.
    pub fn alike(&self, part: &impl Shared) -> &[usize] {
        self.places.get(&self.key(part)).map_or(&[], Vec::as_slice)
    }

    /// The number that equal parts share.
    fn key(&self, part: &impl Shared) -> u64 {
        let mut state = self.seed.build_hasher();
        part.feed(&mut state);
        state.finish()
    }
}

/// Something that gives a hasher only what equal ones have in common. `Hash` would have to say that of numbers
/// and types, too.
pub(super) trait Shared {
    fn feed(&self, state: &mut impl Hasher);
}

impl Shared for ValueSet {
    fn feed(&self, state: &mut impl Hasher) {
        std::mem::discriminant(self).hash(state);
        match self {
            ValueSet::OneOf(values) => {
                values.len().hash(state);
                values.iter().for_each(|it| it.feed(state));
            }
            ValueSet::Matches(pattern) | ValueSet::ValuesMatching(pattern, _) => {
                pattern.hash(state);
            }
            ValueSet::Range(range) => {
                for limit in [&range.lower, &range.upper] {
                    limit.is_some().hash(state);
                    let number = limit.as_ref().filter(|it| !it.value.is_zero());
                    number.map(|it| it.value.identity()).hash(state);
                }
            }
            ValueSet::Length(_, length) | ValueSet::Count(length, _) => {
                (length.min, length.max).hash(state);
            }
            ValueSet::MultipleOf(divisor) => divisor.hash(state),
            ValueSet::Member { name, required, .. } => (name, required).hash(state),
            ValueSet::Place { index, required, .. } => (index, required).hash(state),
            ValueSet::ItemsFrom(index, _) => index.hash(state),
            ValueSet::ValuesBeside(names, _) => names.hash(state),
            _ => (),
        }
        self.children().len().hash(state);
        guarded(|| self.children().iter().for_each(|it| it.feed(state)));
    }
}

impl Shared for Value {
    fn feed(&self, state: &mut impl Hasher) {
        match self.content() {
            ValueContent::String(it) => it.hash(state),
            ValueContent::Number(it) if !it.is_zero() => it.identity().hash(state),
            ValueContent::Bool(it) => it.hash(state),
            _ => (),
        }
    }
}

impl Shared for ConstraintRoot {
    fn feed(&self, state: &mut impl Hasher) {
        match self {
            ConstraintRoot::Variable(name) => name.hash(state),
            ConstraintRoot::Element(number) | ConstraintRoot::Key(number) => number.hash(state),
        }
    }
}

impl Shared for Assignments {
    fn feed(&self, state: &mut impl Hasher) {
        std::mem::discriminant(self).hash(state);
        match self {
            Assignments::At(root, null, values) => {
                root.feed(state);
                null.hash(state);
                values.feed(state);
            }
            Assignments::All(parts) | Assignments::Any(parts) => {
                parts.len().hash(state);
                guarded(|| parts.iter().for_each(|it| it.feed(state)));
            }
        }
    }
}
