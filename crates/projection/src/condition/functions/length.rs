//! `length`.

use super::call::Call;
use crate::condition::{
    outcomes,
    symbolic::{Cases, Sequence, Term},
};
use tf_value::{Type, Value};

pub fn length<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [value] = call.args else { return None };
    Some(value.map(|term| of_term(term, call)))
}

fn of_term<'m>(term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match term {
        Term::Constant(value) => call.of_constants(std::slice::from_ref(value)),
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        Term::Place(place)
            if let Some(object) = place.ty.as_object()
                && !call.context.is_whole_variable(place) =>
        {
            let size = i64::try_from(object.attributes.len()).unwrap_or(i64::MAX);
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            out.add(&place.not_null(), Cases::constant(Value::int(size)));
            out
        }
        Term::Sequence(it)
            if let Sequence::Slice { list, from, to } = &**it
                && let Ok(less) = i64::try_from(*from) =>
        {
            let count = match to {
                Some(to) => {
                    Term::Constant(Value::int(i64::try_from(to - from).unwrap_or(i64::MAX)))
                }
                None => {
                    Term::Shifted(Box::new(Term::Count(Term::Place(list.clone()).into())), -less)
                }
            };
            let (enough, error) = list.with_at_least(to.unwrap_or(*from));
            let mut out = Cases { list: Vec::new(), error };
            out.add(&enough, Cases::one(count));
            out
        }
        // The elements of a collection of any type may have been converted to strings, which have a length.
        Term::Place(place) if place.ty == Type::Dynamic && place.is_unified() => {
            call.untranslated()
        }
        Term::Place(_) | Term::Sequence(_) | Term::Parts(..) | Term::Matches(..) => {
            Cases::one(Term::Count(Box::new(term.clone())))
        }
        Term::Object(members) => {
            let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
            let cases = Cases::one(term.clone());
            let mut out =
                Cases { list: Vec::new(), error: outcomes::failing(&cases, call.context) };
            out.add(&outcomes::defined(&cases, call.context), Cases::constant(Value::int(size)));
            out
        }
        _ => call.untranslated(),
    }
}
