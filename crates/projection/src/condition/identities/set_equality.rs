//! `setunion([…], x) == toset([…])`: an equation of sets as a condition on their elements.

use crate::{
    condition::{
        context::Context,
        expressions,
        membership::is_in,
        quantifiers::{self, Elements},
        symbolic::{Cases, Place, Sequence, Term, Truth},
    },
    sets::Reason,
};
use diagnostics::Span;
use tf_value::{Type, Value};

/// `left == right`, one of them computed: `setunion([…], x) == toset([…])` and
/// `setintersection(x, […]) == x` say that every element of x is in the list.
pub fn truth<'m>(left: &Term<'m>, right: &Term<'m>, span: Span, context: &Context<'m>) -> Truth {
    let told = |one, other| union(one, other).or_else(|| intersection(one, other));
    let Some((source, among)) = told(left, right).or_else(|| told(right, left)) else {
        return Truth::unknown(Reason::ComparisonOfLists, span);
    };
    let elements = expressions::elements(&source, context, span, &|element, _| {
        Elements::one(is_in(element, &among, span, context))
    });
    // A null element is not in the list, but it is not an error.
    let mut truth = quantifiers::all(elements);
    truth.when_false = truth.when_false.losing(Reason::NullElement, span);
    truth
}

/// The operands of a union that is compared with a constant: the computed one, and the constant.
fn union<'m>(left: &Term<'m>, right: &Term<'m>) -> Option<(Cases<'m>, Vec<Value>)> {
    let Sequence::Joined(parts) = inner(left)? else { return None };
    let (source, constant) = match parts.as_slice() {
        [one, other] if one.as_constant().is_some() => (other, one.as_constant()?),
        [one, other] => (one, other.as_constant()?),
        _ => return None,
    };
    let among = texts(constant)?;
    let Term::Constant(all) = right else { return None };
    let all = Some(all).filter(|it| matches!(it.ty(), Type::Set(_))).and_then(texts)?;
    let same = among.iter().all(|it| all.contains(it)) && all.iter().all(|it| among.contains(it));
    (same && source.list.iter().all(|(_, it)| of_strings(it))).then(|| (source.clone(), among))
}

/// The source of an intersection with constants that is compared with the source, and the constants.
fn intersection<'m>(left: &Term<'m>, right: &Term<'m>) -> Option<(Cases<'m>, Vec<Value>)> {
    let Sequence::Filtered { source, among, kept: true, .. } = inner(left)? else { return None };
    let [(_, term)] = source.list.as_slice() else { return None };
    (same_set(term, right)?).then(|| (source.clone(), among.clone()))
}

/// Whether the second term is the first one as a set.
fn same_set(source: &Term<'_>, other: &Term<'_>) -> Option<bool> {
    let of_source: &Place = place(source)?;
    Some(match other {
        Term::Place(other) => matches!(other.ty, Type::Set(_)) && of_source == other,
        other => {
            let Term::Sequence(it) = other else { return None };
            let Sequence::Distinct(inner, _) = &**it else { return None };
            let [(_, inner)] = inner.list.as_slice() else { return None };
            of_source == place(inner)?
        }
    })
}

fn place<'t>(term: &'t Term<'_>) -> Option<&'t Place> {
    if let Term::Place(place) = term { Some(place) } else { None }
}

fn inner<'t, 'm>(term: &'t Term<'m>) -> Option<&'t Sequence<'m>> {
    let Term::Sequence(it) = term else { return None };
    let Sequence::Distinct(it, _) = &**it else { return None };
    let [(_, Term::Sequence(it))] = it.list.as_slice() else { return None };
    Some(it)
}

fn texts(value: &Value) -> Option<Vec<Value>> {
    let values = value.as_sequence()?;
    values.iter().all(|it| it.as_str().is_some()).then(|| values.to_vec())
}

fn of_strings(term: &Term<'_>) -> bool {
    match term {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
        Term::Constant(value) => texts(value).is_some(),
        _ => false,
    }
}
