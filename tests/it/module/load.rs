//! Loading, against Terraform's recorded verdicts.

use std::collections::BTreeSet;

use diagnostics::{Diagnostics, lints};
use module::{LoadOptions, Module};
use release::Release;
use system::OsSystem;

use crate::oracle::{self, Case, Message};

/// What Terraform says about a module before it looks at values.
const LOAD_ERRORS: &[&str] = &[
    "Can't override validation blocks",
    "Duplicate variable declaration",
    "Duplicate local value definition",
    "Extraneous label for validation",
    "Function calls not allowed",
    "Variables not allowed",
    "Extraneous label for variable",
    "Extraneous JSON object property",
    "Incorrect JSON value type",
    "Invalid character encoding",
    "Invalid default value for optional attribute",
    "Invalid default value for variable",
    "Invalid legacy variable type hint",
    "Invalid quoted type constraints",
    "Invalid single-argument block definition",
    "Invalid type specification",
    "Invalid validation expression",
    "Invalid variable name",
    "Invalid variable validation condition",
    "Missing base variable declaration to override",
    "Missing name for variable",
    "Missing required argument",
    "Unsuitable value type",
    "Unsupported Terraform Core version",
    "Unsupported argument",
    "Unsupported block type",
];

#[test]
fn recorded_modules_load_as_in_terraform() {
    let mut failures = Vec::new();
    for case in &oracle::cases() {
        let (_, diagnostics) = load(case);
        let given: BTreeSet<(&str, Option<&str>)> =
            diagnostics.iter().map(|it| named(&it.summary, it.variable.as_deref())).collect();
        // Wording of syntax errors is our own.
        let is_syntax = diagnostics.iter().any(|it| it.rule == lints::INVALID_SYNTAX);
        for run in &case.runs {
            let expected: BTreeSet<(&str, Option<&str>)> = run
                .expected
                .errors
                .iter()
                .map(|it| named(&it.summary, it.variable.as_deref()))
                .collect();
            let loads = !run.expected.errors.iter().any(is_load_error);
            let agree = match is_syntax {
                true => run.expected.verdict == "reject",
                false if loads => given.is_empty(),
                false => given == expected,
            };
            if !agree {
                failures.push(format!("{} {}: {given:?}, not {expected:?}", case.name, run.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} runs:\n{}", failures.len(), failures.join("\n"));
}

/// A summary and its variable. To us, a block with a wrong number of labels does not belong to a
/// variable.
fn named<'a>(summary: &'a str, variable: Option<&'a str>) -> (&'a str, Option<&'a str>) {
    (summary, variable.filter(|_| !summary.starts_with("Extraneous label")))
}

fn load(case: &Case) -> (Module, Diagnostics) {
    let options = LoadOptions { release: Release::V1_11, ..LoadOptions::default() };
    module::load(&OsSystem, &case.dir, &options).unwrap()
}

fn is_load_error(error: &Message) -> bool {
    let file = error.at.as_deref().and_then(|it| it.split(':').next()).unwrap_or_default();
    let is_module = file.ends_with(".tf") || file.ends_with(".tf.json");
    is_module && LOAD_ERRORS.contains(&error.summary.as_str())
}
