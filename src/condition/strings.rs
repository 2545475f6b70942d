//! Functions of strings that tell by failing, or map one string to another.

use super::{
    Constraint, Leaf, Region,
    calls::unknown,
    patterns::{address, converted, text},
    place::Place,
    slice::{Count, Slice},
    term::{Cases, Term},
    views::View,
};
use crate::{
    diagnostic::Span,
    value::{Type, Value},
};

/// A value that is there exactly where the leaf is true, and fails where it fails.
pub fn tested<'m>(place: &Place, leaf: Leaf) -> Cases<'m> {
    Cases::opaque(place.lift(leaf.when_true, false), place.lift(leaf.error, true))
}

/// `regex(pattern, term)`
pub fn matched<'m>(pattern: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    match term {
        Term::Place(place) => match text::pattern(pattern) {
            Ok(constraint) => {
                let found = converted::as_string(constraint, &place.ty, span);
                let error = found.when_false.or(found.error);
                tested(place, Leaf { error, ..Leaf::total(found.when_true, Region::nothing()) })
            }
            Err(reason) => Cases::unknown(reason, span),
        },
        Term::Constant(value) => match value.as_str() {
            Some(text) => match crate::re2::cached(pattern, crate::re2::Dialect::default()) {
                Ok(regex) if regex.is_match(text) => Cases::one(Term::Opaque),
                _ => Cases::failure(),
            },
            None => Cases::unknown("a regular expression over a value converted to string", span),
        },
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => Cases::unknown(format!("a regular expression over {}", term.form()), span),
    }
}

/// `cidrhost`, `cidrnetmask` and `cidrsubnet`.
pub fn address<'m>(name: &str, term: &Term<'m>, rest: &[Cases<'m>], span: Span) -> Cases<'m> {
    let Term::Place(place) = term else { return unknown(name, span) };
    if place.ty != Type::String {
        return unknown(name, span);
    }
    let first = rest.first().and_then(|it| it.as_constant()?.as_number()?.to_i64());
    let (pattern, exact) = match (name, first, rest) {
        ("cidrnetmask", ..) => (address::ipv4_prefix(), true),
        ("cidrhost", Some(host @ 0..), _) => (address::prefix(address::bits(host)), true),
        ("cidrsubnet", Some(bits @ 0..), [_, net])
            if let Some(net @ 0..) = net.as_constant().and_then(|it| it.as_number()?.to_i64())
                && address::bits(net) <= u64::try_from(bits).unwrap_or(u64::MAX) =>
        {
            (address::prefix(bits.unsigned_abs()), true)
        }
        _ => (address::prefix(0), false),
    };
    let leaf = Leaf::or_error(Constraint::Matches(pattern));
    if exact {
        return tested(place, leaf);
    }
    let reason = "a part of an address range that has to exist";
    let error = Region::unknown(reason, span);
    tested(place, Leaf { when_true: leaf.when_true.losing(reason, span), error, ..leaf })
}

/// `timeadd`, `formatdate`, `base64decode` and `jsondecode`: texts in a format.
pub fn decoded<'m>(name: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    let Term::Place(place) = term else { return unknown(name, span) };
    if place.ty != Type::String {
        return unknown(name, span);
    }
    let (pattern, exact) = match name {
        "base64decode" => (text::BASE64, false),
        "jsondecode" => (text::JSON, false),
        _ => (text::TIMESTAMP, true),
    };
    let mut leaf = Leaf::or_error(Constraint::Matches(pattern.to_owned()));
    if !exact {
        let reason = format!("a text that `{name}` reads");
        leaf.when_true = leaf.when_true.losing(reason.clone(), span);
        leaf.error = Region::unknown(reason, span);
    }
    let (ok, error) = (place.lift(leaf.when_true, false), place.lift(leaf.error, true));
    Cases::opaque(ok, error)
}

/// `tostring`, `tonumber` and `tobool`.
pub fn converted<'m>(name: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    let Term::Place(place) = term else { return unknown(name, span) };
    match (name, &place.ty) {
        ("tostring", Type::String) | ("tonumber", Type::Number) | ("tobool", Type::Bool) => {
            Cases::one(term.clone())
        }
        ("tonumber", Type::String) => Cases::one(Term::Place(place.seen(View::Number))),
        ("tostring", Type::Number) => Cases::one(Term::Place(place.seen(View::Text))),
        ("tostring", Type::Bool) => {
            let mut out = Cases::opaque(place.not_null(), place.failing());
            out.add(&place.null(), Cases::constant(Value::null(Type::String)));
            out
        }
        _ => unknown(name, span),
    }
}

/// `substr(term, offset, length)`
pub fn substr<'m>(
    term: &Term<'m>,
    offset: &Cases<'m>,
    length: &Cases<'m>,
    span: Span,
) -> Cases<'m> {
    let slice = count(offset, term).zip(count(length, term));
    match slice.and_then(|(offset, length)| Slice::new(offset, length)) {
        Some(slice) => seen("substr", View::Slice(slice), term, span),
        None => unknown("substr", span),
    }
}

/// A constant, or one that is added to the length of the subject.
fn count(cases: &Cases<'_>, subject: &Term<'_>) -> Option<Count> {
    if let Some(constant) = cases.as_constant() {
        return Some(Count::Constant(constant.as_number()?.to_i64()?));
    }
    let [(_, term)] = cases.list.as_slice() else { return None };
    let (counted, more) = match term {
        Term::Shifted(inner, more) => (&**inner, *more),
        term => (term, 0),
    };
    let Term::Count(counted) = counted else { return None };
    match (&**counted, subject) {
        (Term::Place(counted), Term::Place(subject)) if counted == subject => {
            Some(Count::Length(more))
        }
        _ => None,
    }
}

/// What a function makes of a string.
pub fn seen<'m>(name: &str, view: View, term: &Term<'m>, span: Span) -> Cases<'m> {
    match term {
        Term::Place(place) if place.ty == Type::String => Cases::one(Term::Place(place.seen(view))),
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => unknown(name, span),
    }
}
