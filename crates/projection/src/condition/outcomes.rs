//! The inputs for which values evaluate, fail, or are null.
//!
//! A computed list evaluates where each of its elements does; the reader visits them to find out.

use super::{
    context::Context,
    expressions,
    quantifiers::{self, Elements},
    symbolic::{Cases, Known, Nulls, Once, Sequence, Term, Truth},
};
use crate::sets::Extent;
use diagnostics::Span;
use tf_value::Type;

/// The inputs for which the value evaluates.
pub fn defined<'m>(cases: &Cases<'m>, context: &Context<'m>) -> Extent {
    Extent::any(cases.list.iter().map(|(guard, it)| guard.clone().and(is_there(it, context))))
}

/// The inputs for which the value fails.
pub fn failing<'m>(cases: &Cases<'m>, context: &Context<'m>) -> Extent {
    let inner = cases.list.iter().map(|(guard, it)| guard.clone().and(fails(it, context)));
    cases.error.clone().or(Extent::any(inner))
}

/// Restricts cases to where the other parts of the whole evaluate: `{ a = 1, b = var.x.y }.a` fails with `b`.
pub fn beside<'c, 'm: 'c>(
    mut cases: Cases<'m>,
    others: impl Iterator<Item = &'c Cases<'m>>,
    context: &Context<'m>,
) -> Cases<'m> {
    for other in others {
        let failing = failing(other, context);
        if failing.is_nothing() {
            continue;
        }
        let defined = defined(other, context);
        for (guard, _) in &mut cases.list {
            *guard = guard.clone().and(defined.clone());
        }
        cases.error = cases.error.or(failing);
    }
    cases
}

/// The inputs for which the term evaluates.
fn is_there<'m>(term: &Term<'m>, context: &Context<'m>) -> Extent {
    match term {
        Term::Place(place) => place.reachable(),
        Term::Bool(truth) | Term::Tally(truth) => truth.defined(),
        Term::Matches(_, place)
        | Term::Parts(_, place)
        | Term::Floor(place)
        | Term::Modulo(place, _) => place.not_null(),
        Term::Constant(_) | Term::Unknown(_, _, Some(_)) => Extent::everything(),
        Term::Unknown(reason, span, None) => Extent::unknown(reason.clone(), *span),
        Term::Count(inner) => match &**inner {
            Term::Place(place) if place.ty == Type::Dynamic => place.counted().0,
            Term::Place(place) | Term::Parts(_, place) | Term::Matches(_, place) => {
                place.not_null()
            }
            // A conversion of null evaluates, and null has no length.
            inner @ (Term::Sequence(_) | Term::Object(_)) => runs(inner, context).clean,
            inner => is_there(inner, context),
        },
        Term::Shifted(inner, _) => is_there(inner, context),
        Term::Sequence(_) | Term::Object(_) => match passes_null(term) {
            Some((defined, _)) => defined,
            None => runs(term, context).clean,
        },
        Term::Sum(parts) => Extent::all(parts.iter().map(Truth::defined)),
        Term::Total(parts) => Extent::all(parts.iter().map(|it| is_there(it, context))),
    }
}

/// The inputs for which the term fails.
fn fails<'m>(term: &Term<'m>, context: &Context<'m>) -> Extent {
    match term {
        Term::Place(place) => place.failing(),
        Term::Bool(truth) | Term::Tally(truth) => truth.error.clone(),
        Term::Matches(_, place)
        | Term::Parts(_, place)
        | Term::Floor(place)
        | Term::Modulo(place, _) => place.failing().or(place.null()),
        Term::Constant(_) | Term::Unknown(_, _, Some(_)) => Extent::nothing(),
        Term::Unknown(reason, span, None) => Extent::unknown(reason.clone(), *span),
        Term::Count(inner) => match &**inner {
            Term::Place(place) if place.ty == Type::Dynamic => place.counted().1,
            Term::Place(place) | Term::Parts(_, place) | Term::Matches(_, place) => {
                place.failing().or(place.null())
            }
            inner @ (Term::Sequence(_) | Term::Object(_)) => runs(inner, context).error,
            inner => fails(inner, context),
        },
        Term::Shifted(inner, _) => fails(inner, context),
        Term::Sequence(_) | Term::Object(_) => match passes_null(term) {
            Some((_, failing)) => failing,
            None => runs(term, context).error,
        },
        Term::Sum(parts) => Extent::any(parts.iter().map(|it| it.error.clone())),
        Term::Total(parts) => Extent::any(parts.iter().map(|it| fails(it, context))),
    }
}

