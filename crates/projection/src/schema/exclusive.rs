//! Writes "exactly one of these attributes" and "not both" as people do.
//!
//! The sets express it as alternatives: "a and no b, or b and no a". For an object,
//! `oneOf: [{required: [a]}, {required: [b]}]` means the same. For a value of another kind it does not, since
//! `required` accepts all of these. So these forms are used only next to `type: object`.

use super::{JsonType, Keywords, Schema};
use crate::sets::{ValueSet, without_null};

/// The requirements on the attributes of a choice, if exactly one attribute is present or has a certain
/// value.
pub fn alternatives(keywords: &Keywords, parts: &[ValueSet]) -> Option<Vec<ValueSet>> {
    let rows: Vec<Vec<Literal<'_>>> =
        beside_object(keywords, parts)?.iter().map(literals).collect::<Option<_>>()?;
    let wanted: Vec<Literal<'_>> =
        rows.iter().map(|row| only_required(row)).collect::<Option<_>>()?;
    let fits = |(row, own): (&Vec<Literal<'_>>, &Literal<'_>)| {
        let others = row.iter().filter(|it| it.name != own.name);
        row.len() == wanted.len() && others.clone().all(|it| excludes(keywords, it, &wanted))
    };
    let is_exclusive = is_each_once(&wanted) && rows.iter().zip(&wanted).all(fits);
    is_exclusive.then(|| wanted.iter().map(Literal::set).collect())
}

/// The requirements among conjuncts, if one says "at least one of these" and one or several say "at most
/// one of them"; with the remaining conjuncts.
pub fn conjuncts<'v>(
    keywords: &Keywords,
    parts: &'v [ValueSet],
) -> Option<(Vec<ValueSet>, Vec<&'v ValueSet>)> {
    let choices = || {
        beside_object(keywords, parts).into_iter().flatten().filter_map(|it| match it {
            ValueSet::Either(them) => Some((it, them)),
            _ => None,
        })
    };
    choices().find_map(|(least, wanted)| {
        let wanted: Vec<Literal<'_>> = wanted
            .iter()
            .map(|set| literal(set).filter(|it| it.required))
            .collect::<Option<_>>()?;
        if !is_each_once(&wanted) {
            return None;
        }
        let one = choices().find(|(_, rows)| is_at_most_one(keywords, &wanted, rows));
        let most = match one {
            Some((most, _)) => vec![most],
            None => pairs(keywords, &wanted, &choices().collect::<Vec<_>>())?,
        };
        let is_said =
            |it: &ValueSet| most.iter().chain([&least]).any(|used| std::ptr::eq(*used, it));
        let rest = parts.iter().filter(|it| !is_said(it));
        Some((wanted.iter().map(Literal::set).collect(), rest.collect()))
    })
}

/// For every two requirements, finds the choice that excludes one of them.
fn pairs<'v>(
    keywords: &Keywords,
    wanted: &[Literal<'_>],
    choices: &[(&'v ValueSet, &'v Vec<ValueSet>)],
) -> Option<Vec<&'v ValueSet>> {
    let excludes = |set: &ValueSet, own: &Literal<'_>| {
        literal(set).is_some_and(|it| it.name == own.name && excludes(keywords, &it, wanted))
    };
    let mut out = Vec::new();
    for (at, one) in wanted.iter().enumerate() {
        for other in &wanted[at + 1..] {
            let is_pair = |parts: &[ValueSet]| match parts {
                [a, b] => {
                    excludes(a, one) && excludes(b, other) || excludes(a, other) && excludes(b, one)
                }
                _ => false,
            };
            out.push(choices.iter().find(|(_, parts)| is_pair(parts))?.0);
        }
    }
    Some(out)
}

/// "No a, or no b": the attributes that are not present together.
pub fn not_together<'v>(keywords: &Keywords, parts: &'v [ValueSet]) -> Option<Vec<&'v str>> {
    let absent = |set: &'v ValueSet| {
        let is_absent = |it: &Literal<'_>| !it.required && *it.values == ValueSet::Nothing;
        literal(set).filter(is_absent).map(|it| it.name)
    };
    beside_object(keywords, parts)?.iter().map(absent).collect()
}

/// A requirement on one attribute.
#[derive(Clone, Copy)]
struct Literal<'v> {
    name: &'v str,
    required: bool,
    values: &'v ValueSet,
}

impl Literal<'_> {
    fn set(&self) -> ValueSet {
        ValueSet::member(self.name.into(), self.required, self.values.clone())
    }
}

fn beside_object<'v>(keywords: &Keywords, parts: &'v [ValueSet]) -> Option<&'v [ValueSet]> {
    (keywords.kind == Some(JsonType::Object)).then_some(parts)
}

fn literal(set: &ValueSet) -> Option<Literal<'_>> {
    match set {
        ValueSet::Member { name, required, values } => {
            Some(Literal { name, required: *required, values })
        }
        _ => None,
    }
}

fn literals(set: &ValueSet) -> Option<Vec<Literal<'_>>> {
    match set {
        ValueSet::All(parts) => parts.iter().map(literal).collect(),
        one => literal(one).map(|it| vec![it]),
    }
}

fn only_required<'v>(row: &[Literal<'v>]) -> Option<Literal<'v>> {
    let mut required = row.iter().filter(|it| it.required);
    required.next().copied().filter(|_| required.next().is_none())
}

fn is_each_once(wanted: &[Literal<'_>]) -> bool {
    let is_first =
        |(at, it): (usize, &Literal<'_>)| wanted[..at].iter().all(|other| other.name != it.name);
    wanted.len() > 1 && wanted.iter().enumerate().all(is_first)
}

/// Whether each row leaves out a different one of the requirements and excludes the rest.
fn is_at_most_one(keywords: &Keywords, wanted: &[Literal<'_>], rows: &[ValueSet]) -> bool {
    let left_out = |row: &ValueSet| {
        let row = literals(row)?;
        let is_excluded = |name: &str| row.iter().any(|it| it.name == name);
        let mut out = wanted.iter().filter(|it| !is_excluded(it.name));
        let one = out.next()?.name;
        let fits = row.len() + 1 == wanted.len() && out.next().is_none();
        (fits && row.iter().all(|it| excludes(keywords, it, wanted))).then(|| one.to_owned())
    };
    let Some(mut names) = rows.iter().map(left_out).collect::<Option<Vec<String>>>() else {
        return false;
    };
    names.sort_unstable();
    names.dedup();
    names.len() == wanted.len() && rows.len() == wanted.len()
}

/// Whether the literal is the complement of the requirement on its attribute.
fn excludes(keywords: &Keywords, literal: &Literal<'_>, wanted: &[Literal<'_>]) -> bool {
    let Some(of) = wanted.iter().find(|it| it.name == literal.name) else { return false };
    let complement = of.values.clone().negated();
    let same = if takes_null(keywords, literal.name) {
        complement == *literal.values
    } else {
        without_null(complement) == without_null(literal.values.clone())
    };
    same && of.required && !literal.required
}

/// Whether the attribute accepts null, so that it matters which of two sets contains null.
fn takes_null(keywords: &Keywords, name: &str) -> bool {
    let schema = keywords.properties.as_ref().and_then(|it| it.get(name));
    let refuses = |it: &Schema| matches!(it, Schema::Keywords(it) if it.kind.is_some_and(|kind| kind != JsonType::Null));
    !schema.is_some_and(refuses)
}
