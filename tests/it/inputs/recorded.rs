//! Values files and other sources, against Terraform's recorded verdicts.

use std::{collections::BTreeSet, path::PathBuf};

use diagnostics::{Diagnostics, has_errors};
use module::{
    LoadOptions, Module, Variable,
    inputs::{self, Collected, InputArgument, InputRequest},
};
use release::Release;
use system::{MemorySystem, OsSystem};
use tf_eval::Meter;
use tf_value::{Value, json};

use crate::oracle::{self, Case, Message, Run};

/// What Terraform says about a value at its place after it has been collected.
const LATER: &[&str] = &[
    "Failed to prepare variable value for plan",
    "Invalid value for input variable",
    "Invalid value for variable",
    "Required variable not set",
];

/// What Terraform says without a place while it reads and collects.
const WITHOUT_PLACE: &[&str] = &[
    "Failed to read variables file",
    "Invalid -var option",
    "No value for required variable",
    "Value for undeclared variable",
];

/// Runs whose record differs from ours, and why; one that agrees must leave the list.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    ("json-number-from-string", "v18.tfvars.json", "a plan records the negative zero as 0"),
    ("json-set-number", "v04.tfvars.json", "a plan records the negative zero as 0"),
    ("jsyn-numbers", "minus0.tfvars.json", "a plan records the negative zero as 0"),
];

#[test]
fn recorded_inputs_are_read_as_in_terraform() {
    let mut failures = Vec::new();
    for case in &oracle::cases() {
        let options = LoadOptions { release: Release::V1_11, ..LoadOptions::default() };
        let (mut module, problems) = module::load(&OsSystem, &case.dir, &options).unwrap();
        if has_errors(&problems) {
            continue;
        }
        for run in &case.runs {
            let listed = DEVIATIONS.iter().find(|it| (it.0, it.1) == (&case.name, &run.name));
            match (judge(case, run, &mut module), listed) {
                (Ok(()), None) | (Err(_), Some(_)) => (),
                (Err(reason), None) => {
                    failures.push(format!("{} {}: {reason}", case.name, run.name));
                }
                (Ok(()), Some((case, run, why))) => {
                    failures.push(format!("{case} {run}: no longer deviates ({why})"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} runs:\n{}", failures.len(), failures.join("\n"));
}

fn judge(case: &Case, run: &Run, module: &mut Module) -> Result<(), String> {
    let expected = &run.expected.errors;
    let (collected, read, collect) = inputs(case, run, module);
    if has_errors(&read) {
        let is_rejected = run.expected.verdict == "reject";
        return if is_rejected { Ok(()) } else { Err(format!("rejected: {read:?}")) };
    }
    if has_errors(&collect) {
        let ours = collect.iter().filter(|it| it.is_error());
        let ours: BTreeSet<_> = ours.map(|it| (it.summary.as_str(), named(it))).collect();
        let theirs: BTreeSet<_> = expected
            .iter()
            .map(|it| (it.summary.as_str(), it.variable.as_deref().filter(|_| is_named(it))))
            .collect();
        return if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, not {theirs:?}")) };
    }
    if expected.iter().any(is_input_error) {
        return Err(format!("accepted, not {expected:?}"));
    }
    if run.expected.verdict == "accept" {
        return check_values(run, module, &collected);
    }
    Ok(())
}

fn inputs(case: &Case, run: &Run, module: &mut Module) -> (Collected, Diagnostics, Diagnostics) {
    let files = run.var_files.iter().map(|it| InputArgument::File(PathBuf::from(it)));
    let options = run.args.iter().filter_map(|it| it.strip_prefix("-var="));
    let options = options.map(|it| InputArgument::Value(it.to_owned()));
    let request = InputRequest {
        dir: case.dir.clone(),
        environment: false,
        auto_files: true,
        arguments: files.chain(options).collect(),
    };
    let system = run.env.iter().fold(MemorySystem::new(), |it, (k, v)| it.with_env(k, v));
    let environment = InputRequest { environment: true, ..InputRequest::default() };
    let (mut layers, mut read) =
        inputs::read(&system, &mut module.sources, &environment, module.release);
    let (more, problems) = inputs::read(&OsSystem, &mut module.sources, &request, module.release);
    layers.extend(more);
    read.extend(problems);
    let (collected, mut collect) =
        inputs::collect(&module.variables, layers, Release::V1_11, &Meter::default());
    collect.extend(inputs::without_value(&module.variables, &collected).map(inputs::missing));
    (collected, read, collect)
}

/// Terraform names the variable of these only.
fn is_named(error: &Message) -> bool {
    WITHOUT_PLACE.contains(&error.summary.as_str())
}

fn named(diagnostic: &diagnostics::Diagnostic) -> Option<&str> {
    let is_named = WITHOUT_PLACE.contains(&diagnostic.summary.as_str());
    diagnostic.variable.as_deref().filter(|_| is_named)
}

fn is_input_error(error: &Message) -> bool {
    let file = error.at.as_deref().and_then(|it| it.split(':').next()).unwrap_or_default();
    let is_input = file.contains(".tfvars") || file.starts_with("<value");
    (is_input && !LATER.contains(&error.summary.as_str())) || is_named(error)
}

fn check_values(run: &Run, module: &Module, collected: &Collected) -> Result<(), String> {
    for (name, expected) in run.expected.values.iter().flatten() {
        let variable = &module.variables[name.as_str()];
        let value = match collected.get(name.as_str()) {
            Some(input) => converted(variable, &input.value),
            None => variable.default.clone().unwrap(),
        };
        let text = json::value_to_json(&value).unwrap();
        let ty = json::type_to_json(value.ty());
        if (&text, &ty) != (&expected.value, &expected.ty) {
            let (theirs, their_type) = (&expected.value, &expected.ty);
            return Err(format!("var.{name} is {ty} {text}, not {their_type} {theirs}"));
        }
    }
    Ok(())
}

fn converted(variable: &Variable, value: &Value) -> Value {
    let value = variable.constraint.accept(value).unwrap();
    if value.is_null() && !variable.is_nullable() {
        return variable.default.clone().unwrap();
    }
    value
}
