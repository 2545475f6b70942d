//! `sum([for x in list : P(x) ? 0 : 1]) OP number`: a sum over any number of elements, known only to be zero
//! or more.

use std::cell::Cell;

use super::{
    each_once::each_once,
    length_and_number::{Zero, zero},
};
use crate::{
    condition::{
        context::Context,
        expressions, outcomes,
        quantifiers::Elements,
        relation::Comparison,
        symbolic::{Cases, Place, Term, Truth},
    },
    sets::Reason,
};
use diagnostics::Span;
use tf_value::Number;

/// Whether the sum of a list of zeros and ones is above zero; `None` for a list of other elements. The sum of
/// an empty list is an error.
pub fn is_positive<'m>(list: &Cases<'m>, span: Span, context: &Context<'m>) -> Option<Truth> {
    if !list.list.iter().all(|(_, it)| it.is_list()) {
        return None;
    }
    let counted = Cell::new(true);
    let each = expressions::elements(list, context, span, &|value, _| {
        let part = value.summands().as_deref().and_then(|it| match it {
            [part] => Some(part.clone()),
            _ => None,
        });
        counted.set(counted.get() && part.is_some());
        Elements::one(part.unwrap_or_else(|| Truth::unknown(Reason::SumOfValues, span)))
    });
    if !counted.get() {
        return None;
    }
    let empty = match list.list.as_slice() {
        [(_, term)] if let Some(place) = collection(term, context) => {
            let [when_true, when_false] = [true, false].map(|it| place.emptiness(it));
            Truth { when_true, when_false, ..Truth::never() }
        }
        _ => outcomes::is_empty(list, context, span),
    };
    Some(Truth {
        when_true: each.some_true.and(each.clean),
        when_false: each.all_false.and(empty.when_false),
        error: each.error.or(empty.error).or(empty.when_true),
        ..Truth::never()
    })
}

/// The collection with one summand for each element.
fn collection<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Place> {
    each_once(term, context).filter(|it| it.ty.is_collection())
}

/// Compares such a sum with a number.
pub fn truth(comparison: Comparison<'_, '_>, positive: &Truth, number: &Number) -> Truth {
    let Comparison { op, span, .. } = comparison;
    let positive = positive.clone();
    match zero(op, number) {
        Zero::Only => positive.not(),
        Zero::AllBut => positive,
        Zero::Always => {
            Truth { when_true: positive.defined(), error: positive.error, ..Truth::never() }
        }
        Zero::Other => {
            let either = positive.defined().losing(Reason::Tally, span);
            let error = positive.error;
            Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() }
        }
    }
}
