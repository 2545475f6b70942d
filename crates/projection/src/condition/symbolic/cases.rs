//! Operations on cases that do not depend on their terms.

use super::{
    term::{Cases, Known, Sequence, Term},
    truth::Truth,
};
use crate::sets::{Extent, Reason};
use diagnostics::Span;
use tf_value::Value;

impl<'m> Cases<'m> {
    pub fn one(term: Term<'m>) -> Cases<'m> {
        Cases { list: vec![(Extent::everything(), term)], error: Extent::nothing() }
    }

    pub fn constant(value: Value) -> Cases<'m> {
        Cases::one(Term::Constant(value))
    }

    pub fn failure() -> Cases<'m> {
        Cases { list: Vec::new(), error: Extent::everything() }
    }

    pub fn unknown(reason: Reason, span: Span) -> Cases<'m> {
        Cases::one(Term::Unknown(reason, span, None))
    }

    /// A value that is unknown except for its type and its presence: where it evaluates and where it fails.
    pub fn opaque(ok: Extent, error: Extent, known: Known) -> Cases<'m> {
        let term = Term::Unknown(Reason::Result, Span::default(), Some(known));
        Cases { list: vec![(ok, term)], error }
    }

    /// The constant, when it is one in every case.
    pub fn as_constant(&self) -> Option<&Value> {
        match self.list.as_slice() {
            [(_, Term::Constant(value))] if self.error.is_nothing() => Some(value),
            _ => None,
        }
    }

    /// Replaces the term of each case.
    pub fn map(&self, each: impl Fn(&Term<'m>) -> Cases<'m>) -> Cases<'m> {
        let mut out = Cases { list: Vec::new(), error: self.error.clone() };
        for (guard, term) in &self.list {
            out.add(guard, each(term));
        }
        out
    }

    /// Adds cases that hold under the guard.
    pub fn add(&mut self, guard: &Extent, cases: Cases<'m>) {
        for (inner, term) in cases.list {
            let both = guard.clone().and(inner);
            if !both.is_nothing() {
                self.list.push((both, term));
            }
        }
        self.error = self.error.clone().or(guard.clone().and(cases.error));
    }

    /// The conditions that `condition ? 1 : 0` counts, or a sum of those.
    pub fn summands(&self) -> Option<Vec<Truth>> {
        if let [(_, Term::Sum(parts))] = self.list.as_slice()
            && self.error.is_nothing()
        {
            return Some(parts.to_vec());
        }
        let mut out = Truth { error: self.error.clone(), ..Truth::never() };
        for (guard, term) in &self.list {
            let Term::Constant(value) = term else { return None };
            let set = match value.as_number()?.to_i64()? {
                0 => &mut out.when_false,
                1 => &mut out.when_true,
                _ => return None,
            };
            *set = set.clone().or(guard.clone());
        }
        Some(vec![out])
    }
}

impl<'m> Sequence<'m> {
    /// Elements with their indexes.
    pub fn written(elements: Vec<Cases<'m>>) -> Sequence<'m> {
        let keyed = elements.into_iter().zip(0_i64..).map(|(it, index)| (Value::int(index), it));
        Sequence::Written(keyed.collect())
    }
}
