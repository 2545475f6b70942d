//! What others bring into our builds and releases, and what may be done with our rights.
#![cfg(unix)]

use std::{collections::BTreeMap, fs, path::PathBuf};

use report::TOOL_VERSION;
use serde_json::{Value, json};
use testkit::yaml::yaml;

fn files(dir: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|it| it.unwrap().path());
    entries.filter(|it| it.extension().is_some_and(|it| it == extension)).collect()
}

/// An action that a workflow or a sample uses: the text after `uses:`, and the comment.
fn used() -> Vec<(PathBuf, String, String)> {
    let workflows = files(".github/workflows", "yml").into_iter().chain(files("hooks", "yml"));
    let pages = ["docs", "docs/rules", "."].into_iter().flat_map(|it| files(it, "md"));
    let mut found = Vec::new();
    for file in workflows.chain(pages).chain([PathBuf::from("action.yml")]) {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let line = line.trim_start().trim_start_matches("- ");
            let Some(action) = line.strip_prefix("uses: ") else { continue };
            let (action, comment) = action.split_once(" # ").unwrap_or((action, ""));
            found.push((file.clone(), action.to_owned(), comment.to_owned()));
        }
    }
    found
}

#[test]
fn every_action_is_pinned_by_its_commit() {
    let mut commits = BTreeMap::new();
    let used = used();
    assert!(used.len() > 20, "{used:?}");
    for (file, action, comment) in used {
        let own = format!("terraschema/terraschema@v{TOOL_VERSION}");
        // People write our own tag, and the pages say how to pin it.
        if action == "./" || (action == own && !file.starts_with(".github")) {
            continue;
        }
        let (name, commit) = action.split_once('@').unwrap();
        let is_digit = |it: char| it.is_ascii_digit() || ('a'..='f').contains(&it);
        let file = file.display();
        assert!(commit.len() == 40 && commit.chars().all(is_digit), "{file}: {action}");
        let version =
            comment.strip_prefix('v').map(|it| it.split('.').all(|it| it.parse::<u32>().is_ok()));
        assert_eq!(version, Some(true), "{file}: the version of {action} is {comment:?}");
        let pin = (commit.to_owned(), comment);
        assert_eq!(commits.entry(name.to_owned()).or_insert_with(|| pin.clone()), &pin, "{file}");
    }
}

/// The jobs of a workflow by name.
fn jobs(file: &str) -> serde_json::Map<String, Value> {
    let workflow = yaml(&fs::read_to_string(file).unwrap());
    let samples = file.starts_with("hooks");
    let all = if samples { json!({"contents": "read"}) } else { json!({}) };
    assert_eq!(workflow["permissions"], all, "{file}: a job that says nothing gets no more");
    workflow["jobs"].as_object().unwrap().clone()
}

#[test]
fn every_job_has_the_permissions_that_it_needs_and_no_more() {
    let read = json!({"contents": "read"});
    let of_job = |name: &str| match name {
        "attest" => json!({"id-token": "write", "attestations": "write"}),
        "publish" => json!({"contents": "write"}),
        "pypi" => json!({"id-token": "write"}),
        _ => read.clone(),
    };
    for file in [".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        for (name, job) in jobs(file) {
            assert_eq!(job["permissions"], of_job(&name), "{file}: {name}");
            let text = job.to_string();
            let may_write = job["permissions"] != read;
            let runs_ours = ["actions/checkout", "cargo ", "scripts/", "tests/run"];
            assert!(!may_write || !runs_ours.iter().any(|it| text.contains(it)), "{file}: {name}");
            assert_eq!(text.contains("secrets."), name == "satellites", "{file}: {name}");
            assert!(job.get("env").is_none_or(|it| !it.to_string().contains("secrets.")));
        }
    }
}

#[test]
fn no_checkout_leaves_credentials_behind() {
    let workflows =
        [".github/workflows/ci.yml", ".github/workflows/release.yml", "hooks/workflow.yml"];
    for file in workflows {
        for (name, job) in jobs(file) {
            let steps = job["steps"].as_array().unwrap().iter();
            for step in steps.filter(|it| {
                it["uses"].as_str().is_some_and(|it| it.starts_with("actions/checkout@"))
            }) {
                assert_eq!(step["with"]["persist-credentials"], false, "{file}: {name}");
            }
        }
    }
}

/// What may publish installs nothing but what it knows.
#[test]
fn the_publisher_of_the_wheels_is_known_by_its_hash() {
    let job = &jobs(".github/workflows/release.yml")["pypi"];
    let script = job["steps"][1]["run"].as_str().unwrap();
    let tools = fs::read_to_string("tests/consumers/requirements.txt").unwrap();
    let maturin = tools.lines().find(|it| it.starts_with("maturin")).unwrap();
    assert!(script.starts_with(&format!("echo '{maturin} --hash=sha256:")), "{script}");
    assert!(script.contains("pip install --require-hashes "), "{script}");
}
