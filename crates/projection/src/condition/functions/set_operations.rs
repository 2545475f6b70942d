//! `setintersection`, `setsubtract`, `setunion`.

use super::{
    call::Call,
    collection::{are_alike, sequence},
};
use crate::condition::symbolic::{Cases, Once, Sequence, Term};
use tf_value::Type;

/// `setsubtract(x, […])` and `setintersection(x, […])`.
pub fn selection<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let kept = call.name() == "setintersection";
    let [one, other] = call.args else { return None };
    let (source, among) = match (one.as_constant(), other.as_constant()) {
        (None, Some(among)) => (one, among),
        (Some(among), None) if kept => (other, among),
        _ => return None,
    };
    let of_strings = |term: &Term<'m>| match term {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
        Term::Sequence(it) => matches!(&**it, Sequence::Keys(_)),
        Term::Constant(value) => {
            value.as_sequence().is_some_and(|texts| texts.iter().all(|it| it.as_str().is_some()))
        }
        _ => false,
    };
    let strings = among.as_sequence().filter(|texts| texts.iter().all(|it| it.as_str().is_some()));
    let among = strings.filter(|_| source.list.iter().all(|(_, it)| of_strings(it)))?.to_vec();
    let it = Sequence::Filtered { source: source.clone(), among, kept, span: call.span };
    Some(sequence(Sequence::Distinct(sequence(it), Once::Set)))
}

pub fn union<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [_, _] = call.args else { return None };
    // If there are too many types to distinguish, nothing has checked yet that no argument is a map.
    if !call.args.iter().flat_map(|it| &it.list).all(|(_, it)| it.may_be_list()) {
        return None;
    }
    let joined = Sequence::Joined(call.args.to_vec());
    are_alike(call, call.args).then(|| sequence(Sequence::Distinct(sequence(joined), Once::Set)))
}
