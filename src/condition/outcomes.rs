//! Where values evaluate, and where they fail.

use super::{
    context::Context,
    sequences,
    symbolic::{Cases, Term, Truth},
    types,
};
use crate::{sets::Extent, value::Type};

impl<'m> Cases<'m> {
    /// The same where others evaluate, too: parts of what it is taken from.
    pub fn beside<'c>(
        mut self,
        others: impl Iterator<Item = &'c Cases<'m>>,
        context: &Context<'m>,
    ) -> Cases<'m>
    where
        'm: 'c,
    {
        for other in others {
            let failing = other.failing(context);
            if failing.is_nothing() {
                continue;
            }
            let defined = other.defined(context);
            for (guard, _) in &mut self.list {
                *guard = guard.clone().and(defined.clone());
            }
            self.error = self.error.or(failing);
        }
        self
    }

    /// Where it evaluates.
    pub fn defined(&self, context: &Context<'m>) -> Extent {
        Extent::any(self.list.iter().map(|(guard, it)| guard.clone().and(it.defined(context))))
    }

    /// Where it fails.
    pub fn failing(&self, context: &Context<'m>) -> Extent {
        let inner = self.list.iter().map(|(guard, it)| guard.clone().and(it.failing(context)));
        self.error.clone().or(Extent::any(inner))
    }
}

impl<'m> Term<'m> {
    fn defined(&self, context: &Context<'m>) -> Extent {
        match self {
            Term::Place(place) => place.reachable(),
            Term::Bool(truth) => truth.defined(),
            Term::Matches(_, place)
            | Term::Parts(_, place)
            | Term::Floor(place)
            | Term::Modulo(place, _) => place.not_null(),
            Term::Constant(_) | Term::Unknown(_, _, Some(_)) => Extent::everything(),
            Term::Unknown(reason, span, None) => Extent::unknown(&**reason, *span),
            Term::Count(inner) => match &**inner {
                Term::Place(place) if place.ty == Type::Dynamic => place.counted().0,
                Term::Place(place) | Term::Parts(_, place) | Term::Matches(_, place) => {
                    place.not_null()
                }
                inner => inner.defined(context),
            },
            Term::Shifted(inner, _) => inner.defined(context),
            Term::Sequence(_) | Term::Object(_) => match types::passes_null(self) {
                Some((defined, _)) => defined,
                None => sequences::runs(self, context).clean,
            },
            Term::Sum(parts) => Extent::all(parts.iter().map(Truth::defined)),
            Term::Total(parts) => Extent::all(parts.iter().map(|it| it.defined(context))),
        }
    }

    fn failing(&self, context: &Context<'m>) -> Extent {
        match self {
            Term::Place(place) => place.failing(),
            Term::Bool(truth) => truth.error.clone(),
            Term::Matches(_, place)
            | Term::Parts(_, place)
            | Term::Floor(place)
            | Term::Modulo(place, _) => place.failing().or(place.null()),
            Term::Constant(_) | Term::Unknown(_, _, Some(_)) => Extent::nothing(),
            Term::Unknown(reason, span, None) => Extent::unknown(&**reason, *span),
            Term::Count(inner) => match &**inner {
                Term::Place(place) if place.ty == Type::Dynamic => place.counted().1,
                Term::Place(place) | Term::Parts(_, place) | Term::Matches(_, place) => {
                    place.failing().or(place.null())
                }
                inner => inner.failing(context),
            },
            Term::Shifted(inner, _) => inner.failing(context),
            Term::Sequence(_) | Term::Object(_) => match types::passes_null(self) {
                Some((_, failing)) => failing,
                None => sequences::runs(self, context).error,
            },
            Term::Sum(parts) => Extent::any(parts.iter().map(|it| it.error.clone())),
            Term::Total(parts) => Extent::any(parts.iter().map(|it| it.failing(context))),
        }
    }
}
