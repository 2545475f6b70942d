//! Strings with a text at one end or without it.

use smol_str::SmolStr;

use super::preimage::{Preimage, strings};
use crate::{
    condition::patterns::text,
    sets::{Length, Measure, ValueSet},
};
use tf_value::Value;

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
    /// The strings whose result is in the constraint.
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
                // Only one of several affixes is removed.
                let each = |text: &str| {
                    let same = Some(text.to_owned()).filter(|it| !has(it));
                    same.into_iter().chain([with(text)])
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

    /// The number in `"${ip}/24"`: all that the template adds is a `/` and this number.
    pub fn prefix_length(&self) -> Option<u64> {
        let Affix::Around { before, after } = self else { return None };
        let digits = after.strip_prefix('/').filter(|_| before.is_empty())?;
        let is_number = !digits.is_empty() && digits.chars().all(|it| it.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    }
}

/// A template with one string in it. A text before the string may join with its first character.
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
