//! The changes in meaning from a committed schema to the generated one.
//!
//! The order of keys, white space, line ends, the spelling of numbers and the order of arrays that are
//! sets (`required`, `enum`, `type`, `allOf`, `anyOf`, `oneOf`) are ignored.

use std::collections::{BTreeMap, BTreeSet};

use super::{SchemaJson, VOCABULARY, rule_keywords};
use crate::{condition, condition::TranslationTarget};
use diagnostics::{Span, visible_line};
use module::{Module, Variable};
use similar::TextDiff;
use stack::guarded;
use tf_eval::Meter;

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
            (Some(old), Some(new)) => compare(old, new, &pointer, "", out),
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

/// Whether plain JSON is equal; for schemas use [`same_meaning`].
fn equal(old: &SchemaJson, new: &SchemaJson) -> bool {
    old == new
}

/// A JSON pointer one step further.
fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

// Compares two schemas of one place, keyword by keyword.

/// Keywords that follow from a type and change with it.
const STRUCTURE: [&str; 6] =
    ["items", "prefixItems", "properties", "required", "additionalProperties", "uniqueItems"];

/// Adds the differences between two schemas; `path` names the place inside the variable.
fn compare(
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
            keyword(key, old, new, &join(pointer, key), path, out);
        }
    });
}

