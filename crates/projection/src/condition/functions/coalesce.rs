//! `coalesce`.

use super::call::Call;
use crate::{
    condition::{
        common_type::{self, Common},
        outcomes,
        symbolic::{Cases, Known, Term},
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use tf_value::{Type, Value};

/// The first argument that is neither null nor an empty string.
pub fn coalesce<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let given: Vec<&Cases<'m>> = call.args.iter().collect();
    match common_type::common(&given, call.span, call.context) {
        Common::Of { values, always, .. } => {
            first(&values, call, |index| always || values[index].error == given[index].error)
        }
        Common::None => Some(Cases::failure()),
        Common::Unclear => {
            let reason = Reason::CallWithThese(call.name().into());
            let unclear = |it: &Cases<'m>| common_type::unclear(it, &reason, call.span);
            let args: Vec<Cases<'m>> = call.args.iter().map(unclear).collect();
            // They may have no type in common.
            Some(common_type::may_fail(first(&args, call, |_| true)?, &reason, call.span))
        }
    }
}

/// `converts`: whether all values of an argument convert. Terraform skips a value that does not, which is not
/// translated for that argument and the ones after it.
fn first<'m>(
    args: &[Cases<'m>],
    call: &Call<'_, 'm>,
    converts: impl Fn(usize) -> bool,
) -> Option<Cases<'m>> {
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        if !call.context.pay(rest.work()) {
            return None;
        }
        if !converts(index) {
            let reason = Reason::CallWithThese(call.name().into());
            out.add(&rest, Cases::unknown(reason, call.span));
            rest = Extent::nothing();
            break;
        }
        let mut skipped = Extent::nothing();
        for (guard, term) in &arg.list {
            let guard = rest.clone().and(guard.clone());
            match term {
                Term::Constant(value) if value.is_null() || value.as_str() == Some("") => {
                    skipped = skipped.or(guard);
                }
                Term::Place(place) => {
                    let empty = ValueSet::OneOf(vec![Value::string("")]);
                    let (kept, left) = if matches!(place.ty, Type::String | Type::Dynamic) {
                        (empty.clone().negated(), empty)
                    } else {
                        (ValueSet::Anything, ValueSet::Nothing)
                    };
                    let present = place.lift(Region::new(false, kept), false);
                    skipped =
                        skipped.or(guard.clone().and(place.lift(Region::new(true, left), false)));
                    out.add(&guard.clone().and(present), Cases::one(term.clone()));
                    out.error = out.error.or(guard.and(place.failing()));
                }
                // A conversion gives null for null: `toset(var.x)`.
                Term::Sequence(_) if !outcomes::null(term).is_nothing() => {
                    let there = outcomes::there(term, call.context);
                    out.add(&guard.clone().and(there), Cases::one(term.clone()));
                    skipped = skipped.or(guard.and(outcomes::null(term)));
                }
                Term::Constant(_)
                | Term::Sequence(_)
                | Term::Object(_)
                | Term::Unknown(_, _, Some(Known { null: false, ty: Type::Number | Type::Bool })) =>
                {
                    out.add(&guard, Cases::one(term.clone()));
                }
                _ => return None,
            }
        }
        out.error = out.error.or(rest.clone().and(arg.error.clone()));
        rest = skipped;
    }
    out.error = out.error.or(rest);
    // An argument that is not needed is evaluated, but not converted; the first is always needed.
    Some(outcomes::beside(out, call.args.iter().skip(1), call.context))
}
