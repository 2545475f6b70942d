//! `ceil`, `floor`, `parseint`, `sum`.

use std::rc::Rc;

use super::{call::Call, string::seen};
use crate::condition::{
    identities::counts,
    outcomes,
    symbolic::{Cases, Term, views::View},
};
use tf_value::Type;

pub fn rounded<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    Some(it.map(|term| match term {
        Term::Place(place) if place.ty == Type::Number => Cases::one(Term::Floor(place.clone())),
        _ => call.untranslated(),
    }))
}

pub fn sum<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [list] = call.args else { return None };
    let [(_, term)] = list.list.as_slice() else { return None };
    let Some(parts) = counts::sum_of(term, call.context) else {
        let positive = counts::is_positive(list, call.span, call.context)?;
        return Some(Cases::one(Term::Tally(Box::new(positive))));
    };
    // The parts of an element may fail even if its summand does not.
    let runs = outcomes::runs(term, call.context);
    let mut out = Cases { list: Vec::new(), error: runs.error };
    out.add(&runs.clean, Cases::one(Term::Sum(Rc::new(parts))));
    Some(out)
}

pub fn parseint<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, base] = call.args else { return None };
    let base = base.as_constant()?.as_number()?.to_i64()?;
    (base == 10).then(|| it.map(|term| seen(View::Integer, term, call)))
}
