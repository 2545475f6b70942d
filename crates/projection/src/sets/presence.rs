//! Which attributes of an object are given, as people say it: "exactly one of `a`, `b` is given".
//!
//! A set expresses this by alternatives: "`a` is given, or `b` is given", and "`a` is not given, or `b` is not
//! given".

use std::collections::BTreeSet;

use super::ValueSet;

/// A statement about which of some attributes are given; their names are sorted.
#[derive(Clone, PartialEq)]
enum Presence<'v> {
    AtLeastOne(Vec<&'v str>),
    AtMostOne(Vec<&'v str>),
    ExactlyOne(Vec<&'v str>),
    NotAll(Vec<&'v str>),
    AllOrNone(Vec<&'v str>),
    /// The second is given whenever the first is given.
    With(&'v str, &'v str),
}

/// Whether a set says which attributes are given, and nothing else.
pub fn is_described(set: &ValueSet) -> bool {
    presence(set).is_some()
}

/// Sentences about which attributes are given, and the parts that say something else.
pub fn sentences(parts: &[ValueSet]) -> (Vec<String>, Vec<&ValueSet>) {
    let (mut presences, mut rest) = (Vec::new(), Vec::new());
    for part in parts {
        match presence(part) {
            Some(it) => presences.push(it),
            None => rest.push(part),
        }
    }
    (joined(presences).iter().map(Presence::sentence).collect(), rest)
}

/// "At least one" and "at most one" of the same attributes is "exactly one".
fn joined(presences: Vec<Presence<'_>>) -> Vec<Presence<'_>> {
    let mut presences = with_groups(presences);
    let exact = presences.iter().enumerate().find_map(|(at, least)| {
        let Presence::AtLeastOne(names) = least else { return None };
        let most = match names.len() {
            2 => Presence::NotAll(names.clone()),
            _ => Presence::AtMostOne(names.clone()),
        };
        Some((at, presences.iter().position(|it| *it == most)?, names.clone()))
    });
    if let Some((least, most, names)) = exact {
        presences.remove(least.max(most));
        presences.remove(least.min(most));
        presences.insert(0, Presence::ExactlyOne(names));
    }
    presences
}

/// Says "at most one is given" about attributes that all exclude each other in pairs. That sentence replaces
/// the first pair, and the other pairs go away.
fn with_groups(presences: Vec<Presence<'_>>) -> Vec<Presence<'_>> {
    let pairs: BTreeSet<[&str; 2]> = presences.iter().filter_map(Presence::pair).collect();
    let mut grouped: BTreeSet<[&str; 2]> = BTreeSet::new();
    let mut out = Vec::with_capacity(presences.len());
    for it in presences {
        let Some([one, other]) = it.pair() else {
            out.push(it);
            continue;
        };
        if grouped.contains(&[one, other]) {
            continue;
        }
        let group = group_of([one, other], &pairs);
        if group.len() == 2 {
            out.push(it);
            continue;
        }
        grouped.extend(pairs_of(&group));
        out.push(Presence::AtMostOne(group));
    }
    out
}

/// Attributes that all form such pairs with each other: as many as a search in the order of the names finds,
/// sorted.
fn group_of<'v>(first: [&'v str; 2], pairs: &BTreeSet<[&'v str; 2]>) -> Vec<&'v str> {
    let is_pair = |one: &'v str, other: &'v str| pairs.contains(&[one.min(other), one.max(other)]);
    let names: BTreeSet<&str> = pairs.iter().flatten().copied().collect();
    let mut group = first.to_vec();
    for name in names {
        if group.iter().all(|it| is_pair(it, name)) {
            group.push(name);
        }
    }
    group.sort_unstable();
    group
}

/// Every two of the names, which are sorted.
fn pairs_of<'v>(names: &[&'v str]) -> Vec<[&'v str; 2]> {
    let with = |(at, one): (usize, &&'v str)| {
        let one = *one;
        names[at + 1..].iter().map(move |other| [one, *other]).collect::<Vec<_>>()
    };
    names.iter().enumerate().flat_map(with).collect()
}

fn presence(set: &ValueSet) -> Option<Presence<'_>> {
    let ValueSet::Either(rows) = set else { return None };
    let mut rows: Vec<Row<'_>> = rows.iter().map(Row::of).collect::<Option<_>>()?;
    rows.sort_unstable();
    rows.dedup();
    let mut all: Vec<&str> =
        rows.iter().flat_map(|it| [&it.given, &it.missing]).flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    match rows.as_slice() {
        // Sorted, the row without a given attribute comes first.
        [none, every] if none.missing == all && every.given == all => {
            return Some(Presence::AllOrNone(all));
        }
        [Row { given, missing: of }, Row { given: with, missing }]
            if given.is_empty() && missing.is_empty() && all.len() == 2 =>
        {
            if let ([of], [with]) = (of.as_slice(), with.as_slice()) {
                return Some(Presence::With(of, with));
            }
        }
        _ => (),
    }
    // From here on, each row must be about another attribute.
    let count = all.len();
    if rows.len() != count || count < 2 {
        return None;
    }
    let is_each = |given: usize, missing: usize| {
        rows.iter().all(|it| (it.given.len(), it.missing.len()) == (given, missing))
    };
    if is_each(1, 0) {
        Some(Presence::AtLeastOne(all))
    } else if is_each(0, 1) {
        Some(Presence::NotAll(all))
    } else if is_each(0, count - 1) {
        Some(Presence::AtMostOne(all))
    } else if is_each(1, count - 1) {
        Some(Presence::ExactlyOne(all))
    } else {
        None
    }
}

impl<'v> Presence<'v> {
    /// The two that are not given together.
    fn pair(&self) -> Option<[&'v str; 2]> {
        match self {
            Presence::NotAll(names) => names.as_slice().try_into().ok(),
            _ => None,
        }
    }

    fn sentence(&self) -> String {
        let listed = |names: &[&str]| {
            names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
        };
        match self {
            Presence::AtLeastOne(names) => format!("at least one of {} is given", listed(names)),
            Presence::AtMostOne(names) => format!("at most one of {} is given", listed(names)),
            Presence::ExactlyOne(names) => format!("exactly one of {} is given", listed(names)),
            Presence::NotAll(names) if names.len() == 2 => {
                format!("`{}` and `{}` are not both given", names[0], names[1])
            }
            Presence::NotAll(names) => format!("not all of {} are given", listed(names)),
            Presence::AllOrNone(names) if names.len() == 2 => {
                format!("both `{}` and `{}` are given, or neither", names[0], names[1])
            }
            Presence::AllOrNone(names) => format!("all of {} are given, or none", listed(names)),
            Presence::With(of, with) => format!("`{with}` is given if `{of}` is"),
        }
    }
}

/// The attributes that one alternative requires, and those that it excludes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row<'v> {
    given: Vec<&'v str>,
    missing: Vec<&'v str>,
}

impl<'v> Row<'v> {
    /// `None` where the alternative says more.
    fn of(set: &'v ValueSet) -> Option<Row<'v>> {
        let parts = match set {
            ValueSet::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut row = Row { given: Vec::new(), missing: Vec::new() };
        for part in parts {
            let ValueSet::Member { name, required, values } = part else { return None };
            match (required, &**values) {
                (true, ValueSet::Anything) => row.given.push(name),
                (false, ValueSet::Nothing) => row.missing.push(name),
                _ => return None,
            }
        }
        row.given.sort_unstable();
        row.missing.sort_unstable();
        Some(row)
    }
}
