//! `{for … : key => value}`: it fails for a key that is null or no string, and for two that are equal.

use std::cell::RefCell;

use crate::{
    condition::{
        context::Context,
        outcomes,
        quantifiers::Elements,
        symbolic::{Cases, Known, Once, Sequence, Term},
        types,
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::{ExprKind, ForExpr};
use tf_eval::functions::{self, Domain};
use tf_value::{Type, Value};

/// The keys of one loop, where they are constants.
#[derive(Default)]
pub struct Keys {
    seen: RefCell<Vec<Option<Value>>>,
}

impl Keys {
    /// Restricts the elements to where the key is a string other than null.
    pub fn fit<'m>(&self, out: Elements, key: &Cases<'m>, context: &Context<'m>) -> Elements {
        self.seen.borrow_mut().push(key.as_constant().cloned());
        let (mut ok, mut error) = (Extent::nothing(), key.error.clone());
        for (guard, term) in &key.list {
            let argument = types::argument(term, context);
            let tostring = functions::lookup("tostring");
            let domain =
                tostring.map_or(Domain::Partial, |it| context.releases.domain(it, &[argument]));
            let (fit, unfit) = match domain {
                Domain::Always => (Extent::nothing(), Extent::everything()),
                Domain::Partial => {
                    let unknown = Extent::unknown(Reason::ForKey, Span::default());
                    (unknown.clone(), unknown)
                }
                Domain::Total | Domain::FailsOnNull(_) => {
                    let failing = outcomes::failing(&Cases::one(term.clone()), context);
                    (outcomes::there(term, context), failing.or(outcomes::null(term)))
                }
            };
            ok = ok.or(guard.clone().and(fit));
            error = error.or(guard.clone().and(unfit));
        }
        Elements::never().or_case(&ok, out.clone()).failing(out.error.or(error))
    }

    /// Restricts the elements to where no two keys are equal.
    pub fn once(&self, out: Elements, it: &ForExpr, source: &Cases<'_>) -> Elements {
        let Some(key) = &it.key else { return out };
        let is = |name: &hcl::Ident| matches!(&key.bare().kind, ExprKind::Variable(found) if *found == name.name);
        let of_keys = it.key_name.as_ref().is_some_and(is);
        let of_values = is(&it.value_name);
        if of_keys || of_values && source.list.iter().all(|(_, it)| has_each_once(it)) {
            return out;
        }
        if let [(_, Term::Place(place))] = source.list.as_slice()
            && of_values
            && it.condition.is_none()
            && matches!(&place.ty, Type::List(element) if element.is_primitive())
        {
            let unique = place.lift(Region::new(false, ValueSet::Unique), false);
            let equal = place.lift(Region::new(false, ValueSet::Unique.negated()), false);
            return Elements::never().or_case(&unique, out.clone()).failing(out.error.or(equal));
        }
        if source.list.iter().all(|(_, it)| is_finite(it)) && self.are_told_apart() {
            return out;
        }
        let unknown = Extent::unknown(Reason::EqualKeys, Span::default());
        let lost = out.clone().losing(&Reason::EqualKeys, Span::default());
        Elements {
            all_true: lost.all_true,
            all_false: lost.all_false,
            clean: lost.clean,
            error: out.error.or(unknown),
            ..out
        }
    }

    /// Whether all keys are constants and no two are equal.
    fn are_told_apart(&self) -> bool {
        let seen = self.seen.borrow();
        let texts: Option<Vec<&str>> =
            seen.iter().map(|it| it.as_ref().and_then(Value::as_str)).collect();
        texts.is_some_and(|it| it.iter().enumerate().all(|(at, text)| !it[..at].contains(text)))
    }
}

/// Whether each element was visited on its own, so that all keys were seen.
fn is_finite(term: &Term<'_>) -> bool {
    match term {
        Term::Constant(_) | Term::Object(_) => true,
        Term::Place(place) => place.ty.as_object().is_some(),
        Term::Sequence(it) => matches!(&**it, Sequence::Written(_)),
        _ => false,
    }
}

fn has_each_once(term: &Term<'_>) -> bool {
    match term {
        Term::Place(place) => matches!(place.ty, Type::Set(_)),
        Term::Sequence(it) => {
            matches!(&**it, Sequence::Keys(_) | Sequence::Distinct(_, Once::Set | Once::Converted))
        }
        Term::Constant(value) => matches!(value.ty(), Type::Set(_)),
        _ => false,
    }
}

/// The lists that `...` gathers by key; only their presence is known.
pub fn grouped<'m>(value: &Cases<'m>, context: &Context<'m>) -> Cases<'m> {
    let known = Known { ty: Type::Dynamic, null: false };
    Cases::opaque(outcomes::defined(value, context), outcomes::failing(value, context), known)
}
