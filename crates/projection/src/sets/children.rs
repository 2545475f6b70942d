//! The constraints inside a constraint.

use super::ValueSet;

/// The constraints directly inside, shared or to be changed.
macro_rules! children {
    ($constraint:expr, $one:path, $none:expr) => {
        match $constraint {
            ValueSet::All(parts) | ValueSet::Either(parts) => parts,
            ValueSet::Not(inner)
            | ValueSet::Member { values: inner, .. }
            | ValueSet::Place { values: inner, .. }
            | ValueSet::Items(inner)
            | ValueSet::ItemsFrom(_, inner)
            | ValueSet::SomeItem(inner)
            | ValueSet::Count(_, inner)
            | ValueSet::Values(inner)
            | ValueSet::Keys(inner)
            | ValueSet::ValuesBeside(_, inner)
            | ValueSet::ValuesMatching(_, inner) => $one(inner),
            ValueSet::Anything
            | ValueSet::Nothing
            | ValueSet::Kind(_)
            | ValueSet::OneOf(_)
            | ValueSet::Matches(_)
            | ValueSet::Range(_)
            | ValueSet::Length(..)
            | ValueSet::MultipleOf(_)
            | ValueSet::Unique => $none,
        }
    };
}

impl ValueSet {
    pub fn children(&self) -> &[ValueSet] {
        children!(self, std::slice::from_ref, &[])
    }

    pub fn children_mut(&mut self) -> &mut [ValueSet] {
        children!(self, std::slice::from_mut, &mut [])
    }

    /// The pattern of this constraint itself.
    fn pattern(&self) -> Option<&str> {
        match self {
            ValueSet::Matches(it) | ValueSet::ValuesMatching(it, _) => Some(it),
            _ => None,
        }
    }

    /// Adds every pattern in it.
    pub fn collect_patterns<'c>(&'c self, out: &mut Vec<&'c str>) {
        out.extend(self.pattern());
        self.children().iter().for_each(|it| it.collect_patterns(out));
    }
}
