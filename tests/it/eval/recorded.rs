//! Replays what a real Terraform 1.11 answered.

use std::{collections::BTreeMap, fs, path::PathBuf};

use release::Release;
use testkit::eval::{
    json::Json,
    ours::{ApplyOutcome, Prelude, evaluate_text},
    transcripts,
};

/// Where we differ on purpose: expression and reason.
const DEVIATIONS: &[(&str, &str)] = &[
    ("bcrypt(\"a\") != \"\"", "known after the apply only; a plan does not know it"),
    ("fileexists(\"e0.tf\")", "Terraform's evaluation had a file of this name beside it"),
];

/// Another directory of recordings of the same form.
const DIRECTORY: &str = "TERRASCHEMA_EXPRESSIONS_DATA";

#[test]
fn recorded_expressions_agree() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/oracle/expressions");
    let directory = std::env::var(DIRECTORY).unwrap_or_else(|_| own.to_string());
    let directory = PathBuf::from(directory);
    let prelude = directory.join("prelude.tf");
    let prelude = fs::read_to_string(&prelude).unwrap_or_else(|_| {
        fs::read_to_string(format!("{own}/prelude.tf")).expect("the prelude of the recordings")
    });
    let prelude = Prelude::parse(&prelude);
    let mut checked = 0;
    let mut wrong = Vec::new();
    let mut deviations: BTreeMap<&str, &str> = DEVIATIONS.iter().copied().collect();
    for recording in recordings(&directory) {
        checked += 1;
        let text = recording.get("expr").and_then(Json::as_str).expect("an expression");
        let expected = expected(&recording);
        let actual = evaluate_text(text, &prelude, Release::V1_11);
        let agrees = agrees(&expected, &actual);
        match (deviations.remove(text), agrees) {
            (Some(reason), true) => wrong.push(format!("{text}: no deviation any more ({reason})")),
            (None, false) => {
                wrong.push(format!("{text}\n  expected {expected:?}\n  actual   {actual:?}"));
            }
            _ => (),
        }
    }
    assert!(checked > 0, "no recordings in {}", directory.display());
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The recorded expressions, with their answers in a transcript's form.
pub fn answers() -> Vec<(String, String)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/oracle/expressions");
    let answer = |it: &Json| {
        let text = it.get("expr").and_then(Json::as_str).expect("an expression");
        let is_known = !DEVIATIONS.iter().any(|it| it.0 == text);
        is_known.then(|| (text.to_string(), transcripts::answer(&expected(it))))
    };
    recordings(&PathBuf::from(directory)).iter().filter_map(answer).collect()
}

fn recordings(directory: &PathBuf) -> Vec<Json> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).expect("recordings").map(|it| it.expect("a file").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    let read = |it: &PathBuf| Json::parse(&fs::read_to_string(it).expect("a recording"));
    files.iter().flat_map(|it| read(it).items().to_vec()).collect()
}

fn expected(recording: &Json) -> ApplyOutcome {
    if recording.get("ok") != Some(&Json::Bool(true)) {
        let errors = recording.get("errors").map(Json::items).unwrap_or_default();
        let summary = |it: &Json| it.get("summary").and_then(Json::as_str).map(str::to_string);
        return ApplyOutcome::Error(errors.iter().filter_map(summary).collect());
    }
    let value = recording.get("value").and_then(Json::as_str).expect("a value");
    if value == "Infinity" {
        return ApplyOutcome::Infinite;
    }
    let ty = recording.get("type").expect("a type").clone();
    ApplyOutcome::Value { ty, value: Json::parse(value) }
}

/// Type and value must be the same; of a failure only that it is one.
fn agrees(expected: &ApplyOutcome, actual: &ApplyOutcome) -> bool {
    match (expected, actual) {
        (ApplyOutcome::Error(_), ApplyOutcome::Error(_)) => true,
        // What is still unknown after an apply is null: `format("%s", null)`.
        (ApplyOutcome::Value { ty, value: Json::Null }, ApplyOutcome::Unknown { ty: actual }) => {
            ty == actual
        }
        _ => expected == actual,
    }
}
