//! react-jsonschema-form renders each example's form in jsdom; what is filled in and submitted is what
//! Terraform takes, and what breaks a rule is not submitted.

use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{answers, tools};
use crate::workspace::{Answer, BINARY, Workspace};

/// The examples, and steps that fill in their forms. The broken one has a rule that only a plan can
/// judge.
const FILLED: [(&str, &str); 6] = [
    (
        "examples/web-service",
        r##"[["set", "root_name", "shop"], ["set", "root_api_token", "t0ken"],
        ["choose", "root_environment", "prod"], ["set", "root_replicas", "3"],
        ["press", "#root_ports__add"], ["set", "root_ports_1_number", "8443"],
        ["press", "#root_labels__add"], ["set", "root_labels_newKey-key", "team"],
        ["set", "root_labels_team", "web"],
        ["choose", "root_database__anyof_select", "object"],
        ["choose", "root_database_engine", "mysql"],
        ["set", "root_database_replica_region", "eu-west-1"]]"##,
    ),
    ("examples/web-service", r#"[["set", "root_name", "shop"], ["set", "root_api_token", "t"]]"#),
    (
        "examples/monorepo/modules/network",
        r##"[["set", "root_cidr", "10.0.0.0/8"], ["press", "#root_zones__add"],
        ["set", "root_zones_2", "c"]]"##,
    ),
    (
        "examples/monorepo/modules/bucket",
        r##"[["set", "root_bucket_name", "logs"], ["tick", "root_bucket_versioning"],
        ["press", "#root_bucket_lifecycle__add"],
        ["set", "root_bucket_lifecycle_newKey-key", "days"],
        ["set", "root_bucket_lifecycle_days", "30"]]"##,
    ),
    ("examples/monorepo/live/dev", "[]"),
    ("examples/monorepo/live/prod", r#"[["set", "root_region", "eu-west-1"]]"#),
];

/// Forms that are not submitted, and what their errors say.
const REFUSED: [(&str, &str, &str); 3] = [
    (
        "examples/web-service",
        r#"[["set", "root_name", "Shop"], ["set", "root_api_token", "t"]]"#,
        ".name must match pattern",
    ),
    (
        "examples/web-service",
        r#"[["set", "root_name", "shop"], ["set", "root_api_token", "t"],
        ["choose", "root_environment", "prod"], ["set", "root_replicas", "1"]]"#,
        ".replicas must be >= 2",
    ),
    ("examples/monorepo/live/prod", r#"[["set", "root_region", "us-east-1"]]"#, "pattern"),
];

#[derive(Deserialize)]
struct Outcome {
    data: Option<Value>,
    errors: Vec<String>,
    labels: Vec<String>,
}

/// A form of the example's schema, filled in.
fn job(example: &str, steps: &str, draft: &str) -> Value {
    let flags = ["--stdout", "--annotations", "--disallow-additional-properties", "--draft"];
    let mut command = Command::new(BINARY);
    let output = command.args(["-i", example]).args(flags).arg(draft).output().unwrap();
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    json!({ "schema": parsed(&Answer::new(output).stdout), "steps": parsed(steps) })
}

#[test]
fn forms_submit_what_terraform_takes() {
    let Some(dir) = tools::node_modules() else { return };
    let drafts = ["draft-07", "2020-12"];
    let filled = FILLED.iter().flat_map(|it| drafts.map(|draft| (it, job(it.0, it.1, draft))));
    let filled: Vec<_> = filled.collect();
    let refused: Vec<Value> = REFUSED.iter().map(|it| job(it.0, it.1, "draft-07")).collect();
    let jobs: Vec<Value> = filled.iter().map(|it| it.1.clone()).chain(refused).collect();
    let mut node = Command::new("node");
    let workspace = Workspace::new();
    let outcomes: Vec<Outcome> = answers(node.arg(dir.join("jsdom.mjs")), &jobs, &workspace);
    let (submitted, refused) = outcomes.split_at(filled.len());
    for (((example, steps), job), outcome) in filled.iter().zip(submitted) {
        assert_eq!(outcome.errors, Vec::<String>::new(), "{example}: {steps}");
        shows_all(example, &job["schema"], outcome);
        let data = outcome.data.as_ref().unwrap().to_string();
        let file = workspace.write("submitted.tfvars.json", &data).path("submitted.tfvars.json");
        let mut command = Command::new(BINARY);
        command.args(["validate", "-i", example, "-var-file"]).arg(file);
        let verdict = Answer::new(command.output().unwrap());
        assert_eq!(verdict.code, 0, "{example}: {data}\n{}", verdict.text());
    }
    for ((example, steps, part), outcome) in REFUSED.iter().zip(refused) {
        assert_eq!(outcome.data, None, "{example}: {steps}");
        assert!(outcome.errors.iter().any(|it| it.contains(part)), "{:?}", outcome.errors);
    }
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
