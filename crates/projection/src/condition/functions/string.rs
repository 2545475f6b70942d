//! `endswith`, `lower`, `regex`, `regexall`, `split`, `startswith`, `strcontains`, `strrev`, `substr`,
//! `title`, `trim`, `trimprefix`, `trimspace`, `trimsuffix`, `upper`.

use super::call::Call;
use crate::{
    condition::{
        patterns::text,
        symbolic::{
            Cases, Known, Leaf, Term, Truth,
            leaves::converted,
            views::{Affix, Count, Slice, View},
        },
    },
    sets::{Extent, Reason, Region},
};
use re2::Dialect;
use tf_value::Type;

pub fn lower<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    viewed(&View::Lower, call)
}

pub fn upper<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    viewed(&View::Upper, call)
}

pub fn trimspace<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    viewed(&View::Trim(None), call)
}

/// `trim(term, characters)`
pub fn trim<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, characters] = call.args else { return None };
    let characters = characters.as_constant()?.as_str()?;
    let view = View::Trim(Some(characters.into()));
    Some(it.map(|term| match term {
        Term::Place(place) if characters.is_empty() && place.ty == Type::String => {
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            out.add(&place.not_null(), Cases::one(term.clone()));
            out
        }
        _ => seen(view.clone(), term, call),
    }))
}

/// `trimprefix` and `trimsuffix`
pub fn without_affix<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, affix] = call.args else { return None };
    let affix = affix.as_constant()?.as_str()?.into();
    let view = View::Affix(match call.name() {
        "trimprefix" => Affix::WithoutPrefix(affix),
        _ => Affix::WithoutSuffix(affix),
    });
    Some(it.map(|term| seen(view.clone(), term, call)))
}

pub fn title<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    viewed(&View::Title, call)
}

pub fn strrev<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    viewed(&View::Reverse, call)
}

fn viewed<'m>(view: &View, call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    Some(it.map(|term| seen(view.clone(), term, call)))
}

/// The result of a function of a string.
pub fn seen<'m>(view: View, term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match term {
        Term::Place(place) if place.ty == Type::String => Cases::one(Term::Place(place.seen(view))),
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        // All of these functions read their first argument.
        Term::Constant(value) => call.of_constant(0, value).unwrap_or_else(|| call.untranslated()),
        _ => call.untranslated(),
    }
}

/// `substr(term, offset, length)`
pub fn substr<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, offset, length] = call.args else { return None };
    Some(it.map(|term| {
        let slice = count(offset, term).zip(count(length, term));
        match slice.and_then(|(offset, length)| Slice::new(offset, length)) {
            Some(slice) => seen(View::Slice(slice), term, call),
            None => call.untranslated(),
        }
    }))
}

/// A constant number, or the length of the subject plus a constant.
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

pub fn split<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [separator, it] = call.args else { return None };
    let Some(separator) = separator.as_constant() else {
        return Some(call.opaque(Reason::ComputedSeparator));
    };
    let separator = separator.as_str()?.to_owned();
    Some(it.map(|term| match term {
        Term::Place(place) if place.ty == Type::String => {
            Cases::one(Term::Parts(separator.clone(), place.clone()))
        }
        Term::Constant(value) => call.of_constant(1, value).unwrap_or_else(|| call.untranslated()),
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        _ => call.untranslated(),
    }))
}

/// `startswith`, `endswith`, `strcontains`
pub fn affix<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let ([subject, part], name, span) = (call.args, call.name(), call.span) else { return None };
    let Some(part) = part.as_constant() else {
        return Some(call.opaque(Reason::ComputedPart));
    };
    let part = part.as_str()?;
    let constraint = text::part(name, part);
    let mut out = Truth::never();
    for (guard, term) in &subject.list {
        let truth = match term {
            Term::Place(place) => {
                place.truth(converted::as_string(constraint.clone(), &place.ty, span))
            }
            Term::Constant(value) => match value.as_str() {
                Some(text) => Truth::constant(match name {
                    "startswith" => text.starts_with(part),
                    "endswith" => text.ends_with(part),
                    _ => text.contains(part),
                }),
                None => Truth::unknown(Reason::ConversionToString, span),
            },
            Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
            _ => Truth::unknown(Reason::CallOver(name.into(), term.form()), span),
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(subject.error.clone());
    Some(Cases::one(Term::Bool(Box::new(out))))
}

/// `regex(pattern, term)`
pub fn regex<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [pattern, it] = call.args else { return None };
    match pattern.as_constant().and_then(|it| it.as_str()) {
        Some(pattern) => Some(it.map(|term| matched(pattern, term, call))),
        None => Some(Cases::unknown(Reason::ComputedPattern, call.span)),
    }
}

fn matched<'m>(pattern: &str, term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    let span = call.span;
    let known = || Known { ty: call.result(), null: false };
    match term {
        Term::Place(place) => match text::pattern(pattern, &call.context.releases) {
            Ok(constraint) => {
                let found = converted::as_string(constraint, &place.ty, span);
                let error = found.when_false.or(found.error);
                let leaf = Leaf { error, ..Leaf::total(found.when_true, Region::nothing()) };
                if place.ty == Type::String && matches_whole_texts(pattern, call) {
                    return super::texts::passed(place, leaf);
                }
                super::texts::tested(place, leaf, known())
            }
            Err(reason) => Cases::unknown(reason, span),
        },
        Term::Constant(value) => match value.as_str() {
            Some(text) => {
                let is_found =
                    |it| re2::cached(pattern, it).is_ok_and(|regex| regex.is_match(text));
                let dialects = call.context.releases.dialects();
                match dialects.iter().filter(|it| is_found(**it)).count() {
                    0 => Cases::failure(),
                    count if count == dialects.len() => {
                        let (all, none) = (Extent::everything(), Extent::nothing());
                        Cases::opaque(all, none, known())
                    }
                    _ => Cases::unknown(Reason::PatternByRelease, span),
                }
            }
            None => Cases::unknown(Reason::RegexOverConverted, span),
        },
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        _ => Cases::unknown(Reason::RegexOver(term.form()), span),
    }
}

/// Whether every release gives the whole text for a match.
fn matches_whole_texts(pattern: &str, call: &Call<'_, '_>) -> bool {
    let is_whole =
        |dialect: Dialect| re2::outline(pattern, dialect).is_ok_and(|it| it.matches_whole_texts());
    call.context.releases.dialects().into_iter().all(is_whole)
}

pub fn regexall<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [pattern, it] = call.args else { return None };
    let pattern = pattern.as_constant()?.as_str()?.to_owned();
    Some(it.map(|term| match term {
        Term::Place(place) => Cases::one(Term::Matches(pattern.clone(), place.clone())),
        _ => call.untranslated(),
    }))
}
