//! What the evaluator accepts, the schema accepts; what an exact translation refuses, the evaluator
//! refuses: over generated canonical values of every variable with conditions.
//!
//! `TERRASCHEMA_MODULES` names a directory whose modules are tried, too, and `TERRASCHEMA_VALUES`
//! how many values of each variable (100).

use std::{collections::BTreeMap, fs, path::Path};

use terraschema::{
    condition::{self, Fidelity},
    diagnostic::FileId,
    eval::{self, EvalHost, Scope},
    module::{self, Module, Variable},
    schema::{self, Conditions, Json, Options},
    syntax::parse_expression,
    system::{OsSystem, System},
    value::{Content, Value},
    version::Version,
};

use super::values::{Constants, Random};
use crate::schema::modules::module;

#[derive(Debug, Default)]
struct Tally {
    modules: usize,
    refused: usize,
    variables: usize,
    exact: usize,
    necessary: usize,
    untranslated: usize,
    /// Conditions with a value that they accept and one that they refuse among those tried.
    both: usize,
    values: usize,
    wrong: Vec<String>,
}

#[test]
fn no_schema_is_stronger_than_its_conditions() {
    let mut tally = Tally::default();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec/conditions");
    for entry in fs::read_dir(dir).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for section in text.split("```hcl\n").skip(1) {
            judge("tests/spec", &module(section.split("```").next().unwrap()), &mut tally);
        }
    }
    assert!(tally.both * 2 > tally.variables, "few values tell true from false: {tally:?}");
    if let Some(root) = std::env::var_os("TERRASCHEMA_MODULES") {
        tally = Tally::default();
        directory(Path::new(&root), &mut tally);
        let wrong = std::mem::take(&mut tally.wrong);
        eprintln!("{tally:?}");
        tally.wrong = wrong;
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn directory(dir: &Path, tally: &mut Tally) {
    let Ok(entries) = OsSystem.list(dir) else { return };
    if let Ok((module, problems)) = module::load(&OsSystem, dir, &module::Options::default())
        && !module.variables.is_empty()
    {
        tally.modules += 1;
        if problems
            .iter()
            .any(|it| it.is_error() && it.rule.contains("syntax") || it.rule == "invalid-variable")
        {
            tally.refused += 1;
            eprintln!("{}: {}", dir.display(), problems[0].message());
        } else {
            judge(&dir.display().to_string(), &module, tally);
        }
    }
    for entry in entries.iter().filter(|it| it.kind == terraschema::system::EntryKind::Directory) {
        if !entry.name.starts_with('.') {
            directory(&dir.join(&entry.name), tally);
        }
    }
}

fn judge(name: &str, module: &Module, tally: &mut Tally) {
    let json = schema::generate(module, &Options::default()).schema.to_json().to_serde();
    if let Err(error) = jsonschema::draft7::meta::validate(&json) {
        tally.wrong.push(format!("{name}: not a schema: {error}"));
    }
    let options = Options { conditions: Conditions::None, ..Options::default() };
    let types = schema::generate(module, &options).schema.to_json().to_serde();
    for variable in module.variables.values() {
        let place = format!("{name}: {}", variable.name);
        let property = |root: &serde_json::Value| {
            jsonschema::draft7::new(&root["properties"][variable.name.as_str()])
        };
        let (validator, types) = match (property(&json), property(&types)) {
            (Ok(validator), Ok(types)) => (validator, types),
            (Err(error), _) | (_, Err(error)) => {
                tally.wrong.push(format!("{place}: {error}"));
                continue;
            }
        };
        default(&place, variable, &json, module, tally);
        if !variable.validations.is_empty() {
            tally.variables += 1;
            values(&place, (module, variable), &validator, &types, tally);
        }
    }
}

/// A default that the conditions accept passes, unless a null is nested in it.
fn default(
    place: &str,
    variable: &Variable,
    schema: &serde_json::Value,
    module: &Module,
    tally: &mut Tally,
) {
    let property = &schema["properties"][variable.name.as_str()];
    let Some(default) = property.get("default") else { return };
    let Some(value) = &variable.default else { return };
    let nested_null = !default.is_null() && default.to_string().contains("null");
    if nested_null || holds(module, variable, value) != Some(true) {
        return;
    }
    if let Err(error) = jsonschema::draft7::new(property).unwrap().validate(default) {
        tally.wrong.push(format!("{place}: default {default}: {error}"));
    }
}

fn values(
    place: &str,
    (module, variable): (&Module, &Variable),
    validator: &jsonschema::Validator,
    types: &jsonschema::Validator,
    tally: &mut Tally,
) {
    let translations = condition::translate(module, variable);
    for translation in &translations {
        match translation.fidelity() {
            Fidelity::Exact => tally.exact += 1,
            Fidelity::Necessary => tally.necessary += 1,
            Fidelity::Untranslated => tally.untranslated += 1,
        }
    }
    let exact = translations.iter().all(|it| it.fidelity() == Fidelity::Exact);
    let constants = Constants::of(variable);
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..count() {
        let json = constants.value(&variable.constraint.ty, &mut random, 0);
        if !types.is_valid(&json) {
            continue;
        }
        let Some(value) = convert(variable, &json) else { continue };
        let Some(truth) = holds(module, variable, &value) else { continue };
        tally.values += 1;
        *(if truth { &mut accepted } else { &mut refused }) += 1;
        let valid = validator.is_valid(&json);
        if truth && !valid {
            tally.wrong.push(format!("{place}: {json}: stronger than the conditions"));
        }
        if exact && !truth && valid {
            tally.wrong.push(format!("{place}: {json}: called exact, but weaker"));
        }
    }
    tally.both += usize::from(accepted > 0 && refused > 0);
}

fn count() -> usize {
    std::env::var("TERRASCHEMA_VALUES").ok().and_then(|it| it.parse().ok()).unwrap_or(100)
}

fn convert(variable: &Variable, json: &serde_json::Value) -> Option<Value> {
    let text = Json::from(json.clone()).to_text(false).replace("${", "$${").replace("%{", "%%{");
    let text = text.replace("\\b", "\\u0008").replace("\\f", "\\u000c");
    let (expr, problems) = parse_expression(FileId::default(), text.as_bytes(), 0);
    assert!(problems.is_empty(), "{text}: {problems:?}");
    variable.constraint.accept(&condition::fold(&expr)?).ok()
}

/// Whether every condition is true for the value; `None` when one depends on what is not known.
fn holds(module: &Module, variable: &Variable, value: &Value) -> Option<bool> {
    let mut data: BTreeMap<_, _> = BTreeMap::new();
    for other in module.variables.values() {
        let unknown = || Value::unknown(other.constraint.ty.clone());
        data.insert(other.name.clone(), other.default.clone().unwrap_or_else(unknown));
    }
    data.insert(variable.name.clone(), value.clone());
    let host = EvalHost::new(&OsSystem, ".", Version::NEWEST);
    let scope = Scope { data: &data, host: &host, version: Version::NEWEST };
    let mut all = true;
    for rule in &variable.validations {
        let (value, diagnostics) = eval::evaluate(&rule.condition, &scope);
        match value.content() {
            Content::Unknown(_) if diagnostics.is_empty() => return None,
            _ => all &= diagnostics.is_empty() && value == Value::bool(true),
        }
    }
    Some(all)
}
