//! `policy test` with `*.policytest.hcl`.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run as run_command};

use super::command;

const POLICY: &str = r#"
input "least" {
  type    = number
  default = 3
}
resource_policy "t" "size" {
  enforce {
    condition     = attrs.size >= input.least
    error_message = "Too small."
  }
}
resource_policy "linked" "has_part" {
  locals {
    parts = core::getresources("part", { of = attrs.id })
  }
  enforce {
    condition = core::length(local.parts) == 1
  }
}
resource_policy "gone" "kept" {
  operations = ["delete"]
  enforce {
    condition = prior_attrs.keep != true
  }
}
module_policy "*" "versions" {
  enforce {
    condition = core::semverconstraint(meta.version, ">= 2.0.0")
  }
}
provider_policy "aws" "region" {
  enforce {
    condition = attrs.region == "eu-west-1" && meta.alias == null
  }
}
"#;

/// What the command says about a test file.
fn run(test: &str) -> (u8, String) {
    let files = [("p/a.policy.hcl", POLICY), ("p/a.policytest.hcl", test)];
    let (code, out, err) = command(&files, "test p --format concise");
    (code, err + &out)
}

#[test]
fn mocks_are_judged_as_a_plan_is() {
    let test = r#"
policytest {
  targets = ["a.policy.hcl"]
}
locals {
  big = 4
}
resource "t" "passes" {
  attrs = { size = local.big }
}
resource "t" "fails" {
  expect_failure = true
  attrs          = { size = 2 }
}
resource "t" "by_input" {
  attrs = { size = input.least }
  inputs {
    least = 1
  }
}
resource "t" "skipped" {
  skip  = true
  attrs = { size = 0 }
}
resource "linked" "by_id" {
  attrs = { id = "x" }
}
resource "part" "of_it" {
  skip  = true
  attrs = { of = linked.by_id.id }
}
resource "linked" "new" {
  expect_failure = true
  attrs          = { id = "y", name = data.names.one.value }
}
data "names" "one" {
  attrs = { value = jsonencode(["a"]) }
}
resource "gone" "kept" {
  expect_failure = true
  prior_attrs    = { keep = true }
}
resource "gone" "free" {
  meta        = { operation = "delete" }
  prior_attrs = { keep = null }
}
module "a/b/c" "old" {
  expect_failure = true
  meta           = { version = "1.0.0" }
}
module "a/b/c" "new" {
  meta = { version = "2.1.0" }
}
provider "aws" "near" {
  attrs = { region = "eu-west-1" }
}
provider "aws" "aliased" {
  expect_failure = true
  meta           = { alias = "x" }
  attrs          = { region = "eu-west-1" }
}
"#;
    assert_eq!(run(test), (0, String::new()));
    let flipped = test.replace("expect_failure = true", "expect_failure = false");
    let (code, out) = run(&flipped);
    assert_eq!((code, out.lines().count()), (1, 5), "{out}");
    assert!(out.contains("t.fails: expected pass, found fail"), "{out}");
    let (code, out) = run(&test.replace("skip  = true\n  attrs = { size", "attrs = { size"));
    assert!(code == 1 && out.contains("t.skipped"), "{out}");
}

#[test]
fn an_undecided_mock_is_not_as_expected() {
    let test = r#"
resource "linked" "a" {
  attrs = { id = other.b.id }
}
resource "other" "b" {
  skip  = true
  attrs = { name = "x" }
}
resource "part" "p" {
  skip  = true
  attrs = { of = "z" }
}
"#;
    let (code, out) = run(test);
    assert!(code == 1 && out.contains("linked.a: expected pass, found undecided"), "{out}");
    assert!(out.contains("core::getresources() finds is known after apply"), "{out}");
}

#[test]
fn errors_in_tests_have_their_places() {
    for (test, wanted) in [
        (
            "resource \"t\" {\n}\n",
            "p/a.policytest.hcl:1:1: error[invalid-configuration] resource must",
        ),
        ("resources \"t\" \"a\" {\n}\n", "Unknown block \"resources\""),
        ("resource \"t\" \"a\" {\n  attrs = { size = 1 }\n  fails = true\n}\n", "3:3: error"),
        ("resource \"t\" \"a\" {\n  block {\n  }\n}\n", "2:3: error"),
        ("data \"t\" \"a\" {\n  expect_failure = true\n}\n", "2:3: error"),
        ("resource \"t\" \"a\" {\n  attrs = { size = nothing.b.c }\n}\n", "2:20: error"),
        (
            "resource \"t\" \"a\" {\n  attrs = { size = t.b.size }\n}\nresource \"t\" \"b\" {\n  \
            attrs = { size = t.a.size }\n}\n",
            "refer to each other in a cycle",
        ),
        (
            "resource \"t\" \"a\" {\n  meta = { operation = \"x\" }\n  attrs = { size = 1 }\n}\n",
            "Unknown operation",
        ),
        (
            "resource \"t\" \"a\" {\n  attrs = { size = 1 }\n  inputs {\n    leest = 1\n  }\n}\n",
            "\"leest\" is not declared",
        ),
        ("policytest {\n  targets = [\"none.policy.hcl\"]\n}\n", "cannot read p/none.policy.hcl"),
        ("policytest {\n  target = []\n}\n", "Unknown setting \"target\""),
    ] {
        let (code, out) = run(test);
        assert!(code != 0 && out.contains(wanted), "{test}{code} {out}");
    }
}

