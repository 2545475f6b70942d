//! react-jsonschema-form renders each example's form in jsdom and in Chromium; what is filled in and
//! submitted is what Terraform takes, and what breaks a rule is not submitted.

use std::{fs, process::Command};

use serde::Deserialize;
use serde_json::{Value, json};
use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace, binary},
};

use super::{answers, tools};

trials![
    forms_submit_what_terraform_takes,
    forms_show_the_messages_of_rules,
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    forms_do_so_in_a_browser,
];

/// A form to fill in, from `tests/consumers/forms.json`. The broken example has none: one of its rules
/// waits for a plan.
#[derive(Deserialize)]
struct Case {
    example: String,
    steps: Value,
    /// A part of an error, where the form must not be submitted.
    refused: Option<String>,
    /// The same in the author's words.
    message: Option<String>,
}

#[derive(Deserialize)]
struct Outcome {
    data: Option<Value>,
    errors: Vec<String>,
    labels: Vec<String>,
    /// The text that a browser has on the screen.
    seen: Option<String>,
}

/// The example's schema, and how to fill in its form.
fn job(case: &Case, flags: &[&str]) -> Value {
    let all = ["--stdout", "--annotations", "--disallow-additional-properties"];
    let mut command = Command::new(binary());
    let output = command.args(["-i", &case.example]).args(all).args(flags).output().unwrap();
    let schema: Value = serde_json::from_str(&Answer::new(output).stdout).unwrap();
    json!({ "schema": schema, "steps": case.steps })
}

fn cases() -> Vec<Case> {
    let cases = fs::read_to_string("tests/consumers/forms.json").unwrap();
    serde_json::from_str(&cases).unwrap()
}

fn forms_submit_what_terraform_takes() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let mut node = Command::new("node");
    submitted(node.arg(dir.join("jsdom.mjs")));
    Ok(())
}

/// With `customizeValidator` as `docs/schema.md` shows, and the flag `--error-messages`.
fn forms_show_the_messages_of_rules() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let mut node = Command::new("node");
    told(node.arg(dir.join("jsdom.mjs")));
    Ok(())
}

/// The same by mouse and keys in Chromium, where nothing counts but what is to be seen.
/// `TERRASCHEMA_PICTURE=FILE` takes a picture of the first form.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn forms_do_so_in_a_browser() -> Result<(), MissingProgram> {
    let script = tools::browser()?;
    told(Command::new("node").arg(&script));
    submitted(Command::new("node").arg(&script));
    Ok(())
}

fn submitted(script: &mut Command) {
    let cases = cases();
    let drafts = ["draft-07", "2020-12"];
    let cases: Vec<(&Case, Value)> = cases
        .iter()
        .flat_map(|it| drafts.map(|draft| (it, job(it, &["--draft", draft]))))
        .collect();
    let jobs: Vec<Value> = cases.iter().map(|(_, job)| job.clone()).collect();
    let workspace = Workspace::new();
    let outcomes: Vec<Outcome> = answers(script, &jobs, &workspace);
    for ((Case { example, steps, refused, .. }, job), outcome) in cases.iter().zip(outcomes) {
        shows_all(example, &job["schema"], &outcome);
        if let Some(part) = refused {
            assert_eq!(outcome.data, None, "{example}: {steps}");
            assert!(outcome.errors.iter().any(|it| it.contains(part)), "{:?}", outcome.errors);
            continue;
        }
        assert_eq!(outcome.errors, Vec::<String>::new(), "{example}: {steps}");
        let data = outcome.data.unwrap().to_string();
        let file = workspace.write("submitted.tfvars.json", &data).path("submitted.tfvars.json");
        let mut command = Command::new(binary());
        command.args(["validate", "-i", example, "-var-file"]).arg(file);
        let verdict = Answer::new(command.output().unwrap());
        assert_eq!(verdict.code, 0, "{example}: {data}\n{}", verdict.text());
    }
}

fn told(script: &mut Command) {
    let cases = cases();
    let jobs: Vec<Value> = cases.iter().map(|it| job(it, &["--error-messages"])).collect();
    let outcomes: Vec<Outcome> = answers(script, &jobs, &Workspace::new());
    let mut shown = 0;
    for ((Case { example, steps, message, .. }, job), outcome) in
        cases.iter().zip(jobs).zip(outcomes)
    {
        shows_all(example, &job["schema"], &outcome);
        let Some(message) = message else {
            assert_eq!(outcome.errors, Vec::<String>::new(), "{example}: {steps}");
            continue;
        };
        assert_eq!(outcome.data, None, "{example}: {steps}");
        assert!(outcome.errors.iter().any(|it| it.ends_with(message)), "{:?}", outcome.errors);
        if let Some(seen) = outcome.seen {
            assert!(seen.contains(message), "{example}: {message} in {seen}");
        }
        shown += 1;
    }
    assert!(shown > 2);
}

/// The form has a field for every variable, in the order of the module.
fn shows_all(example: &str, schema: &Value, outcome: &Outcome) {
    let order = |it: &Value| it["x-terraform"]["order"].as_u64().unwrap();
    let mut variables: Vec<_> = schema["properties"].as_object().unwrap().iter().collect();
    variables.sort_by_key(|it| order(it.1));
    let mut labels = outcome.labels.iter();
    for (name, property) in variables {
        let title = property["title"].as_str().unwrap_or(name);
        let found = labels.any(|it| it.trim_end_matches('*') == title);
        let has_label = property["type"] != "boolean";
        assert!(found || !has_label, "{example}: {title} in {:?}", outcome.labels);
    }
}
