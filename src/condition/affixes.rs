//! Strings with a text at one end or without it, and words with a capital.

use smol_str::SmolStr;

use super::{
    context::Context,
    patterns::text,
    term::{Cases, Term},
    terms,
    views::{Preimage, View, strings},
};
use crate::{
    re2::Language,
    sets::{Length, Measure, ValueSet},
    syntax::{Expr, TemplatePart},
    value::{Type, Value},
};

/// A text at one end of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Affix {
    WithoutPrefix(SmolStr),
    WithoutSuffix(SmolStr),
    /// A template around the string.
    Around {
        before: SmolStr,
        after: SmolStr,
    },
}

impl Affix {
    /// The strings of which the result is in the constraint.
    pub fn preimage(&self, constraint: &ValueSet) -> Option<Preimage> {
        let (affix, function): (&str, _) = match self {
            Affix::WithoutPrefix(it) => (it, "startswith"),
            Affix::WithoutSuffix(it) => (it, "endswith"),
            Affix::Around { before, after } => return around(before, after, constraint),
        };
        let has = |it: &str| match function {
            "startswith" => it.starts_with(affix),
            _ => it.ends_with(affix),
        };
        let with = |it: &str| match function {
            "startswith" => format!("{affix}{it}"),
            _ => format!("{it}{affix}"),
        };
        match constraint {
            ValueSet::OneOf(values) => {
                // Only the first of several goes.
                let each = |it: &str| {
                    let same = Some(it.to_owned()).filter(|it| !has(it));
                    same.into_iter().chain([with(it)])
                };
                let texts = strings(values)?.into_iter().flat_map(each).map(Value::string);
                Preimage::exact(ValueSet::OneOf(texts.collect()))
            }
            ValueSet::Length(Measure::Characters, Length { min, max }) => {
                let more = |it: u64| it.saturating_add(affix.chars().count() as u64);
                let longer = Length { min: min.map(more), max: max.map(more) };
                let has = text::part(function, affix);
                let length = |it| ValueSet::Length(Measure::Characters, it);
                Preimage::exact(ValueSet::either([
                    ValueSet::all([has.clone(), length(longer)]),
                    ValueSet::all([has.negated(), constraint.clone()]),
                ]))
            }
            _ => None,
        }
    }

    /// The number behind a `/`, where it is all that stands behind the string.
    pub fn prefix_length(&self) -> Option<u64> {
        let Affix::Around { before, after } = self else { return None };
        let digits = after.strip_prefix('/').filter(|_| before.is_empty())?;
        let is_number = !digits.is_empty() && digits.chars().all(|it| it.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    }
}

/// A template with one string in it. A text in front can become one character with what follows.
fn around(before: &str, after: &str, constraint: &ValueSet) -> Option<Preimage> {
    let stands_apart = after.starts_with(|it: char| it.is_ascii_graphic());
    let ValueSet::OneOf(values) = constraint else { return None };
    if !before.is_empty() || !stands_apart {
        return None;
    }
    let texts = strings(values)?.into_iter().filter_map(|it| it.strip_suffix(after));
    let texts: Vec<Value> = texts.map(Value::string).collect();
    Preimage::exact(match texts.as_slice() {
        [] => ValueSet::Nothing,
        _ => ValueSet::OneOf(texts),
    })
}

/// A template: a constant, or texts around one string.
pub fn template<'m>(parts: &'m [TemplatePart], expr: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let whole = terms::folded(expr, context);
    if whole.as_constant().is_some() {
        return whole;
    }
    let text = |it: &'m TemplatePart| match it {
        TemplatePart::Literal { text, .. } => Some(text.clone()),
        _ => None,
    };
    let (before, inner, after) = match parts {
        [TemplatePart::Interpolation(it), after] => (Some(SmolStr::default()), it, text(after)),
        [before, TemplatePart::Interpolation(it)] => (text(before), it, Some(SmolStr::default())),
        [before, TemplatePart::Interpolation(it), after] => (text(before), it, text(after)),
        _ => return whole,
    };
    let (Some(before), Some(after)) = (before, after) else { return whole };
    let inner = terms::cases(inner, context);
    let is_string = |term: &Term<'m>| matches!(term, Term::Place(it) if it.ty == Type::String);
    if !inner.list.iter().all(|(_, it)| is_string(it)) {
        return whole;
    }
    let affix = Affix::Around { before, after };
    inner.map(|term| match term {
        Term::Place(place) => Cases::one(Term::Place(place.seen(View::Affix(affix.clone())))),
        other => Cases::one(other.clone()),
    })
}

/// `title`: the strings that it turns into these. Of ASCII alone it is known which letters these are.
pub fn titled(constraint: &ValueSet) -> Option<Preimage> {
    let values = match constraint {
        ValueSet::Length(..) => return Preimage::exact(constraint.clone()),
        ValueSet::OneOf(values) => strings(values)?,
        _ => return None,
    };
    if !values.iter().all(|it| it.is_ascii()) {
        return None;
    }
    let bodies: Vec<String> = values.into_iter().filter_map(untitled).collect();
    if bodies.is_empty() {
        return Preimage::exact(ValueSet::Nothing);
    }
    let pattern = format!("^(?:{})$", bodies.join("|"));
    // What the pattern reader makes of it is shorter.
    let pattern = Language::parse(&pattern).and_then(|it| it.to_ecma()).unwrap_or(pattern);
    Preimage::exact(ValueSet::Matches(pattern))
}

/// The texts that have this title, as a pattern.
fn untitled(title: &str) -> Option<String> {
    let mut previous = ' ';
    let mut out = String::new();
    for c in title.chars() {
        let before = std::mem::replace(&mut previous, c);
        let begins = !before.is_ascii_alphanumeric() && before != '_';
        match c {
            'a'..='z' if begins => return None,
            'A'..='Z' if begins => {
                let other = match c {
                    'I' => "ı",
                    'S' => "ſ",
                    _ => "",
                };
                out += &format!("[{c}{}{other}]", c.to_ascii_lowercase());
            }
            _ => out += &text::escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    Some(out)
}
