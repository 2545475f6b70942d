//! Recorded verdicts of Terraform (`tests/data/oracle`), as the tests of several layers read them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use testkit::unpacked::unpacked;

/// A recorded case: a module and what Terraform said about each run.
pub struct Case {
    pub name: String,
    pub dir: PathBuf,
    pub runs: Vec<Run>,
}

/// One `terraform plan`.
pub struct Run {
    pub name: String,
    /// Relative to the case's directory, in the order of the command line.
    pub var_files: Vec<String>,
    pub args: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub expected: Expected,
}

#[derive(Clone, Debug, Deserialize)]
#[allow(dead_code, reason = "each test reads what it needs")]
pub struct Expected {
    pub verdict: String,
    #[serde(default)]
    pub errors: Vec<Message>,
    #[serde(default)]
    pub warnings: Vec<Message>,
    #[serde(default)]
    pub values: Option<BTreeMap<String, TypedValue>>,
}

#[derive(Clone, Debug, Deserialize)]
#[allow(dead_code, reason = "each test reads what it needs")]
pub struct Message {
    pub summary: String,
    pub variable: Option<String>,
    pub rule: Option<usize>,
    pub detail: String,
    #[serde(default)]
    pub detail_variants: Vec<String>,
    /// `FILE:LINE,COLUMN-COLUMN`
    pub at: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct TypedValue {
    #[serde(rename = "type")]
    pub ty: serde_json::Value,
    /// Exact JSON text.
    pub value: String,
}

#[derive(Deserialize)]
struct ExpectedFile {
    files: BTreeMap<String, Expected>,
}

#[derive(Deserialize)]
struct RunSpec {
    name: String,
    #[serde(default)]
    var_files: Vec<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

/// All recorded cases, by name.
pub fn cases() -> Vec<Case> {
    cases_in(&unpacked("oracle/cases"))
}

/// The cases of another directory of the same form, by name.
pub fn cases_in(root: &Path) -> Vec<Case> {
    let mut names: Vec<String> = names(root);
    names.retain(|it| root.join(it).join("expected.json").exists());
    names.iter().map(|name| case(name, root.join(name))).collect()
}

fn case(name: &str, dir: PathBuf) -> Case {
    let expected = fs::read_to_string(dir.join("expected.json")).unwrap();
    let mut expected: ExpectedFile = serde_json::from_str(&expected).unwrap();
    let runs = specs(&dir).into_iter().filter_map(|it| {
        let expected = expected.files.remove(&it.name)?;
        let RunSpec { name, var_files, args, env } = it;
        Some(Run { name, var_files, args, env, expected })
    });
    let runs: Vec<Run> = runs.collect();
    assert!(expected.files.is_empty(), "{name}: recorded runs without a specification");
    Case { name: name.to_owned(), dir, runs }
}

fn specs(dir: &Path) -> Vec<RunSpec> {
    if let Ok(text) = fs::read_to_string(dir.join("runs.json")) {
        return serde_json::from_str(&text).unwrap();
    }
    let spec = |name: &str, var_files: Vec<String>| RunSpec {
        name: name.to_owned(),
        var_files,
        args: Vec::new(),
        env: BTreeMap::new(),
    };
    let files = names(dir).into_iter().filter(|it| is_values_file(it) && !is_auto_file(it));
    let specs: Vec<RunSpec> = files.map(|it| spec(&it, vec![it.clone()])).collect();
    if specs.is_empty() { vec![spec("(no file)", Vec::new())] } else { specs }
}

fn is_values_file(name: &str) -> bool {
    name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
}

fn is_auto_file(name: &str) -> bool {
    matches!(name, "terraform.tfvars" | "terraform.tfvars.json")
        || name.ends_with(".auto.tfvars")
        || name.ends_with(".auto.tfvars.json")
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
