//! `alltrue`, `anytrue`.

use super::call::Call;
use crate::condition::{
    expressions,
    quantifiers::{self, Elements},
    symbolic::{Cases, Term, Truth, as_condition},
};

pub fn alltrue<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    Some(whole(quantifiers::all(elements(call)?)))
}

pub fn anytrue<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    Some(whole(quantifiers::any(elements(call)?)))
}

fn elements(call: &Call<'_, '_>) -> Option<Elements> {
    let [source] = call.args else { return None };
    Some(expressions::elements(source, call.context, call.span, &|element, _| {
        Elements::one(as_condition::of_cases(element, call.span))
    }))
}

fn whole<'m>(truth: Truth) -> Cases<'m> {
    Cases::one(Term::Bool(Box::new(truth)))
}
