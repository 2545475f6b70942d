//! `split`: a question about one part or all parts, as a question about the string.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::preimage::{Preimage, strings};
use crate::{
    condition::patterns::text,
    sets::{Length, Measure, ValueSet},
};
use re2::{Language, LanguagePart};

/// Strings with every part, or some part, in the constraint.
pub fn quantified(separator: char, constraint: &ValueSet, every: bool) -> Option<Preimage> {
    let inner = |it: &ValueSet, every| quantified(separator, it, every);
    match constraint {
        ValueSet::Anything => Preimage::exact(ValueSet::Anything),
        ValueSet::Nothing => Preimage::exact(ValueSet::Nothing),
        ValueSet::Not(it) => {
            let other = inner(it, !every).filter(|it| it.exact)?;
            Preimage::exact(other.values.negated())
        }
        // A conjunct that cannot be written only makes the set larger.
        ValueSet::All(parts) => {
            let said: Vec<_> = parts.iter().filter_map(|it| inner(it, every)).collect();
            let exact = every && said.len() == parts.len() && said.iter().all(|it| it.exact);
            Some(Preimage { values: ValueSet::all(said.into_iter().map(|it| it.values)), exact })
        }
        ValueSet::Either(parts) if !every => {
            let said = parts.iter().map(|it| inner(it, every)).collect::<Option<Vec<_>>>()?;
            let exact = said.iter().all(|it| it.exact);
            let values = ValueSet::either(said.into_iter().map(|it| it.values));
            Some(Preimage { values, exact })
        }
        atom => {
            let bodies = bodies(separator, atom)?;
            let between = text::escape(&separator.to_string());
            let Some(body) = joined(&bodies) else { return Preimage::exact(ValueSet::Nothing) };
            Preimage::exact(ValueSet::Matches(if every {
                format!("^{body}(?:{between}{body})*$")
            } else {
                format!("(?:^|{between}){body}(?:{between}|$)")
            }))
        }
    }
}

/// Strings whose part at an index is in the constraint.
pub fn one(separator: char, index: usize, constraint: &ValueSet) -> Option<Preimage> {
    let between = text::escape(&separator.to_string());
    let other = text::not_in_class(separator);
    let before = match index {
        0 => "^".to_owned(),
        1 => format!("^{other}*{between}"),
        n => format!("^(?:{other}*{between}){{{n}}}"),
    };
    Preimage::exact(match joined(&bodies(separator, constraint)?) {
        Some(body) => ValueSet::Matches(format!("{before}{body}(?:{between}|$)")),
        None => ValueSet::Nothing,
    })
}

fn joined(bodies: &[String]) -> Option<String> {
    match bodies {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("(?:{})", many.join("|"))),
    }
}

/// Patterns of the parts that are in the constraint, each from a part's start to its end.
fn bodies(separator: char, constraint: &ValueSet) -> Option<Vec<String>> {
    let other = text::not_in_class(separator);
    match constraint {
        ValueSet::Length(Measure::Characters, Length { min, max }) => {
            let max = max.map_or(String::new(), |it| it.to_string());
            Some(vec![format!("{other}{{{},{max}}}", min.unwrap_or_default())])
        }
        ValueSet::OneOf(values) => {
            let texts = strings(values)?.into_iter().filter(|it| !it.contains(separator));
            Some(texts.map(text::escape).collect())
        }
        ValueSet::Matches(pattern) => {
            let without = |set: &ClassUnicode| {
                let mut set = set.clone();
                set.difference(&ClassUnicode::new([ClassUnicodeRange::new(separator, separator)]));
                set
            };
            let mut out = Vec::new();
            for LanguagePart { start, end, body } in Language::parse(pattern)?.parts()? {
                let body = body.rewritten(&without);
                if body.is_empty() {
                    continue;
                }
                let pad = |anchored| if anchored { String::new() } else { format!("{other}*") };
                out.push(format!("{}{}{}", pad(start), body.to_ecma()?, pad(end)));
            }
            Some(out)
        }
        ValueSet::Either(parts) => {
            let each = parts.iter().map(|it| bodies(separator, it)).collect::<Option<Vec<_>>>()?;
            Some(each.concat())
        }
        _ => None,
    }
}
