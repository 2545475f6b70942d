//! `contains`, `index`.

use super::call::Call;
use crate::{
    condition::{
        expressions::{self, comparison},
        membership, outcomes,
        quantifiers::{self, Elements},
        relation::Comparison,
        symbolic::{Cases, Sequence, Term, Truth},
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use hcl::BinaryOp;
use tf_eval::functions::Domain;
use tf_value::Value;

pub fn contains<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let ([list, needle], span, context) = (call.args, call.span, call.context) else { return None };
    let equal = Comparison { op: BinaryOp::Equal, span, context };
    let mut out = Truth::never();
    for (guard, term) in &list.list {
        let truth = match term {
            Term::Constant(value) => match value.as_sequence() {
                Some(values) => membership::is_in(needle, values, span, context),
                None => Truth::unknown(Reason::MembershipInConstant, span),
            },
            Term::Sequence(it)
                if let Sequence::Keys(place) = &**it
                    && let Some(key) = needle.as_constant().and_then(|it| it.as_str()) =>
            {
                place.has_key(key)
            }
            Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
            // There may be too many types to distinguish, but none of them is a list.
            _ if !term.may_be_list() => Truth { error: Extent::everything(), ..Truth::never() },
            _ => {
                let one = Cases::one(term.clone());
                quantifiers::any(expressions::elements(&one, context, span, &|element, _| {
                    Elements::one(comparison::of_cases(equal, element, needle))
                }))
            }
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(list.error.clone());
    // The value is evaluated even if the list has no element.
    let is_compared = |term: &Term<'m>| {
        let keys = |it: &Sequence<'m>| matches!(it, Sequence::Keys(_));
        !matches!(term, Term::Constant(_)) && !matches!(term, Term::Sequence(it) if keys(it))
    };
    if list.list.iter().any(|(_, it)| is_compared(it)) {
        let (mut ok, mut error) = (Extent::nothing(), outcomes::failing(needle, context));
        for (guard, term) in &needle.list {
            ok = ok.or(guard.clone().and(outcomes::there(term, context)));
            error = error.or(guard.clone().and(outcomes::null(term)));
        }
        if call.domain != Domain::Total && !error.is_nothing() {
            out = Truth { error: out.error.clone().or(error), ..Truth::never().or_case(&ok, out) };
        }
    }
    Some(Cases::one(Term::Bool(Box::new(out))))
}

/// `index(list, value)` of a list of constants: the place of the first that is equal.
pub fn index<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [list, value] = call.args else { return None };
    let list = list.as_constant()?.as_sequence()?;
    Some(value.map(|term| match term {
        Term::Place(place) if place.ty.is_primitive() && !place.is_unified() => {
            let mut seen = Vec::new();
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            for (value, index) in list.iter().zip(0_i64..) {
                if !seen.contains(value) && value.ty() == &place.ty && !value.is_null() {
                    let here = ValueSet::OneOf(vec![value.clone()]);
                    let here = place.lift(Region::new(false, here), false);
                    out.add(&here, Cases::constant(Value::int(index)));
                    seen.push(value.clone());
                }
            }
            let others = ValueSet::OneOf(seen).negated();
            out.error = out.error.or(place.lift(Region::new(false, others), false));
            out
        }
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        _ => call.untranslated(),
    }))
}
