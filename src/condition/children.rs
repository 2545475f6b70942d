//! What a constraint is made of.

use super::Constraint;

/// The constraints directly inside, shared or to be changed.
macro_rules! children {
    ($constraint:expr, $one:path, $none:expr) => {
        match $constraint {
            Constraint::All(parts) | Constraint::Either(parts) => parts,
            Constraint::Not(inner)
            | Constraint::Member { values: inner, .. }
            | Constraint::Place { values: inner, .. }
            | Constraint::Items(inner)
            | Constraint::SomeItem(inner)
            | Constraint::Count(_, inner)
            | Constraint::Values(inner)
            | Constraint::Keys(inner)
            | Constraint::ValuesBeside(_, inner)
            | Constraint::ValuesMatching(_, inner) => $one(inner),
            Constraint::Anything
            | Constraint::Nothing
            | Constraint::Kind(_)
            | Constraint::OneOf(_)
            | Constraint::Matches(_)
            | Constraint::Range(_)
            | Constraint::Length(..)
            | Constraint::MultipleOf(_)
            | Constraint::Unique => $none,
        }
    };
}

impl Constraint {
    pub fn children(&self) -> &[Constraint] {
        children!(self, std::slice::from_ref, &[])
    }

    pub fn children_mut(&mut self) -> &mut [Constraint] {
        children!(self, std::slice::from_mut, &mut [])
    }

    /// The pattern that stands in it itself.
    fn pattern(&self) -> Option<&str> {
        match self {
            Constraint::Matches(it) | Constraint::ValuesMatching(it, _) => Some(it),
            _ => None,
        }
    }

    /// Adds every pattern in it.
    pub fn collect_patterns<'c>(&'c self, out: &mut Vec<&'c str>) {
        out.extend(self.pattern());
        self.children().iter().for_each(|it| it.collect_patterns(out));
    }
}
