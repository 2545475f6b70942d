//! Runs `tests/spec/schema/*.md`: a module (`hcl`), flags, and the schema that comes out (`json`;
//! `UPDATE=1` rewrites it). Every schema must be valid in its draft, and every default valid under it.

use libtest_mimic::Trial;
use module::Module;
use projection::schema::{self, CarriedConditions, Draft, SchemaJson, SchemaOptions, VOCABULARY};
use testkit::{modules::module, validator::validator};

use crate::pages::{self, Checked};

pub fn trials() -> Vec<Trial> {
    pages::trials("schema", check_section)
}

fn check_section(section: &str) -> Checked {
    let start = section.find("```json\n").unwrap() + "```json\n".len();
    let end = start + section[start..].find("```").unwrap();
    let mut updated = section.to_owned();
    updated.replace_range(start..end, &render(section));
    Checked { section: updated, wrong: Vec::new() }
}

fn render(section: &str) -> String {
    let start = section.find("```hcl\n").unwrap() + "```hcl\n".len();
    let hcl = &section[start..=(start + section[start..].find("\n```").unwrap())];
    let flags = section.lines().find_map(|it| it.strip_prefix("Flags: ")).unwrap_or_default();
    let options = options(flags);
    let schema = schema::generate(&module(hcl), &options).schema;
    let json = schema.to_json();
    for escape in [false, true] {
        assert_eq!(schema.to_text(escape), json.to_text(escape));
    }
    check(&json, options.draft);
    if options.draft == Draft::default() && !options.annotations {
        other_forms(&module(hcl), &options);
    }
    json.to_text(false) + "\n"
}

fn options(flags: &str) -> SchemaOptions {
    let mut options = SchemaOptions::default();
    for flag in flags.split_whitespace() {
        match flag.split_once('=') {
            None if flag == "nullable_all" => options.nullable_all = true,
            None if flag == "annotations" => options.annotations = true,
            None if flag == "sensitive_defaults" => options.sensitive_defaults = true,
            Some(("draft", name)) => options.draft = Draft::from_name(name).unwrap(),
            None if flag == "inline" => options.inline = true,
            None if flag == "error_messages" => options.error_messages = true,
            None if flag == "descriptions_from_comments" => {
                options.descriptions_from_comments = true;
            }
            None if flag == "require_all" => options.require_all = true,
            None if flag == "disallow_additional_properties" => {
                options.disallow_additional_properties = true;
            }
            Some(("conditions", "basic")) => options.conditions = CarriedConditions::Basic,
            Some(("conditions", "none")) => options.conditions = CarriedConditions::None,
            Some(("ignore", name)) => _ = options.ignore_variables.insert(name.to_owned()),
            Some(("property", it)) => {
                let (key, value) = it.split_once('=').unwrap();
                options.properties.insert(key.to_owned(), value.to_owned());
            }
            _ => panic!("no such flag: {flag}"),
        }
    }
    options
}

/// The same module in the other draft and with annotations: as valid, and the annotations say nothing
/// to a validator.
fn other_forms(module: &Module, options: &SchemaOptions) {
    for draft in Draft::ALL {
        let plain = SchemaOptions { draft, ..options.clone() };
        let annotated = SchemaOptions { annotations: true, ..plain.clone() };
        let [plain, mut annotated] =
            [plain, annotated].map(|it| schema::generate(module, &it).schema.to_json());
        check(&plain, draft);
        check(&annotated, draft);
        let SchemaJson::Object(root) = &mut annotated else { panic!("not an object") };
        let Some(SchemaJson::Object(properties)) = root.get_mut("properties") else { panic!() };
        for property in properties.values_mut() {
            let SchemaJson::Object(members) = property else { panic!("no annotations") };
            members.retain(|name, _| !["writeOnly", "deprecated", VOCABULARY].contains(&&**name));
        }
        without_formats(&mut annotated);
        assert_eq!(plain, annotated);
    }
}

/// The only format that is written. Every text that matches the pattern next to it has this format, as the validators
/// in `consumers`, which assert formats, find.
fn without_formats(schema: &mut SchemaJson) {
    match schema {
        SchemaJson::Object(members) => {
            members.retain(|name, it| name != "format" || *it != SchemaJson::string("date-time"));
            members.values_mut().for_each(without_formats);
        }
        SchemaJson::Array(elements) => elements.iter_mut().for_each(without_formats),
        _ => (),
    }
}

/// Valid in its draft; each default passes, unless it is null or has one in it.
fn check(root: &SchemaJson, draft: Draft) {
    let schema = root.to_serde();
    if schema["required"].is_array() {
        validator(draft, &schema);
        jsonschema::meta::validate(&schema).unwrap();
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    for (name, property) in properties {
        defaults(name, property, draft);
    }
}

fn defaults(name: &str, schema: &serde_json::Value, draft: Draft) {
    let Some(members) = schema.as_object() else { return };
    if let Some(default) = members.get("default")
        // A null default may be one that the rules refuse.
        && !default.is_null()
        && !has_nested_null(default)
    {
        let result = validator(draft, schema).validate(default);
        assert!(result.is_ok(), "{name}: {default}: {result:?}");
    }
    for (key, member) in members {
        match member {
            serde_json::Value::Object(inner) if key == "properties" => {
                inner.iter().for_each(|(name, it)| defaults(name, it, draft));
            }
            serde_json::Value::Object(_) if key != "default" => defaults(name, member, draft),
            serde_json::Value::Array(elements)
                if ["items", "prefixItems", "anyOf"].contains(&key.as_str()) =>
            {
                elements.iter().for_each(|it| defaults(name, it, draft));
            }
            _ => (),
        }
    }
}

fn has_nested_null(value: &serde_json::Value) -> bool {
    let is_null_inside = |it: &serde_json::Value| it.is_null() || has_nested_null(it);
    match value {
        serde_json::Value::Array(elements) => elements.iter().any(is_null_inside),
        serde_json::Value::Object(members) => members.values().any(is_null_inside),
        _ => false,
    }
}
