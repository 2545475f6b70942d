//! The texts in a schema, to look for secret ones among them.

use std::collections::BTreeSet;

use super::SchemaJson;
use module::reveals;
use stack::guarded;

/// Adds the texts of every `default` in the schema of a variable, without keys, since most of these are
/// declared attributes.
pub fn texts_of_defaults(schema: &SchemaJson, texts: &mut BTreeSet<String>) {
    guarded(|| match schema {
        SchemaJson::Object(members) => {
            for (keyword, it) in members {
                if keyword == "default" {
                    of_json(it, false, texts);
                } else {
                    texts_of_defaults(it, texts);
                }
            }
        }
        SchemaJson::Array(elements) => elements.iter().for_each(|it| texts_of_defaults(it, texts)),
        _ => (),
    });
}

fn of_json(json: &SchemaJson, with_keys: bool, texts: &mut BTreeSet<String>) {
    guarded(|| match json {
        SchemaJson::Null | SchemaJson::Bool(_) => (),
        SchemaJson::Number(it) => add(&it.to_string(), texts),
        SchemaJson::String(it) => add(it, texts),
        SchemaJson::Array(elements) => elements.iter().for_each(|it| of_json(it, with_keys, texts)),
        SchemaJson::Object(members) => {
            for (key, it) in members {
                if with_keys {
                    add(key, texts);
                }
                of_json(it, with_keys, texts);
            }
        }
        SchemaJson::Record(members) => {
            members.iter().for_each(|(_, it)| of_json(it, with_keys, texts));
        }
    });
}

fn add(text: &str, texts: &mut BTreeSet<String>) {
    if reveals(text) {
        texts.insert(text.to_owned());
    }
}

/// Adds the texts that a rule can choose: all but the words of JSON Schema itself.
pub(super) fn of_schema(schema: &SchemaJson, texts: &mut BTreeSet<String>) {
    guarded(|| match schema {
        SchemaJson::Object(members) => {
            for (keyword, it) in members {
                match keyword.as_str() {
                    "type" => (),
                    "enum" | "const" => of_json(it, true, texts),
                    "properties" | "patternProperties" => of_named(it, texts),
                    _ => of_schema(it, texts),
                }
            }
        }
        SchemaJson::Array(elements) => elements.iter().for_each(|it| of_schema(it, texts)),
        _ => of_json(schema, true, texts),
    });
}

fn of_named(schemas: &SchemaJson, texts: &mut BTreeSet<String>) {
    let SchemaJson::Object(schemas) = schemas else { return };
    for (name, it) in schemas {
        texts.insert(name.clone());
        of_schema(it, texts);
    }
}
