//! Small modules whose verdict a real Terraform was asked for (`tests/record-asked`): override files, imports, providers.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use super::doubt::report_within;

/// Modules that are judged otherwise, by the reason. One that agrees after all fails the test.
const DEVIATIONS: &[(&str, &[&str])] = &[
    (
        "from 1.14 on, a provider's schema decides which actions it has",
        &["other/action/0~base", "other/action/0~both"],
    ),
    (
        "`-backend-config` can replace an argument of a backend",
        &["bl/backend \"local\" { path = \"\" }"],
    ),
    (
        "an assertion about a set of which only a plan knows the elements",
        &["untyped/assert toset([terraform_data.o.id])"],
    ),
];

/// A line of a file in `tests/data/asked`.
#[derive(Deserialize)]
struct Row {
    name: String,
    files: BTreeMap<String, String>,
    /// Environment variables.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// By the release that answered.
    terraform: BTreeMap<String, Answer>,
    /// Whether only a plan can decide, since a provider or a state decides; or the releases for which this is so.
    #[serde(default)]
    undecided: Undecided,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Undecided {
    Always(bool),
    For(Vec<String>),
}

impl Default for Undecided {
    fn default() -> Self {
        Undecided::Always(false)
    }
}

impl Undecided {
    fn has(&self, release: &String) -> bool {
        match self {
            Undecided::Always(it) => *it,
            Undecided::For(it) => it.contains(release),
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    verdict: String,
    /// Summary and place.
    errors: Vec<(String, Option<String>)>,
}

fn differences(row: &Row) -> Vec<String> {
    let files: Vec<(&str, &str)> =
        row.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let environment: Vec<(&str, &str)> =
        row.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut found = Vec::new();
    for (release, answer) in &row.terraform {
        let option = match release.strip_prefix("opentofu-") {
            Some(version) => format!("--opentofu={version}"),
            None => format!("--terraform-version={release}"),
        };
        let report = report_within(&environment, &option, &files);
        let verdict = report["verdict"].as_str().unwrap_or_default();
        let expected =
            if row.undecided.has(release) { "undecided" } else { answer.verdict.as_str() };
        if verdict != expected {
            let ours = &report["findings"];
            let Answer { verdict: theirs, errors } = answer;
            found.push(format!(
                "{} ({release}): {verdict}, Terraform: {theirs} {errors:?}\n  ours: {ours}",
                row.name
            ));
        }
    }
    found
}

#[test]
fn what_terraform_was_asked_is_judged_alike() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/asked");
    let mut files: Vec<_> = fs::read_dir(&dir).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    let (mut rows, mut differing) = (0, BTreeMap::new());
    for file in &files {
        for line in fs::read_to_string(file).unwrap().lines() {
            let row: Row = serde_json::from_str(line).unwrap();
            rows += 1;
            let found = differences(&row);
            if !found.is_empty() {
                differing.insert(row.name.clone(), found.join("\n"));
            }
        }
    }
    let known = DEVIATIONS.iter().flat_map(|it| it.1);
    let agreeing: Vec<_> = known.filter(|it| differing.remove(**it).is_none()).collect();
    let texts: Vec<&str> = differing.values().map(String::as_str).collect();
    assert!(texts.is_empty(), "{} of {rows}:\n{}", texts.len(), texts.join("\n"));
    assert!(agreeing.is_empty(), "these agree now: {agreeing:#?}");
    assert!(rows >= 1000, "only {rows} modules were found");
}
