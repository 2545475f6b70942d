//! Runs `tests/spec/conditions/*.md`.
//!
//! A section has a variable (`hcl`), the schema made of it (`json`; `UPDATE=1` rewrites it, and the
//! fidelity in front of it), and values, one a line, that the schema accepts (`accepted`) or
//! refuses (`rejected`). Each value of the right JSON kinds is also put to the evaluator: a schema
//! never refuses what the conditions accept, and an exact one accepts nothing that they refuse.

use std::{collections::BTreeMap, ops::Range};

use diagnostics::FileId;
use hcl::parse_expression;
use libtest_mimic::Trial;
use module::{Module, Variable};
use projection::{
    condition::{self, Fidelity},
    schema::{self, CarriedConditions, Draft, SchemaOptions},
};
use release::Release;
use system::MemorySystem;
use testkit::{modules::module, validator::validator};
use tf_eval::{EvalHost, Meter, Scope};
use tf_value::Value;

use crate::pages::{self, Checked};

/// The values of a section, and how its schema is made.
struct Case {
    accepted: Vec<String>,
    rejected: Vec<String>,
    /// draft-07, unless the section says `Draft: 2020-12`.
    options: SchemaOptions,
}

pub fn trials() -> Vec<Trial> {
    pages::trials("conditions", check)
}

fn check(section: &str) -> Checked {
    let case = Case {
        accepted: block(section, "accepted").lines().map(str::to_owned).collect(),
        rejected: block(section, "rejected").lines().map(str::to_owned).collect(),
        options: SchemaOptions { draft: draft(section), ..SchemaOptions::default() },
    };
    let module = module(&block(section, "hcl"));
    let mut updated = section.to_owned();
    let rendered = render(&module, &case.options);
    if let Some(place) = written(section) {
        updated.replace_range(place, &rendered);
    } else {
        // A new section has none yet.
        let inside = section.find("```hcl\n").unwrap() + 3;
        let end = inside + section[inside..].find("```\n").unwrap() + 4;
        updated.insert_str(end, &format!("\n{rendered}\n"));
    }
    Checked { section: updated, wrong: judge(&case, &module) }
}

/// Where the fidelity and the schema are in the section.
fn written(section: &str) -> Option<Range<usize>> {
    let start = section.find("Fidelity: ")?;
    let json = "```json\n";
    let end = section[start..].find(json).map_or(section.len(), |it| {
        let inside = start + it + json.len();
        inside + section[inside..].find("```").unwrap() + 3
    });
    Some(start..end)
}

fn draft(section: &str) -> Draft {
    let said = |it: &Draft| section.contains(&format!("\nDraft: {}\n", it.as_str()));
    Draft::ALL.into_iter().find(said).unwrap_or_default()
}

fn block(section: &str, kind: &str) -> String {
    let open = format!("```{kind}\n");
    let Some(at) = section.find(&open) else { return String::new() };
    let rest = &section[at + open.len()..];
    rest[..rest.find("```").unwrap()].to_owned()
}

/// The fidelities of the blocks and the variable's schema.
fn render(module: &Module, options: &SchemaOptions) -> String {
    let variable = module.variables.values().next().unwrap();
    let translations = condition::translate(module, variable, options.target(), &Meter::default());
    let fidelities: Vec<String> = translations
        .iter()
        .map(|it| {
            let reasons: Vec<_> = it.region.losses.iter().map(|it| it.reason.to_string()).collect();
            let reasons = if reasons.is_empty() {
                String::new()
            } else {
                format!(" ({})", reasons.join("; "))
            };
            format!("{}{reasons}", it.fidelity().as_str())
        })
        .collect();
    format!(
        "Fidelity: {}\n\n```json\n{}\n```",
        fidelities.join(", "),
        property(module, variable, options)
    )
}

/// Several variables are judged together, in documents of all inputs.
fn is_document(module: &Module) -> bool {
    module.variables.len() > 1
}

fn property(module: &Module, variable: &Variable, options: &SchemaOptions) -> String {
    let root = schema::generate(module, options).schema.to_json();
    if is_document(module) {
        return root.to_text(false);
    }
    let schema::SchemaJson::Object(root) = &root else { panic!("not an object") };
    let Some(schema::SchemaJson::Object(properties)) = root.get("properties") else { panic!() };
    properties[variable.name.as_str()].to_text(false)
}

fn judge(case: &Case, module: &Module) -> Vec<String> {
    let variable = module.variables.values().next().unwrap();
    let schema: serde_json::Value =
        serde_json::from_str(&property(module, variable, &case.options)).unwrap();
    let draft = case.options.draft;
    let whole = validator(draft, &schema);
    let options = SchemaOptions { conditions: CarriedConditions::None, ..case.options.clone() };
    let schema = serde_json::from_str(&property(module, variable, &options)).unwrap();
    let types = validator(draft, &schema);
    let exact = condition::translate(module, variable, options.target(), &Meter::default())
        .iter()
        .all(|it| it.fidelity() == Fidelity::Exact);
    let mut wrong = Vec::new();
    let expected = [(&case.accepted, true), (&case.rejected, false)];
    for (line, expected) in expected.iter().flat_map(|(it, ok)| it.iter().map(move |it| (it, *ok)))
    {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let accepted = whole.is_valid(&value);
        if accepted != expected {
            wrong.push(format!("{line}: the schema says {accepted}"));
        }
        if !types.is_valid(&value) {
            continue;
        }
        let given: Vec<(&Variable, String)> = if is_document(module) {
            let members = value.as_object().unwrap();
            members
                .iter()
                .map(|(name, it)| (&module.variables[name.as_str()], it.to_string()))
                .collect()
        } else {
            vec![(variable, line.clone())]
        };
        let verdict = terraform_accepts(module, &given);
        if verdict && !accepted {
            wrong.push(format!("{line}: refused, but the conditions hold"));
        }
        if exact && !verdict && accepted && !value.is_null() {
            wrong.push(format!("{line}: accepted, but a condition fails"));
        }
    }
    wrong
}

fn convert(variable: &Variable, json: &str) -> Option<Value> {
    // JSON is HCL, except for the escapes of `${` and `%{`.
    let text = json.replace("${", "$${").replace("%{", "%%{");
    let (expr, problems) = parse_expression(FileId::default(), text.as_bytes(), 0);
    assert!(problems.is_empty(), "{json}: {problems:?}");
    variable.constraint.accept(&condition::fold(&expr, &Meter::default()).unwrap()).ok()
}

/// Whether the values convert, every condition is true for them, and no message fails.
fn terraform_accepts(module: &Module, given: &[(&Variable, String)]) -> bool {
    let mut data = BTreeMap::new();
    for variable in module.variables.values() {
        let value = match given.iter().find(|(it, _)| it.name == variable.name) {
            Some((_, json)) => convert(variable, json),
            None => variable.default.clone(),
        };
        let Some(value) = value else { return false };
        data.insert(variable.name.clone(), value);
    }
    let system = MemorySystem::new();
    let host = EvalHost::new(&system, ".", Release::NEWEST);
    let scope = Scope { data: &data, host: &host, release: Release::NEWEST };
    let mut rules = module.variables.values().flat_map(|it| &it.validations);
    rules.all(|it| {
        let (value, diagnostics) = tf_eval::evaluate(&it.condition, &scope);
        let message = it.error_message.as_ref();
        // Terraform evaluates the message in any case.
        let failed = message.is_some_and(|it| !tf_eval::evaluate(it, &scope).1.is_empty());
        diagnostics.is_empty() && value == Value::bool(true) && !failed
    })
}
