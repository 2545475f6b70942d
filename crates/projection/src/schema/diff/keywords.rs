//! Compares two schemas of one place, keyword by keyword.

use std::collections::{BTreeMap, BTreeSet};

use super::{Difference, SchemaChange, difference, join, members, same, union};
use crate::schema::{SchemaJson, VOCABULARY};
use stack::guarded;

/// Keywords that follow from a type and change with it.
const STRUCTURE: [&str; 6] =
    ["items", "prefixItems", "properties", "required", "additionalProperties", "uniqueItems"];

/// Adds the differences between two schemas; `path` names the place inside the variable.
pub(super) fn compare(
    old: &SchemaJson,
    new: &SchemaJson,
    pointer: &str,
    path: &str,
    out: &mut Vec<Difference>,
) {
    guarded(|| {
        let (Some(old_members), Some(new_members)) = (members(old), members(new)) else {
            if !same_meaning(old, new) {
                out.push(at(
                    path,
                    difference(SchemaChange::Other, pointer.to_owned(), Some(old), Some(new)),
                ));
            }
            return;
        };
        let (old_null, old_members) = without_null(old_members);
        let (new_null, new_members) = without_null(new_members);
        if old_null != new_null {
            let (old, new) = (SchemaJson::Bool(old_null), SchemaJson::Bool(new_null));
            let it = difference(SchemaChange::Nullable, pointer.to_owned(), Some(&old), Some(&new));
            out.push(at(path, it));
        }
        let retyped = !same(old_members.get("type"), new_members.get("type"));
        for key in union(&old_members, &new_members) {
            if retyped && STRUCTURE.contains(&key.as_str()) {
                continue;
            }
            let (old, new) = (old_members.get(key), new_members.get(key));
            keyword(key, old, new, (&join(pointer, key), path), out);
        }
    });
}

fn keyword(
    key: &str,
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    (pointer, path): (&str, &str),
    out: &mut Vec<Difference>,
) {
    if schemas_same(key, old, new) {
        return;
    }
    match (key, old, new) {
        ("properties", _, _) => attributes(old, new, pointer, path, out),
        ("required", _, _) => required(old, new, pointer, path, out),
        (
            "items" | "additionalItems" | "additionalProperties",
            Some(SchemaJson::Object(_)),
            Some(SchemaJson::Object(_)),
        ) => {
            if let (Some(old), Some(new)) = (old, new) {
                compare(old, new, pointer, &format!("{path}[*]"), out);
            }
        }
        ("items" | "prefixItems", Some(SchemaJson::Array(old)), Some(SchemaJson::Array(new)))
            if old.len() == new.len() =>
        {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                let index = index.to_string();
                compare(old, new, &join(pointer, &index), &format!("{path}[{index}]"), out);
            }
        }
        (VOCABULARY, Some(SchemaJson::Object(old)), Some(SchemaJson::Object(new))) => {
            for name in union(old, new).into_iter().filter(|it| !same(old.get(*it), new.get(*it))) {
                let (pointer, old, new) = (join(pointer, name), old.get(name), new.get(name));
                out.push(at(path, difference(SchemaChange::Annotation, pointer, old, new)));
            }
        }
        _ => out.push(at(path, difference(change(key), pointer.to_owned(), old, new))),
    }
}

fn change(key: &str) -> SchemaChange {
    match key {
        "type" | "items" | "prefixItems" | "uniqueItems" | "title" => SchemaChange::Type,
        "default" => SchemaChange::Default,
        "description" => SchemaChange::Description,
        "additionalProperties" => SchemaChange::AdditionalProperties,
        "writeOnly" | "deprecated" | VOCABULARY => SchemaChange::Annotation,
        "enum" | "const" | "pattern" | "minimum" | "maximum" | "exclusiveMinimum"
        | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength" | "minItems"
        | "maxItems" | "minProperties" | "maxProperties" | "allOf" | "anyOf" | "oneOf" | "not"
        | "if" | "then" | "else" | "additionalItems" | "contains" | "minContains"
        | "maxContains" | "propertyNames" | "patternProperties" | "dependencies"
        | "dependentRequired" | "dependentSchemas" => SchemaChange::Condition,
        _ => SchemaChange::Other,
    }
}

