//! `endswith`, `lower`, `regex`, `regexall`, `split`, `startswith`, `strcontains`, `strrev`, `substr`,
//! `title`, `trim`, `trimprefix`, `trimspace`, `trimsuffix`, `upper`.

use crate::{
    condition::{
        context::Folded,
        functions::call::Call,
        patterns,
        symbolic::{
            Cases, Known, Leaf, Place, Term, Truth, leaves,
            views::{Affix, Count, Slice, View},
        },
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use hcl::Ident;
use re2::Dialect;
use tf_value::{Type, Value};

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
    let constraint = patterns::part(name, part);
    let mut out = Truth::never();
    for (guard, term) in &subject.list {
        let truth = match term {
            Term::Place(place) => {
                place.truth(leaves::as_string(constraint.clone(), &place.ty, span))
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
        Term::Place(place) => match patterns::pattern(pattern, &call.context.releases) {
            Ok(constraint) => {
                let found = leaves::as_string(constraint, &place.ty, span);
                let error = found.when_false.or(found.error);
                let leaf = Leaf { error, ..Leaf::total(found.when_true, Region::nothing()) };
                if place.ty == Type::String && matches_whole_texts(pattern, call) {
                    return passed(place, leaf);
                }
                tested(place, leaf, known())
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

// Functions that read a text in some format, and fail for all others: `base64decode`, `cidrhost`,
// `cidrnetmask`, `cidrsubnet`, `formatdate`, `jsondecode`, `timeadd`.

/// A value that is there exactly where the leaf is true, and fails where it fails.
pub fn tested<'m>(place: &Place, leaf: Leaf, known: Known) -> Cases<'m> {
    Cases::opaque(place.lift(leaf.when_true, false), place.lift(leaf.error, true), known)
}

/// The string at the place itself where the leaf is true; it fails where the leaf fails.
pub fn passed<'m>(place: &Place, leaf: Leaf) -> Cases<'m> {
    let mut out = Cases { list: Vec::new(), error: place.lift(leaf.error, true) };
    out.add(&place.lift(leaf.when_true, false), Cases::one(Term::Place(place.clone())));
    out
}

/// `cidrhost`, `cidrnetmask` and `cidrsubnet`.
pub fn address<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, rest @ ..] = call.args else { return None };
    Some(it.map(|term| of_prefix(term, rest, call)))
}

fn of_prefix<'m>(term: &Term<'m>, rest: &[Cases<'m>], call: &Call<'_, 'm>) -> Cases<'m> {
    let Term::Place(place) = term else { return call.untranslated() };
    // `"${ip}/32"`: an address alone, whose length is known.
    let inner = place.before_view(|it| match it {
        View::Affix(it) => it.prefix_length(),
        _ => None,
    });
    if place.ty != Type::String {
        return call.untranslated();
    }
    let first = rest.first().and_then(|it| it.as_constant()?.as_number()?.to_i64());
    let (pattern, exact) = match (call.name(), first, rest) {
        ("cidrnetmask", ..) if let Some((_, length)) = inner => (patterns::masked(length), true),
        ("cidrhost", Some(host @ 0..), _) if let Some((_, length)) = inner => {
            (patterns::alone(&[32, 128], length, patterns::bits(host)), true)
        }
        ("cidrnetmask", ..) => (patterns::masked_prefix(), true),
        ("cidrhost", Some(host @ 0..), _) => (patterns::prefix(patterns::bits(host)), true),
        ("cidrsubnet", Some(bits @ 0..), [_, net])
            if let Some(net @ 0..) = net.as_constant().and_then(|it| it.as_number()?.to_i64())
                && patterns::bits(net) <= u64::try_from(bits).unwrap_or(u64::MAX) =>
        {
            (patterns::prefix(bits.unsigned_abs()), true)
        }
        _ => (patterns::prefix(0), false),
    };
    let place = inner.as_ref().filter(|_| call.name() != "cidrsubnet").map_or(place, |it| &it.0);
    let values = match pattern.as_str() {
        "" => ValueSet::Nothing,
        _ => ValueSet::Matches(pattern),
    };
    let mut leaf = Leaf::or_error(values);
    if !exact {
        leaf.when_true = leaf.when_true.losing(Reason::AddressPart, call.span);
        leaf.error = Region::unknown(Reason::AddressPart, call.span);
    }
    tested(place, leaf, Known { ty: Type::String, null: false })
}

/// `base64decode` and `jsondecode`.
pub fn decoded<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    let (pattern, known) = match call.name() {
        "base64decode" => (patterns::BASE64, Known { ty: Type::String, null: false }),
        _ => (patterns::JSON, Known { ty: Type::Dynamic, null: true }),
    };
    let reason = Reason::TextReadBy(call.name().into());
    of_text(it, call, pattern, &known, Some(&reason))
}

/// `timeadd` and `formatdate`.
pub fn time<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [one, other] = call.args else { return None };
    let is_first = call.name() == "timeadd";
    let (it, constant) = if is_first { (one, other) } else { (other, one) };
    let (constant, sample) = (constant.as_constant()?, Value::string("2024-01-01T00:00:00Z"));
    let args = if is_first { [sample, constant.clone()] } else { [constant.clone(), sample] };
    let name = Ident { name: call.name().into(), span: call.span };
    let Folded::Value(_) = call.context.fold_call(&name, &args, call.span) else { return None };
    of_text(it, call, patterns::TIMESTAMP, &Known { ty: Type::String, null: false }, None)
}

/// The result for strings that the pattern matches; other strings fail. With a reason, some that match fail, too.
fn of_text<'m>(
    it: &Cases<'m>,
    call: &Call<'_, 'm>,
    pattern: &str,
    known: &Known,
    reason: Option<&Reason>,
) -> Option<Cases<'m>> {
    Some(it.map(|term| match term {
        Term::Place(place) if place.ty == Type::String => {
            let mut leaf = Leaf::or_error(ValueSet::Matches(pattern.to_owned()));
            if let Some(reason) = reason {
                leaf.when_true = leaf.when_true.losing(reason.clone(), call.span);
                leaf.error = Region::unknown(reason.clone(), call.span);
            }
            tested(place, leaf, known.clone())
        }
        _ => call.untranslated(),
    }))
}