fn keyword(
    key: &str,
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    pointer: &str,
    path: &str,
    out: &mut Vec<Difference>,
) {
    if schemas_same(key, old, new) {
        return;
    }
    match (key, old, new) {
        ("properties", _, _) => attributes(old, new, pointer, path, out),
        ("required", _, _) => required_keyword(old, new, pointer, path, out),
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
fn required_keyword(
    old: Option<&SchemaJson>,
    new: Option<&SchemaJson>,
    pointer: &str,
    path: &str,
    out: &mut Vec<Difference>,
) {
    let mut found = Vec::new();
    required(old, new, pointer, &mut found);
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
fn same_meaning(old: &SchemaJson, new: &SchemaJson) -> bool {
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

// Describes a difference in words.

/// The characters of a value that a sentence shows.
const MAX_VALUE: usize = 60;

impl Difference {
    /// The difference as one sentence without a final period.
    pub fn sentence(&self) -> String {
        let place = self.place();
        match self.change {
            SchemaChange::RemovedVariable => {
                format!("{place} is in the schema but not in the module")
            }
            SchemaChange::AddedVariable | SchemaChange::AddedAttribute => {
                format!("{place} is missing in the schema")
            }
            SchemaChange::RemovedAttribute => {
                format!("{place} is in the schema but not in the type")
            }
            SchemaChange::Required if self.new.is_some() => format!("{place} is now required"),
            SchemaChange::Required => format!("{place} is not required any more"),
            SchemaChange::Nullable if self.new == Some(SchemaJson::Bool(true)) => {
                format!("{place} now allows null")
            }
            SchemaChange::Nullable => format!("{place} no longer allows null"),
            SchemaChange::Type => self.changed("type", &place),
            SchemaChange::Default => self.changed("default", &place),
            SchemaChange::Description => self.changed("description", &place),
            SchemaChange::AdditionalProperties => {
                format!("{place} differs in whether it allows more members")
            }
            SchemaChange::Condition => {
                self.changed(&format!("condition `{}`", self.keyword()), &place)
            }
            SchemaChange::Annotation => {
                self.changed(&format!("annotation `{}`", self.keyword()), &place)
            }
            SchemaChange::Other if self.pointer.is_empty() => self.changed("whole", &place),
            SchemaChange::Other => self.changed(&format!("`{}`", self.keyword()), &place),
        }
    }

    /// `variable "x"`, `attribute "nodes[*].size" of variable "x"` or `the schema`.
    fn place(&self) -> String {
        match (&self.variable, self.path.as_str()) {
            (None, _) => "the schema".to_owned(),
            (Some(name), "") => format!("variable \"{name}\""),
            (Some(name), path) => format!("\"{path}\" of variable \"{name}\""),
        }
    }

    /// The last step of the pointer.
    fn keyword(&self) -> &str {
        self.pointer.rsplit('/').next().unwrap_or_default()
    }

    fn changed(&self, what: &str, place: &str) -> String {
        match (&self.old, &self.new) {
            (None, Some(new)) => format!("{place} has a new {what}: {}", shown(new)),
            (Some(old), None) => format!("{place} has lost its {what}: {}", shown(old)),
            // Two hidden values of a sensitive variable look the same.
            (Some(old), Some(new)) if old == new => {
                format!("the {what} of {place} changed; it is not shown")
            }
            (Some(old), Some(new)) => {
                format!("the {what} of {place} changed from {} to {}", shown(old), shown(new))
            }
            (None, None) => format!("the {what} of {place} changed"),
        }
    }
}

/// The value on one line, cut where it is long.
fn shown(json: &SchemaJson) -> String {
    let text = json.to_serde().to_string();
    if text.chars().count() <= MAX_VALUE {
        return text;
    }
    text.chars().take(MAX_VALUE).chain(['…']).collect()
}

// The place in the module that causes a difference.

impl Difference {
    /// The line of the module that caused the difference; `None` for a part that the module no longer
    /// has, and for the root.
    pub fn cause(&self, module: &Module, meter: &Meter) -> Option<Span> {
        let variable = module.variables.get(self.variable.as_deref()?)?;
        let of_type = || variable.type_span.unwrap_or(variable.span);
        Some(match self.change {
            // Inside a value defaults are part of the type, like everything else.
            _ if !self.path.is_empty() && self.change != SchemaChange::Condition => of_type(),
            SchemaChange::Type | SchemaChange::AdditionalProperties => of_type(),
            // Without a default only the variable can be pointed at.
            SchemaChange::Default | SchemaChange::Required => {
                variable.default_expr.as_ref().map_or(variable.span, |default| default.span)
            }
            SchemaChange::Description => variable.description_span.unwrap_or(variable.span),
            SchemaChange::Condition => self.rule(module, variable, meter).unwrap_or_else(of_type),
            _ => variable.span,
        })
    }

    /// The first condition that produces the keyword, else the first condition.
    fn rule(&self, module: &Module, variable: &Variable, meter: &Meter) -> Option<Span> {
        let keyword = self.pointer.rsplit('/').next()?;
        let gives = |region| match &rule_keywords(region).to_json() {
            SchemaJson::Object(members) => members.contains_key(keyword),
            _ => false,
        };
        // The keyword shows whether the draft has it.
        let target = TranslationTarget { counts: true, ..TranslationTarget::default() };
        let translations = condition::translate(module, variable, target, meter);
        let index = translations.iter().position(|it| gives(&it.region)).unwrap_or(0);
        variable.validations.get(index).map(|it| it.condition.span)
    }
}

// Compares two schemas as a unified diff.

/// A unified diff from the committed to the generated schema. Both are printed canonically, so that it
/// shows differences in meaning only. Empty if there are none.
pub fn unified_diff(committed: &SchemaJson, generated: &SchemaJson, path: &str) -> String {
    let (old, new) = (committed.to_text(false) + "\n", generated.to_text(false) + "\n");
    if old == new {
        return String::new();
    }
    let path = visible_line(path);
    let (old, new, cut) = comparable(&old, &new);
    let diff = TextDiff::from_lines(old, new);
    let (from, to) = (format!("{path} (committed)"), format!("{path} (generated)"));
    let text = diff.unified_diff().context_radius(3).header(&from, &to).to_string();
    match text.get(..MAX_BYTES).and_then(|it| it.rfind('\n')) {
        Some(end) if text.len() > MAX_BYTES => {
            format!("{}\n\\ The rest is not shown.\n", &text[..end])
        }
        _ => text + cut,
    }
}

/// The limit for the bytes of a difference: what nests deeply is mostly indentation.
const MAX_BYTES: usize = 200_000;

/// The limit for the lines that are compared behind the common beginning: the work grows up to the
/// square.
const MAX_LINES: usize = 5000;

/// The parts that are compared, and a last line that says if they are incomplete.
fn comparable<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str, &'static str) {
    let pairs = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let common: usize = pairs.take_while(|(old, new)| old == new).map(|it| it.0.len()).sum();
    let pairs = old[common..].lines().rev().zip(new[common..].lines().rev());
    let tail = pairs.take_while(|(old, new)| old == new).count();
    let is_long = |text: &str| text[common..].lines().count() > MAX_LINES + tail;
    if !is_long(old) && !is_long(new) {
        return (old, new, "");
    }
    let cut = |text: &'t str| {
        let lines = text[common..].split_inclusive('\n').take(MAX_LINES);
        &text[..common + lines.map(str::len).sum::<usize>()]
    };
    (cut(old), cut(new), "\\ The rest is not compared.\n")
}
