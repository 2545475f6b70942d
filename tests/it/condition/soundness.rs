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
    /// Each condition once, with its worst fidelity and the reasons.
    different: BTreeMap<String, (Fidelity, String)>,
}

#[test]
fn no_schema_is_stronger_than_its_conditions() {
    let mut tally = Tally::default();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec/conditions");
    for entry in fs::read_dir(dir).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for section in text.split("```hcl\n").skip(1) {
            judge("tests/spec", &mut module(section.split("```").next().unwrap()), &mut tally);
        }
    }
    assert!(tally.both * 2 > tally.variables, "few values tell true from false: {tally:?}");
    if let Some(root) = std::env::var_os("TERRASCHEMA_MODULES") {
        tally = Tally::default();
        directory(Path::new(&root), &mut tally);
        let wrong = std::mem::take(&mut tally.wrong);
        let different = std::mem::take(&mut tally.different);
        let count = |it| different.values().filter(|(fidelity, _)| *fidelity == it).count();
        let [exact, necessary] = [Fidelity::Exact, Fidelity::Necessary].map(count);
        eprintln!("{tally:?}\ndifferent {}: exact {exact}, necessary {necessary}", different.len());
        if std::env::var_os("TERRASCHEMA_REASONS").is_some() {
            for (text, (fidelity, reason)) in &different {
                eprintln!("{}\t{reason}\t{text}", fidelity.as_str());
            }
        }
        tally.wrong = wrong;
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn directory(dir: &Path, tally: &mut Tally) {
    let Ok(entries) = OsSystem.list(dir) else { return };
    if let Ok((mut module, problems)) = module::load(&OsSystem, dir, &module::Options::default())
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
            judge(&dir.display().to_string(), &mut module, tally);
        }
    }
    for entry in entries.iter().filter(|it| it.kind == terraschema::system::EntryKind::Directory) {
        if !entry.name.starts_with('.') {
            directory(&dir.join(&entry.name), tally);
        }
    }
}

/// Each variable's own conditions, over documents of all inputs.
fn judge(name: &str, module: &mut Module, tally: &mut Tally) {
    let json = schema::generate(module, &Options::default()).schema.to_json().to_serde();
    if let Err(error) = jsonschema::draft7::meta::validate(&json) {
        tally.wrong.push(format!("{name}: not a schema: {error}"));
    }
    let options = Options { conditions: Conditions::None, ..Options::default() };
    let types = schema::generate(module, &options).schema.to_json().to_serde();
    let types = jsonschema::draft7::new(&types).unwrap();
    let mut rules: BTreeMap<_, _> = BTreeMap::new();
    for variable in module.variables.values_mut() {
        rules.insert(variable.name.clone(), std::mem::take(&mut variable.validations));
    }
    for (variable, validations) in rules {
        let place = format!("{name}: {variable}");
        if validations.is_empty() {
            continue;
        }
        module.variables[&variable].validations = validations;
        let json = schema::generate(module, &Options::default()).schema.to_json().to_serde();
        match jsonschema::draft7::new(&json) {
            Ok(validator) => {
                tally.variables += 1;
                default(&place, &module.variables[&variable], &json, module, tally);
                values(&place, (module, &module.variables[&variable]), &validator, &types, tally);
            }
            Err(error) => tally.wrong.push(format!("{place}: {error}")),
        }
        module.variables[&variable].validations = Vec::new();
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
    let alone = serde_json::json!({});
    if nested_null
        || value.is_null()
        || holds(module, variable, &alone, Version::NEWEST) != Some(true)
    {
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
        let text =
            module.sources.snippet(variable.validations[translation.validation].condition.span);
        let text: String = text.replace(&format!("var.{}", variable.name), "var.SELF");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let reasons: Vec<_> =
            translation.region.losses.iter().map(|it| it.reason.clone()).collect();
        let best =
            tally.different.entry(text).or_insert((translation.fidelity(), reasons.join("; ")));
        if translation.fidelity() > best.0 {
            *best = (translation.fidelity(), reasons.join("; "));
        }
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
        let json = document(module, variable, &constants, &mut random);
        if !types.is_valid(&json) {
            continue;
        }
        let Some(truth) = holds(module, variable, &json, Version::NEWEST) else { continue };
        let old = holds(module, variable, &json, Version::new(1, 11, 4));
        tally.values += 1;
        *(if truth { &mut accepted } else { &mut refused }) += 1;
        let valid = validator.is_valid(&json);
        if (truth || old == Some(true)) && !valid {
            tally.wrong.push(format!("{place}: {json}: stronger than the conditions"));
        }
        let is_given = json.get(variable.name.as_str()).is_some();
        if exact && is_given && !truth && valid {
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

/// Inputs for every variable; those that the conditions do not name may be left out.
fn document(
    module: &Module,
    variable: &Variable,
    constants: &Constants,
    random: &mut Random,
) -> serde_json::Value {
    let mut members = serde_json::Map::new();
    for other in module.variables.values() {
        let is_named = variable.validations.iter().any(|it| {
            eval::references(&it.condition)
                .iter()
                .any(|it| it.steps.first() == Some(&eval::Step::Attribute(&other.name)))
        });
        let itself =
            other.name == variable.name && (random.below(8) > 0 || other.default.is_none());
        let absent = other.default.is_some() && (!is_named || random.below(3) == 0);
        if itself || other.name != variable.name && !absent {
            let value = constants.value(&other.constraint.ty, random, 0);
            members.insert(other.name.to_string(), value);
        }
    }
    members.into()
}

/// Whether every condition is true; `None` when one depends on what is not known.
fn holds(
    module: &Module,
    variable: &Variable,
    json: &serde_json::Value,
    version: Version,
) -> Option<bool> {
    let mut data: BTreeMap<_, _> = BTreeMap::new();
    for other in module.variables.values() {
        let value = match json.get(other.name.as_str()) {
            Some(json) => convert(other, json)?,
            None => other.default.clone()?,
        };
        data.insert(other.name.clone(), value);
    }
    let host = EvalHost::new(&OsSystem, ".", version);
    let scope = Scope { data: &data, host: &host, version };
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