#[test]
fn targets_are_files_and_directories_next_to_the_test() {
    let wrong = "resource_policy \"t\" \"p\" {\n  enforce {\n    condition = false\n  }\n}\n";
    let test = |targets: &str| {
        format!(
            "policytest {{\n  targets = [{targets}]\n}}\nresource \"t\" \"a\" {{\n  attrs = {{ size = 5 }}\n}}\n"
        )
    };
    let run = |targets: &str| {
        let test = test(targets);
        let files = [
            ("p/a.policy.hcl", POLICY),
            ("p/sub/b.policy.hcl", wrong),
            ("p/tests/a.policytest.hcl", test.as_str()),
        ];
        command(&files, "test p/tests/a.policytest.hcl --format concise").0
    };
    assert_eq!(run("\"../a.policy.hcl\""), 0);
    assert_eq!(run("\"../sub\""), 1);
    assert_eq!(run("\"..\""), 1);
    assert_eq!(run("\"../../../etc\""), 2);
}

/// The output of `policy ARGUMENTS` with the policies above, and with the variables of an environment.
fn in_environment(environment: &[(&str, &str)], test: &str, arguments: &str) -> (u8, String) {
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "t.a", "mode":
        "managed", "type": "t", "name": "a", "change": {"actions": ["create"], "before": null,
        "after": {"size": 4}, "after_unknown": {}}}]}"#;
    let mut system = MemorySystem::new()
        .file("p/a.policy.hcl", POLICY)
        .file("p/a.policytest.hcl", test)
        .file("least.tfvars", "least = 5\n")
        .file("plan.json", plan);
    for (name, value) in environment {
        system = system.with_env(*name, *value);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = ["terraschema", "policy"].into_iter().chain(arguments.split_whitespace());
    let exit = run_command(words.map(OsString::from).collect(), &system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8(stderr).unwrap() + &String::from_utf8(stdout).unwrap())
}

/// In order: the `inputs` of a mock, those of the file, `--context`, the environment, `--context-file`, the
/// default.
#[test]
fn inputs_have_the_documented_precedence() {
    let mock = "resource \"t\" \"four\" {\n  attrs = { size = 4 }\n";
    let plain = format!("{mock}}}\n");
    let of_mock = format!("{mock}  inputs {{\n    least = 1\n  }}\n}}\n");
    let of_file = format!("inputs {{\n  least = 2\n}}\n{plain}");
    let high = [("TFPOLICY_INPUT_least", "9")];
    for (environment, test, arguments, is_passed) in [
        (&[][..], &plain, "test p", true),
        (&high, &plain, "test p", false),
        (&high, &plain, "test p --context least=4", true),
        (&[], &plain, "test p --context-file least.tfvars", false),
        (&[("TFPOLICY_INPUT_least", "3")], &plain, "test p --context-file least.tfvars", true),
        (&high, &of_file, "test p", true),
        (&high, &of_mock, "test p --context least=8", true),
        (&[("TFPOLICY_INPUT_other", "9")], &plain, "test p", true),
        (&[], &plain, "--plan plan.json p", true),
        (&high, &plain, "--plan plan.json p", false),
        (&high, &plain, "--plan plan.json p --context least=4", true),
    ] {
        let (code, said) = in_environment(environment, test, arguments);
        assert_eq!(code == 0, is_passed, "{environment:?} {test} {arguments}: {said}");
    }
    let (code, said) = in_environment(&[], &plain, "test p --context lest=4");
    assert_eq!(code, 2, "{said}");
    let wanted = "No tested policy declares the input \"lest\". Did you mean \"least\"?";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn what_a_mock_cannot_have_is_explained() {
    for (test, wanted) in [
        (
            "data \"d\" \"y\" {\n  expect_failure = true\n}\n",
            "data has no argument \"expect_failure\": The language has no expect_failure of data mocks.",
        ),
        (
            "resource \"t\" \"z\" {\n  inputs = { least = 1 }\n}\n",
            "resource has no argument \"inputs\": Write a block: inputs { NAME = VALUE }.",
        ),
    ] {
        let (code, said) = run(test);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(wanted), "{said}");
    }
}
