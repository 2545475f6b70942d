//! The changes in meaning from a committed schema to the generated one.
//!
//! The order of keys, white space, line ends, the spelling of numbers and the order of arrays that are
//! sets (`required`, `enum`, `type`, `allOf`, `anyOf`, `oneOf`) are ignored.

mod cause;
mod keywords;
mod sentence;
mod text;

use std::collections::{BTreeMap, BTreeSet};

pub use text::unified_diff;

use super::SchemaJson;

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaChange {
    /// The module declares a variable that the schema lacks.
    AddedVariable,
    /// The schema has a variable that the module does not declare.
    RemovedVariable,
    /// The schema lacks an attribute of an object type.
    AddedAttribute,
    RemovedAttribute,
    /// A variable or attribute became required, or ceased to be.
    Required,
    Nullable,
    Type,
    Default,
    Description,
    /// A keyword that comes from a `validation` block.
    Condition,
    /// Whether undeclared members are allowed.
    AdditionalProperties,
    /// A keyword that only forms and editors read.
    Annotation,
    Other,
}

/// One difference between two schemas.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub change: SchemaChange,
    /// JSON pointer to the keyword: in the generated schema, or in the committed one if it was removed.
    pub pointer: String,
    /// The variable that changed; `None` at the root.
    pub variable: Option<String>,
    /// The attributes from the variable inwards, for sentences: `nodes[*].size`.
    pub path: String,
    pub old: Option<SchemaJson>,
    pub new: Option<SchemaJson>,
}

/// The differences in order: by variable, then by place.
pub fn diff(committed: &SchemaJson, generated: &SchemaJson) -> Vec<Difference> {
    let (Some(old), Some(new)) = (members(committed), members(generated)) else {
        return if equal(committed, generated) {
            Vec::new()
        } else {
            vec![difference(SchemaChange::Other, String::new(), Some(committed), Some(generated))]
        };
    };
    let mut out = Vec::new();
    for key in union(old, new) {
        let (old, new) = (old.get(key), new.get(key));
        match key.as_str() {
            "properties" => variables(old, new, &mut out),
            "required" => required(old, new, "/required", &mut out),
            _ if same(old, new) => (),
            "allOf" => out.push(difference(SchemaChange::Condition, join("", key), old, new)),
            "additionalProperties" => {
                let pointer = "/additionalProperties".to_owned();
                out.push(difference(SchemaChange::AdditionalProperties, pointer, old, new));
            }
            _ => out.push(difference(SchemaChange::Other, join("", key), old, new)),
        }
    }
    drop_implied(&mut out);
    out.sort_by(|a, b| a.variable.cmp(&b.variable));
    out
}

/// Whether the generated schema is the committed one with further rules: the result of a release that
/// translates more conditions of an unchanged module.
pub fn adds_only_rules(differences: &[Difference]) -> bool {
    let elements = |it: &Option<SchemaJson>| match it {
        Some(SchemaJson::Array(elements)) => elements.clone(),
        _ => Vec::new(),
    };
    let is_added = |difference: &Difference| {
        difference.change == SchemaChange::Condition
            && match &difference.old {
                None => true,
                Some(_) if difference.pointer.ends_with("/allOf") => {
                    let new = elements(&difference.new);
                    elements(&difference.old).iter().all(|it| new.contains(it))
                }
                Some(_) => false,
            }
    };
    !differences.is_empty() && differences.iter().all(is_added)
}

/// Removes differences in `required` that an addition or removal implies.
fn drop_implied(differences: &mut Vec<Difference>) {
    let place = |it: &Difference| (it.variable.clone(), it.path.clone());
    let is_whole = |it: &&Difference| {
        use SchemaChange::{AddedAttribute, AddedVariable, RemovedAttribute, RemovedVariable};
        matches!(it.change, AddedAttribute | AddedVariable | RemovedAttribute | RemovedVariable)
    };
    let whole: BTreeSet<_> = differences.iter().filter(is_whole).map(place).collect();
    differences.retain(|it| it.change != SchemaChange::Required || !whole.contains(&place(it)));
}

fn variables(old: Option<&SchemaJson>, new: Option<&SchemaJson>, out: &mut Vec<Difference>) {
    let empty = BTreeMap::new();
    let old = old.and_then(members).unwrap_or(&empty);
    let new = new.and_then(members).unwrap_or(&empty);
    for name in union(old, new) {
        let pointer = join("/properties", name);
        let from = out.len();
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => keywords::compare(old, new, &pointer, "", out),
            (None, new) => out.push(difference(SchemaChange::AddedVariable, pointer, None, new)),
            (old, None) => out.push(difference(SchemaChange::RemovedVariable, pointer, old, None)),
        }
        for it in &mut out[from..] {
            it.variable = Some(name.clone());
        }
    }
}

/// Names that are in only one of two `required` lists; at the root they name variables.
fn required(
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    pointer: &str,
    out: &mut Vec<Difference>,
) {
    let (old, new) = (names(old), names(new));
    for name in old.symmetric_difference(&new) {
        let mut it = difference(SchemaChange::Required, pointer.to_owned(), None, None);
        it.old = old.contains(name).then(|| SchemaJson::string(*name));
        it.new = new.contains(name).then(|| SchemaJson::string(*name));
        it.variable = Some((*name).to_owned());
        out.push(it);
    }
}

fn names(list: Option<&SchemaJson>) -> BTreeSet<&str> {
    let Some(SchemaJson::Array(names)) = list else { return BTreeSet::new() };
    let names = names.iter().filter_map(|it| match it {
        SchemaJson::String(name) => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

fn difference(
    change: SchemaChange,
    pointer: String,
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
) -> Difference {
    Difference {
        change,
        pointer,
        variable: None,
        path: String::new(),
        old: old.cloned(),
        new: new.cloned(),
    }
}

fn members(json: &SchemaJson) -> Option<&BTreeMap<String, SchemaJson>> {
    if let SchemaJson::Object(members) = json { Some(members) } else { None }
}

fn union<'a>(
    old: &'a BTreeMap<String, SchemaJson>,
    new: &'a BTreeMap<String, SchemaJson>,
) -> BTreeSet<&'a String> {
    old.keys().chain(new.keys()).collect()
}

fn same(old: Option<&SchemaJson>, new: Option<&SchemaJson>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => equal(old, new),
        (old, new) => old.is_none() && new.is_none(),
    }
}

/// Whether plain JSON is equal; for schemas use [`keywords::same_meaning`].
fn equal(old: &SchemaJson, new: &SchemaJson) -> bool {
    old == new
}

/// A JSON pointer one step further.
fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}
