//! Blocks that say nothing of variables: what Terraform refuses in them is refused, and no more.

use std::collections::BTreeMap;

use diagnostics::has_errors;
use module::LoadOptions;
use release::{Product, Release};
use serde::Deserialize;

use super::{load, load_with};

/// A module, and the summaries of what Terraform 1.11.4 said about its blocks. What it said for lack of `terraform
/// init` is left out.
#[derive(Deserialize)]
struct Recorded {
    files: BTreeMap<String, String>,
    refused: Vec<String>,
}

/// Refused because of something that only a provider or a list of backends knows, or too odd to be
/// of use.
const PASSED_OVER: [&str; 4] = [
    "on_failure = fail\n command = \"true\"\n connection {}\n",
    "from = ephemeral.a\n",
    "data \"terraform_remote_state\" \"x\" {}\n",
    "_ {\n count = 1\n}",
];

/// A keyword as a type, which Terraform takes.
const REFUSED: [&str; 1] = ["from = ephemeral.a.b\n"];

#[test]
fn blocks_are_refused_as_recorded() {
    let lines = include_str!("../../data/blocks.jsonl").lines();
    let mut listed = Vec::new();
    let mut compared = 0;
    for line in lines {
        let Recorded { files, refused } = serde_json::from_str(line).unwrap();
        let text = files.values().map(String::as_str).collect::<String>();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, it)| (&**name, &**it)).collect();
        let (_, found) = load(&files);
        let is_listed = |list: &[&str]| list.iter().any(|it| text.contains(it));
        let expected = if has_errors(&found) {
            !refused.is_empty() || is_listed(&REFUSED)
        } else {
            refused.is_empty() || is_listed(&PASSED_OVER)
        };
        compared += 1;
        if !expected {
            listed.push(format!("{files:?}\n    ours: {found:?}\n    Terraform: {refused:?}"));
        }
    }
    assert!(compared > 350, "only {compared} modules were found");
    assert!(listed.is_empty(), "{} differ:\n{}", listed.len(), listed.join("\n"));
}

/// Blocks came with versions; what a later one takes in them is not refused.
/// As Terraform 1.11.4 answers each of them.
#[test]
fn an_ignored_attribute_in_quotes_has_no_index_behind_a_dot() {
    let taken = [
        "input",
        "input[0].a",
        "input[\\\"x\\\"]",
        "input.b-c",
        "input[0.5]",
        " input ",
        "input .a",
        "input[ 0 ]",
        "input[0][1]",
        "input[1.0]",
        "/* c */input",
    ];
    let refused = [
        "input.0.a",
        "input.*",
        "input[*].b",
        "input b",
        "",
        "*",
        "0",
        "input[b]",
        "input.0",
        "input[-1]",
        "input['a']",
        "(input)",
        "f(input)",
        "input.",
        "input[true]",
        "input[null]",
    ];
    for (text, is_refused) in
        taken.iter().map(|it| (it, false)).chain(refused.iter().map(|it| (it, true)))
    {
        let module = format!(
            "resource \"terraform_data\" \"r\" {{\n  lifecycle {{\n    ignore_changes = [\"{text}\"]\n  }}\n}}\n"
        );
        assert_eq!(has_errors(&load(&[("main.tf", &module)]).1), is_refused, "{text}");
    }
    let bare = "resource \"terraform_data\" \"r\" {\n  lifecycle {\n    ignore_changes = [input.0.a]\n  }\n}\n";
    assert!(!has_errors(&load(&[("main.tf", bare)]).1));
}

#[test]
fn blocks_are_those_of_the_version() {
    let load = |text: &str, release| {
        let options = LoadOptions { release, ..LoadOptions::default() };
        has_errors(&load_with(&[("a.tf", text)], &options).1)
    };
    let import = "import {\n  to = a.b\n  id = \"x\"\n}\n";
    assert!(!load(import, Release::V1_11));
    let removed = "removed {\n  from = a.b\n}\n";
    assert!(load(removed, Release::parse(Product::Terraform, "1.6").unwrap()));
    assert!(!load(removed, Release::parse(Product::Terraform, "1.7").unwrap()));
    let identity = "import {\n  to = a.b\n  identity = { name = \"x\" }\n}\n";
    assert!(load(identity, Release::V1_11));
    assert!(!load(identity, Release::NEWEST));
    assert!(load("import {}\n", Release::NEWEST));
    let source = "variable \"x\" {}\nmodule \"m\" {\n  source = var.x\n}\n";
    assert!(load(source, Release::V1_11));
    assert!(!load(source, Release::NEWEST));
}
