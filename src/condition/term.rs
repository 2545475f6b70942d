//! What an expression stands for, by cases.

use std::rc::Rc;

use smol_str::SmolStr;

use super::{
    context::Context, place::Place, sequences, symbolic::names::Names, truth::Truth, types,
};
use crate::{
    diagnostic::Span,
    sets::{Extent, Root},
    syntax::{Expr, ForExpr},
    value::{Type, Value},
};

/// A value that is not known but told apart from others by what it is.
#[derive(Clone)]
pub enum Term<'m> {
    Constant(Value),
    /// The value at a place.
    Place(Place),
    Bool(Box<Truth>),
    Sequence(Rc<Sequence<'m>>),
    /// An object or map with known names.
    Object(Rc<Vec<(SmolStr, Cases<'m>)>>),
    /// `length(…)` of a sequence or place.
    Count(Box<Term<'m>>),
    /// A length and so many more.
    Shifted(Box<Term<'m>>, i64),
    /// `regexall(pattern, place)`
    Matches(String, Place),
    /// `split(separator, place)`
    Parts(String, Place),
    Floor(Place),
    Modulo(Place, u64),
    /// How many of these are true: a sum of `? 1 : 0`.
    Sum(Rc<Vec<Truth>>),
    /// A sum of lengths.
    Total(Rc<Vec<Term<'m>>>),
    /// What it is is not known, for this reason. Where something is known of it, it evaluates.
    Unknown(Rc<str>, Span, Option<Known>),
}

/// What is known of a value that is there.
#[derive(Clone, Debug)]
pub struct Known {
    pub ty: Type,
    /// Whether it may be null.
    pub null: bool,
}

/// What a `for`, `alltrue` or `length` goes through.
pub enum Sequence<'m> {
    /// The elements of a list, set or map.
    Elements(Place, Nulls),
    /// The keys of a map.
    Keys(Place),
    /// Elements written one by one, with their keys.
    Written(Vec<(Value, Cases<'m>)>),
    /// A `for`, and the names where it stands: it is read when its elements are asked.
    For(Names<Cases<'m>>, &'m ForExpr),
    /// `source[*].…`
    Splat(Names<Cases<'m>>, Cases<'m>, &'m Expr),
    Flattened(Cases<'m>),
    Joined(Vec<Cases<'m>>),
    /// Elements that are, or are not, among constants.
    Filtered {
        source: Cases<'m>,
        among: Vec<Value>,
        kept: bool,
        span: Span,
    },
    /// Each element once: what is counted differs.
    Distinct(Cases<'m>, Once),
}

/// What becomes of a null in the place of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    Fail,
    /// A conversion leaves it as it is.
    Stay,
}

/// What has each element once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    List,
    Set,
    /// By `toset`.
    Converted,
}

/// Disjoint guards with a term each; where none holds, evaluation fails. Failures of a place are
/// the place's own, not in `error`.
#[derive(Clone)]
pub struct Cases<'m> {
    pub list: Vec<(Extent, Term<'m>)>,
    pub error: Extent,
}

/// Why the value of a function that only tells by failing is not known.
const RESULT: &str = "the result of a function";

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

    pub fn unknown(reason: impl AsRef<str>, span: Span) -> Cases<'m> {
        Cases::one(Term::Unknown(Rc::from(reason.as_ref()), span, None))
    }

    /// A value of which little more than its presence counts, with where it is and where it fails.
    pub fn opaque(ok: Extent, error: Extent, known: Known) -> Cases<'m> {
        let term = Term::Unknown(Rc::from(RESULT), Span::default(), Some(known));
        Cases { list: vec![(ok, term)], error }
    }

    /// The constant, when it is one in every case.
    pub fn as_constant(&self) -> Option<&Value> {
        match self.list.as_slice() {
            [(_, Term::Constant(value))] if self.error.is_nothing() => Some(value),
            _ => None,
        }
    }

    /// The same with another term in each case.
    pub fn map(&self, each: impl Fn(&Term<'m>) -> Cases<'m>) -> Cases<'m> {
        let mut out = Cases { list: Vec::new(), error: self.error.clone() };
        for (guard, term) in &self.list {
            out.add(guard, each(term));
        }
        out
    }

    /// Adds what holds under the guard.
    pub fn add(&mut self, guard: &Extent, cases: Cases<'m>) {
        for (inner, term) in cases.list {
            let both = guard.clone().and(inner);
            if !both.is_nothing() {
                self.list.push((both, term));
            }
        }
        self.error = self.error.clone().or(guard.clone().and(cases.error));
    }

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
    /// What the value at a place is part of.
    pub fn root(&self) -> Option<&Root> {
        if let Term::Place(place) = self { Some(&place.root) } else { None }
    }

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
