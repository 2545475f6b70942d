//! YAML, as our own `yamldecode` reads it.

use std::fs;

use serde_json::Value;

use crate::workspace::{Workspace, binary, isolated};

/// The YAML blocks of `docs/ci.md`, as text and as what they mean.
pub fn ci_blocks() -> Vec<(String, Value)> {
    let page = fs::read_to_string("docs/ci.md").unwrap();
    let texts = page.split("```yaml\n").skip(1).map(|it| it.split("```").next().unwrap());
    texts.map(|it| (it.to_owned(), yaml(it))).collect()
}

pub fn yaml(text: &str) -> Value {
    let it = Workspace::new();
    it.write("it.yml", text);
    let decoded = "jsonencode(yamldecode(file(\"it.yml\")))";
    let mut command = isolated(binary(), &it.path(""));
    let output = command.args(["eval", "--format", "json", decoded]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_str(report["results"][0]["value"].as_str().unwrap()).unwrap()
}