fn attributes(
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    pointer: &str,
    path: &str,
    out: &mut Vec<Difference>,
) {
    let empty = BTreeMap::new();
    let old = old.and_then(members).unwrap_or(&empty);
    let new = new.and_then(members).unwrap_or(&empty);
    for name in union(old, new) {
        let (pointer, path) = (join(pointer, name), attribute_path(path, name));
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => compare(old, new, &pointer, &path, out),
            (None, new) => {
                out.push(at(&path, difference(SchemaChange::AddedAttribute, pointer, None, new)));
            }
            (old, None) => {
                out.push(at(&path, difference(SchemaChange::RemovedAttribute, pointer, old, None)));
            }
        }
    }
}

/// Attributes that are required in only one of the two. An attribute that was added or removed is
/// reported as such.
fn required(
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    pointer: &str,
    path: &str,
    out: &mut Vec<Difference>,
) {
    let mut found = Vec::new();
    super::required(old, new, pointer, &mut found);
    for mut it in found {
        let name = it.variable.take().unwrap_or_default();
        it.path = attribute_path(path, &name);
        out.push(it);
    }
}

fn attribute_path(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn at(path: &str, mut it: Difference) -> Difference {
    path.clone_into(&mut it.path);
    it
}

/// The keywords without a nullable variable's alternative of null, and whether there was one.
fn without_null(keywords: &BTreeMap<String, SchemaJson>) -> (bool, BTreeMap<String, SchemaJson>) {
    let Some(SchemaJson::Array(alternatives)) = keywords.get("anyOf") else {
        return (false, keywords.clone());
    };
    let [null, SchemaJson::Object(typed)] = alternatives.as_slice() else {
        return (false, keywords.clone());
    };
    let is_null = members(null).and_then(|it| it.get("type")) == Some(&SchemaJson::string("null"));
    if !is_null || !typed.contains_key("type") {
        return (false, keywords.clone());
    }
    let mut out = typed.clone();
    out.remove("title");
    let outer = keywords.iter().filter(|(key, _)| !matches!(key.as_str(), "anyOf" | "title"));
    for (key, value) in outer {
        out.insert(key.clone(), value.clone());
    }
    (true, out)
}

fn schemas_same(key: &str, old: Option<&SchemaJson>, new: Option<&SchemaJson>) -> bool {
    match (key, old, new) {
        ("default" | "const" | "examples", _, _) => same(old, new),
        (_, Some(old), Some(new)) => normal(key, old) == normal(key, new),
        _ => old.is_none() && new.is_none(),
    }
}

/// Whether two schemas mean the same.
pub(super) fn same_meaning(old: &SchemaJson, new: &SchemaJson) -> bool {
    normal("", old) == normal("", new)
}

/// The JSON with its set-like arrays sorted. `key` is the keyword of the value.
fn normal(key: &str, json: &SchemaJson) -> SchemaJson {
    guarded(|| match json {
        SchemaJson::Object(_) if matches!(key, "default" | "const") => json.clone(),
        SchemaJson::Object(members) if matches!(key, "properties" | "patternProperties") => {
            SchemaJson::Object(
                members.iter().map(|(name, it)| (name.clone(), normal("", it))).collect(),
            )
        }
        SchemaJson::Object(members) => SchemaJson::Object(
            members.iter().map(|(key, it)| (key.clone(), normal(key, it))).collect(),
        ),
        SchemaJson::Array(elements) => {
            let elements: Vec<SchemaJson> = elements.iter().map(|it| normal("", it)).collect();
            if !matches!(key, "required" | "enum" | "type" | "allOf" | "anyOf" | "oneOf") {
                return SchemaJson::Array(elements);
            }
            let sorted: BTreeSet<String> = elements.iter().map(|it| it.to_text(false)).collect();
            SchemaJson::Array(sorted.into_iter().map(SchemaJson::String).collect())
        }
        _ => json.clone(),
    })
}
