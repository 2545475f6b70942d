//! Attributes of the value at a place, as terms.

use smol_str::SmolStr;

use super::{
    place::{Place, Reached},
    term::{Cases, Term},
};
use crate::sets::Reason;
use diagnostics::Span;
use tf_value::Value;

/// The cases of a step to an attribute, key or index.
pub fn reached<'m>(it: Reached, span: Span) -> Cases<'m> {
    match it {
        Reached::Place(place) => Cases::one(Term::Place(*place)),
        Reached::Missing => Cases::failure(),
        Reached::Far => Cases::unknown(Reason::FarElement, span),
        Reached::Unclear => Cases::unknown(Reason::PartOfAny, span),
    }
}

/// The attributes of an object at a place, one by one.
pub fn attributes<'m>(place: &Place) -> Option<Vec<(Value, Cases<'m>)>> {
    let object = place.ty.as_object()?;
    let member =
        |name: &SmolStr| (Value::string(name), reached(place.member(name), Span::default()));
    Some(object.attributes.keys().map(member).collect())
}