/// Whether the elements evaluate.
pub fn runs<'m>(term: &Term<'m>, context: &Context<'m>) -> Elements {
    expressions::elements(&Cases::one(term.clone()), context, Span::default(), &|value, _| {
        present(value, context)
    })
}

/// Asks of an element only whether it evaluates.
fn present<'m>(value: &Cases<'m>, context: &Context<'m>) -> Elements {
    let (when_false, error) = (defined(value, context), failing(value, context));
    Elements::one(Truth { when_false, error, ..Truth::never() })
}

/// Whether there is no element.
pub fn is_empty<'m>(source: &Cases<'m>, context: &Context<'m>, span: Span) -> Truth {
    if let [(guard, Term::Place(place))] = source.list.as_slice() {
        let empty = place.emptiness(true);
        let when_false = place.emptiness(false);
        let error = place.null().or(place.failing()).or(source.error.clone());
        let truth = Truth {
            when_true: guard.clone().and(empty),
            when_false: guard.clone().and(when_false),
            error,
            ..Truth::never()
        };
        if place.ty.is_collection() {
            return truth;
        }
    }
    quantifiers::all(expressions::elements(source, context, span, &|value, _| {
        present(value, context)
    }))
}

/// The inputs for which the value is null.
pub fn null(term: &Term<'_>) -> Extent {
    match term {
        Term::Constant(value) if value.is_null() => Extent::everything(),
        Term::Place(place) => place.null(),
        Term::Bool(truth) => truth.null.clone(),
        Term::Unknown(reason, span, None | Some(Known { null: true, .. })) => {
            Extent::unknown(reason.clone(), *span)
        }
        Term::Sequence(it) => match &**it {
            Sequence::Elements(place, Nulls::Stay) => place.null(),
            Sequence::Distinct(source, Once::Converted) => {
                let each = source.list.iter().map(|(guard, it)| guard.clone().and(null(it)));
                Extent::any(each)
            }
            _ => Extent::nothing(),
        },
        _ => Extent::nothing(),
    }
}

/// The inputs for which a conversion of a place that may be null evaluates, and those for which it fails.
pub fn passes_null(term: &Term<'_>) -> Option<(Extent, Extent)> {
    let Term::Sequence(it) = term else { return None };
    let place = match &**it {
        Sequence::Elements(place, Nulls::Stay) => place,
        Sequence::Distinct(source, Once::Converted) => match source.list.as_slice() {
            [(guard, Term::Place(place))]
                if *guard == Extent::everything() && source.error.is_nothing() =>
            {
                place
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((place.reachable(), place.failing()))
}

/// The inputs for which there is a value other than null.
pub fn there<'m>(term: &Term<'m>, context: &Context<'m>) -> Extent {
    match term {
        Term::Constant(value) if value.is_null() => Extent::nothing(),
        Term::Place(place) => place.not_null(),
        Term::Bool(truth) => truth.when_true.clone().or(truth.when_false.clone()),
        Term::Unknown(reason, span, Some(Known { null: true, .. })) => {
            Extent::unknown(reason.clone(), *span)
        }
        // A conversion of null, which is null, has no element to ask.
        Term::Sequence(_) => runs(term, context).clean,
        term => is_there(term, context),
    }
}
