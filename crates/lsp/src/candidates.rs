//! Values that may pass at a place: those that a rule names, booleans, the default.

use serde_json::Value as Json;

use super::{
    site::Link,
    snippet::{Snippet, snippet},
    types::Attribute,
};
use hcl::is_identifier;
use module::{Module, Variable};
use projection::schema::{SchemaOptions, generate_metered};
use tf_eval::{Limits, Meter};
use tf_value::{Type, json::value_to_json, typeexpr::value_source};

/// A value that may be offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub label: String,
    /// As it is written.
    pub text: String,
    pub is_default: bool,
}

/// The longest default that is offered, in bytes.
const LONGEST: usize = 200;
/// Parts of a schema that are looked at.
const MOST_PARTS: usize = 500;
/// The work for a schema.
const WORK: Limits = Limits::of_run(3_000_000);

/// The candidates for a place in a variable's value. Sensitive variables have none but booleans.
pub(crate) fn candidates(
    module: &Module,
    variable: &Variable,
    links: &[Link],
    place: &Attribute,
    is_json: bool,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    if place.ty == Type::Bool {
        found.extend(["true", "false"].map(|it| Candidate {
            label: it.to_owned(),
            text: it.to_owned(),
            is_default: false,
        }));
    }
    if matches!(&place.ty, Type::Object(it) if it.attributes.len() > it.optional.len()) {
        let form = Snippet { is_json, has_stops: false };
        let label = "{ … }".to_owned();
        found.push(Candidate { label, text: snippet(place, form), is_default: false });
    }
    if variable.is_hidden() {
        return found;
    }
    if matches!(place.ty, Type::String | Type::Number) {
        let options = SchemaOptions { inline: true, ..SchemaOptions::default() };
        let generated = generate_metered(module, &options, &Meter::new(WORK));
        let schema = generated.schema.to_json().to_serde();
        let mut values = Vec::new();
        let here = schema.pointer(&format!("/properties/{}", pointer(&variable.name)));
        let mut left = MOST_PARTS;
        here.into_iter().for_each(|it| gather(it, links, &mut values, &mut left));
        for it in values {
            let text = match (&it, &place.ty) {
                (Json::String(_), Type::String) => it.to_string(),
                (Json::Number(it), Type::Number) => it.to_string(),
                _ => continue,
            };
            let text = if is_json { text } else { escaped(&text) };
            found.push(Candidate { label: text.clone(), text, is_default: false });
        }
    }
    let default = if links.is_empty() { &variable.default } else { &place.default };
    if let Some(it) = default.as_ref().filter(|it| !it.is_null()) {
        let text = if is_json { value_to_json(it).ok() } else { Some(value_source(it)) };
        let text = text.filter(|it| it.len() <= LONGEST && !it.contains("(unknown)"));
        if let Some(text) = text {
            match found.iter_mut().find(|it| it.text == text) {
                Some(it) => it.is_default = true,
                None => found.insert(0, Candidate { label: text.clone(), text, is_default: true }),
            }
        }
    }
    found.dedup();
    found
}

/// A name in a JSON pointer.
fn pointer(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { name.replace('~', "~0").replace('/', "~1") }
}

/// A JSON text as a literal of the native syntax, where a template would begin otherwise.
fn escaped(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}

/// The values that a schema lists at a place.
fn gather(schema: &Json, links: &[Link], found: &mut Vec<Json>, left: &mut usize) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    let Some((first, rest)) = links.split_first() else {
        let listed = schema.get("enum").and_then(Json::as_array).into_iter().flatten();
        for it in listed.chain(schema.get("const")) {
            if !found.contains(it) {
                found.push(it.clone());
            }
        }
        return each_part(schema, |it| gather(it, links, found, left));
    };
    let inner = match first {
        Link::Key(name) => {
            let named = schema.get("properties").and_then(|it| it.get(name));
            named.or_else(|| schema.get("additionalProperties"))
        }
        _ => schema.get("items"),
    };
    inner.into_iter().for_each(|it| gather(it, rest, found, left));
    each_part(schema, |it| gather(it, links, found, left));
}

/// The schemas that are combined into one.
fn each_part(schema: &Json, mut take: impl FnMut(&Json)) {
    for key in ["allOf", "anyOf", "oneOf"] {
        schema.get(key).and_then(Json::as_array).into_iter().flatten().for_each(&mut take);
    }
}
