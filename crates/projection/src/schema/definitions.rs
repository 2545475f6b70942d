//! Moves repeated long patterns to one place, under a name.
//!
//! `can(cidrhost(var.x, 0))` has 23 characters and its pattern 1,800. If a schema has such a pattern
//! twice, it is moved to `definitions` (`$defs` in 2020-12), with a title for people, and each use
//! refers to it. Patterns that a rule spells out stay in their places, as the Go tool writes them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, Items, Keywords, Schema};
use crate::condition::named_pattern;
use stack::guarded;

/// The length in bytes up to which a pattern stays in its place.
const SHORT: usize = 200;

/// Whether the pattern is one that may be moved.
pub fn is_long(pattern: &str) -> bool {
    pattern.len() > SHORT
}

/// Moves patterns of more than [`SHORT`] bytes that occur at least twice to the root. Those in `kept`
/// stay.
pub fn extract(root: &mut Keywords, kept: &BTreeSet<String>) {
    // The number of occurrences of each, and the first variable that has it.
    let mut found: BTreeMap<String, (usize, Option<String>)> = BTreeMap::new();
    for (name, schema) in root.properties.iter_mut().flatten() {
        if let Schema::Keywords(it) = schema {
            count(it, Some(name), kept, &mut found);
        }
    }
    for schema in &mut root.all_of {
        if let Schema::Keywords(it) = schema {
            count(it, None, kept, &mut found);
        }
    }
    found.retain(|_, (count, _)| *count > 1);
    if found.is_empty() {
        return;
    }
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (pattern, (_, variable)) in found {
        let (name, title) = named_pattern(&pattern).unwrap_or_else(|| match variable {
            Some(it) => (format!("form-of-{it}"), format!("The form of {it}")),
            None => ("form".to_owned(), "A text of this form".to_owned()),
        });
        let numbered = (2..).map(|it| format!("{name}-{it}"));
        let is_free = |it: &String| !root.definitions.contains_key(it);
        let Some(name) = std::iter::once(name.clone()).chain(numbered).find(is_free) else {
            continue;
        };
        let (title, text) = (Some(title), Some(pattern.clone()));
        let definition = Keywords { title, pattern: text, ..Keywords::default() };
        root.definitions.insert(name.clone(), definition.into());
        names.insert(pattern, name);
    }
    let draft = root.dialect.unwrap_or_default();
    for_each(root, &mut |schema| {
        let Some(name) = schema.pattern.as_ref().and_then(|it| names.get(it)) else { return };
        schema.pattern = None;
        let reference = Some(format!("#/{}/{name}", draft.definitions()));
        // Draft-07 ignores keywords next to a `$ref`.
        if draft != Draft::Draft07 || *schema == Keywords::default() {
            schema.reference = reference;
        } else {
            schema.all_of.push(Keywords { reference, ..Keywords::default() }.into());
        }
    });
}

fn count(
    keywords: &mut Keywords,
    variable: Option<&String>,
    kept: &BTreeSet<String>,
    found: &mut BTreeMap<String, (usize, Option<String>)>,
) {
    for_each(keywords, &mut |keywords| {
        let pattern = keywords.pattern.as_ref().filter(|it| is_long(it) && !kept.contains(*it));
        if let Some(pattern) = pattern {
            found.entry(pattern.clone()).or_insert_with(|| (0, variable.cloned())).0 += 1;
        }
    });
}

/// Visits the keywords of every schema, the outer ones first.
pub(super) fn for_each(keywords: &mut Keywords, visit: &mut dyn FnMut(&mut Keywords)) {
    guarded(|| {
        visit(keywords);
        for schema in inner(keywords) {
            if let Schema::Keywords(it) = schema {
                for_each(it, visit);
            }
        }
    });
}

fn inner(keywords: &mut Keywords) -> Vec<&mut Schema> {
    let Keywords {
        items,
        contains,
        properties,
        pattern_properties,
        additional_properties,
        property_names,
        all_of,
        any_of,
        one_of,
        not,
        condition,
        ..
    } = keywords;
    let mut out: Vec<&mut Schema> = Vec::new();
    match items {
        Some(Items::Each(it)) => out.push(it),
        Some(Items::Places(them, rest)) => out.extend(them.iter_mut().chain(rest)),
        None => (),
    }
    out.extend(properties.iter_mut().flat_map(BTreeMap::values_mut));
    out.extend(pattern_properties.values_mut());
    out.extend(contains.as_mut().map(|it| &mut it.schema));
    out.extend([additional_properties, property_names, not].into_iter().flatten());
    out.extend([all_of, any_of, one_of].into_iter().flatten());
    if let Some(it) = condition {
        out.push(&mut it.when);
        out.extend(it.then.iter_mut().chain(&mut it.otherwise));
    }
    out
}
