//! `terraschema check`: which modules it finds, what drift it reports, what `--fix` writes.

use std::path::Path;

use diagnostics::{Level, Verdict};
use report::{Format, NotJudged, NotJudgedKind, Report, Style, from_json, render};
use serde_json::Value;
use system::{MemorySystem, System};
use terraschema::{Console, Exit};

const MODULE: &str = r#"
variable "name" {
  type        = string
  description = "The name."
  validation {
    condition     = contains(["a", "b"], var.name)
    error_message = "a or b"
  }
}
variable "size" {
  type    = number
  default = 5
}
"#;

fn check(system: &dyn System, arguments: &[&str]) -> (Exit, String, String) {
    run(system, &[&["check"], arguments].concat())
}

fn run(system: &dyn System, arguments: &[&str]) -> (Exit, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema"].iter().chain(arguments).map(Into::into).collect();
    let exit = terraschema::run(arguments, system, &mut console);
    drop(console);
    let text = |it: Vec<u8>| String::from_utf8(it).unwrap();
    (exit, text(stdout), text(stderr))
}

fn rules(system: &dyn System, arguments: &[&str]) -> Vec<String> {
    let (_, stdout, _) = check(system, &[arguments, &["--format", "json"]].concat());
    let report = from_json(&stdout).unwrap();
    report.findings.iter().map(|it| format!("{} {}", it.module, it.rule)).collect()
}

/// A module with the schema that `--fix` writes for it.
fn fixed() -> MemorySystem {
    let system = MemorySystem::new().file("/m/variables.tf", MODULE).working_in("/m");
    let (exit, stdout, _) = check(&system, &["--fix"]);
    assert_eq!(exit, Exit::Clean, "{stdout}");
    assert!(stdout.contains("written: schema.json"), "{stdout}");
    system
}

fn schema(system: &MemorySystem) -> String {
    String::from_utf8(system.read(Path::new("/m/schema.json")).unwrap()).unwrap()
}

#[test]
fn what_was_fixed_is_clean_and_is_not_written_again() {
    let system = fixed();
    let before = schema(&system);
    assert_eq!(check(&system, &[]).0, Exit::Clean);
    let (exit, stdout, _) = check(&system, &["--fix"]);
    assert_eq!((exit, schema(&system)), (Exit::Clean, before));
    assert!(!stdout.contains("written"), "{stdout}");
}

/// Each rule counts as what its part in the schema is worth.
#[test]
fn rules_are_counted_by_fidelity() {
    let rules = [
        "var.a != \"x\"",
        "var.a != \"y\"",
        "var.a != \"z\" && md5(var.a) != \"x\"",
        "md5(var.a) != \"x\"",
    ];
    let block = |it| {
        format!("  validation {{\n    condition     = {it}\n    error_message = \"No.\"\n  }}\n")
    };
    let rules: String = [0, 1, 2, 2, 2, 3].map(|it: usize| block(rules[it])).concat();
    let text = format!("variable \"a\" {{\n  type = string\n{rules}}}\n");
    let system = MemorySystem::new().file("/m/main.tf", text).working_in("/m");
    let (_, stdout, _) = check(&system, &["--format", "json"]);
    let counts = from_json(&stdout).unwrap().modules()[0].translations;
    assert_eq!((counts.exact, counts.necessary, counts.untranslated), (2, 3, 1));
}

#[test]
fn only_the_meaning_of_a_schema_counts() {
    let system = fixed();
    let parsed: Value = serde_json::from_str(&schema(&system)).unwrap();
    let reversed = reversed(&parsed);
    let compact = serde_json::to_string(&reversed).unwrap();
    let crlf = serde_json::to_string_pretty(&reversed).unwrap().replace('\n', "\r\n");
    for text in [compact, crlf] {
        let system = fixed().file("/m/schema.json", &text);
        assert_eq!(check(&system, &[]).0, Exit::Clean, "{text}");
        check(&system, &["--fix"]);
        assert_eq!(schema(&system), text, "nothing to fix");
    }
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().rev().map(|(k, it)| (k.clone(), reversed(it))).collect()
        }
        other => other.clone(),
    }
}

#[test]
fn every_kind_of_drift_is_told_with_its_line() {
    let changes = [
        ("= string", "= number", "type", 3),
        ("The name.", "A name.", "description", 4),
        (r#"["a", "b"]"#, r#"["a", "c"]"#, "condition", 6),
        ("default = 5", "default = 6", "default", 12),
        ("variable \"size\"", "variable \"length\"", "missing in the schema", 10),
    ];
    for (old, new, told, line) in changes {
        let changed = MODULE.replace(old, new);
        // A condition over strings says nothing of a number.
        let changed = if told == "type" { changed.replace(r#"["a", "b"]"#, "[]") } else { changed };
        let system = fixed().file("/m/variables.tf", changed);
        let (exit, stdout, _) = check(&system, &["--format", "concise"]);
        assert_eq!(exit, Exit::Findings, "{stdout}");
        let place = format!("variables.tf:{line}:");
        let found = stdout.lines().any(|it| it.starts_with(&place) && it.contains(told));
        assert!(found, "{told} at {place} in\n{stdout}");
        assert!(check(&system, &[]).1.contains("+++ schema.json"), "there is a diff");
        assert_eq!(check(&system, &["--fix"]).0, Exit::Clean);
        assert_eq!(check(&system, &[]).0, Exit::Clean);
    }
}

#[test]
fn a_removed_variable_points_into_the_schema() {
    let only_name = MODULE.split("variable \"size\"").next().unwrap();
    let system = fixed().file("/m/variables.tf", only_name);
    let (_, stdout, _) = check(&system, &["--format", "concise"]);
    assert!(stdout.starts_with("schema.json:"), "{stdout}");
    assert!(
        stdout.contains("variable \"size\" is in the schema but not in the module"),
        "{stdout}"
    );
}

#[test]
fn a_schema_that_is_no_json_is_stale() {
    let system = fixed().file("/m/schema.json", "{\n  \"properties\": }\n");
    let (exit, stdout, _) = check(&system, &["--format", "concise"]);
    assert_eq!(exit, Exit::Findings);
    assert!(stdout.starts_with("schema.json:2:"), "{stdout}");
    assert_eq!(check(&system, &["--fix"]).0, Exit::Clean);
}

/// Such files are copied to a module; by themselves they change nothing.
#[test]
fn override_files_alone_are_no_module() {
    let patch = "variable \"x\" {\n  default = 2\n}\n\noutput \"o\" {\n  value = local.none\n}\n";
    let alone = MemorySystem::new()
        .file("/m/variables.tf", "variable \"x\" {}\n")
        .file("/m/patch/size_override.tf", patch)
        .file("/m/patch/override.tf.json", "{}");
    let told = |system: &MemorySystem| check(system, &["--format", "concise"]).1;
    assert!(!told(&alone).contains("patch"), "{}", told(&alone));
    let beside = alone.file("/m/patch/main.tf", "locals {\n  a = 1\n}\n");
    assert!(told(&beside).contains("patch/size_override.tf:1:1"), "{}", told(&beside));
}

/// A generated schema without a property.
const EMPTY: &str = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": true, "properties": {}, "required": []}"#;

#[test]
fn modules_are_found_and_what_is_none_is_not() {
    let system = MemorySystem::new()
        .file("/r/a/main.tf", "variable \"x\" {}")
        .file("/r/b/main.tf", "locals {}")
        .file("/r/b/schema.json", EMPTY)
        .file("/r/.terraform/modules/c/main.tf", "variable \"x\" {}")
        .file("/r/.hidden/d/main.tf", "variable \"x\" {}")
        .file("/r/e/schema.json", EMPTY)
        // Schemas of other tools.
        .file(
            "/r/g/schema.json",
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}"#,
        )
        .file("/r/h/main.tf", "locals {}")
        .file("/r/h/schema.json", EMPTY.replace("required", "title"))
        .file("/r/f/vars.tf.json", r#"{"variable": {"x": {}}}"#)
        .working_in("/r");
    let expected = ["a missing-schema", "b orphan-schema", "e orphan-schema", "f missing-schema"];
    assert_eq!(rules(&system, &[]), expected);
    assert_eq!(rules(&system, &["."]), expected);
    assert_eq!(rules(&system, &["a", "f"]), ["a missing-schema", "f missing-schema"]);
    assert_eq!(rules(&system, &["a/main.tf"]), ["a missing-schema"]);
    assert_eq!(rules(&system, &["/r/a"]), ["/r/a missing-schema"]);
}

#[test]
fn values_files_belong_to_the_nearest_module_above() {
    let system = MemorySystem::new()
        .file("/r/a/main.tf", "variable \"x\" { type = number }")
        .file("/r/a/envs/dev.tfvars.json", r#"{"x": "one"}"#)
        .file("/r/a/inner/main.tf", "variable \"y\" { type = number }")
        .file("/r/a/inner/dev.tfvars", "y = []")
        .file("/r/a/only-locals/main.tf", "locals {}")
        .file("/r/a/only-locals/dev.tfvars", "x = {}")
        .working_in("/r");
    check(&system, &["--fix"]);
    let mismatches =
        ["a type-mismatch", "a/inner type-mismatch", "a type-mismatch"].map(str::to_owned);
    let mut found = rules(&system, &[]);
    found.retain(|it| it.contains("mismatch"));
    assert_eq!(found, mismatches);
    assert_eq!(rules(&system, &["a/envs/dev.tfvars.json"]).len(), 1, "its module, and no other");
}

/// They are judged in groups, and each as if it were alone. The same value in two files is wrong in both, each in its
/// place. A problem of the module is reported once.
#[test]
fn of_many_values_files_each_is_judged_alone() {
    let mut system = MemorySystem::new()
        .file("/r/main.tf", "variable \"x\" {\n  default = 1\n  validation {\n    condition = var.x < 9\n    error_message = \"Below 9.\"\n  }\n}\nlocals {\n  y = var.z\n}\n")
        .file("/r/e/main.tf", "locals {}")
        .working_in("/r");
    for n in 0..50 {
        let value = if n % 10 == 7 { 10 } else { n % 9 };
        let text = format!("{}x = {value}\n", "\n".repeat(n));
        system = system.file(format!("/r/e/{n:02}.tfvars"), text);
    }
    let (_, stdout, _) = check(&system, &["--format", "concise"]);
    let failed = stdout.lines().filter(|it| it.contains("failed-validation"));
    let places: Vec<_> = failed.filter_map(|it| it.split_once(": ")).map(|it| it.0).collect();
    let wrong = [7, 17, 27, 37, 47];
    // A reference to what is not declared hides none of them.
    assert_eq!(places.len(), wrong.len(), "{stdout}");
    assert_eq!(stdout.matches("undeclared-reference").count(), 1, "{stdout}");
    system = system.file("/r/main.tf", "variable \"x\" {\n  default = 1\n  validation {\n    condition = var.x < 9\n    error_message = \"Below 9.\"\n  }\n}\n");
    let (_, stdout, _) = check(&system, &["--format", "concise"]);
    let failed = stdout.lines().filter(|it| it.contains("failed-validation"));
    let places: Vec<_> = failed.filter_map(|it| it.split_once(": ")).map(|it| it.0).collect();
    assert_eq!(places, wrong.map(|n| format!("e/{n:02}.tfvars:{}:5", n + 1)), "{stdout}");
}

#[test]
fn values_files_below_the_current_directory_may_belong_to_a_module_above() {
    let system = MemorySystem::new()
        .file("/repo/.git/HEAD", "")
        .file("/repo/main.tf", "variable \"x\" {\n  type = number\n}\n")
        .file("/repo/envs/prod.tfvars", "x = \"q\"\n")
        .file("/repo/envs/eu/a.tfvars", "x = \"q\"\n")
        .working_in("/repo/envs");
    for arguments in [&[][..], &["."], &["eu", "prod.tfvars"]] {
        let (_, stdout, _) = check(&system, &[arguments, &["--format", "concise"]].concat());
        for file in ["../envs/prod.tfvars", "../envs/eu/a.tfvars"] {
            let place = format!("{file}:1:5: error[type-mismatch]");
            assert!(stdout.contains(&place), "{arguments:?}: {stdout}");
        }
    }
}

#[test]
fn nothing_there_is_a_note_and_what_is_not_there_a_failure() {
    let system = MemorySystem::new().directory("/r").working_in("/r");
    let (exit, _, stderr) = check(&system, &[]);
    assert_eq!(exit, Exit::Clean);
    assert!(stderr.contains("no module with variables"), "{stderr}");
    let (exit, stdout, stderr) = check(&system, &["missing"]);
    assert_eq!((exit, stdout.as_str()), (Exit::Failure, ""));
    assert!(stderr.contains("missing: no such file or directory"), "{stderr}");
}

#[test]
fn a_module_that_does_not_parse_is_a_failure_and_keeps_its_schema() {
    let system = fixed();
    let before = schema(&system);
    let system = system.file("/m/variables.tf", "variable \"name\" {\n");
    let (exit, stdout, _) = check(&system, &["--fix", "--format", "concise"]);
    assert_eq!(exit, Exit::Failure);
    assert!(stdout.contains("variables.tf:1:17: error[invalid-syntax]"), "{stdout}");
    assert_eq!(schema(&system), before);
}

#[test]
fn the_schema_of_a_sensitive_variable_shows_no_default() {
    let module = "variable \"token\" {\n  default   = \"hush\"\n  sensitive = true\n}\n";
    let system = MemorySystem::new().file("/m/v.tf", module).working_in("/m");
    check(&system, &["--fix", "--sensitive-defaults"]);
    let system = system.file("/m/v.tf", module.replace("hush", "quiet"));
    for (name, _) in Format::ALL {
        let (_, stdout, stderr) = check(&system, &["--format", name, "--sensitive-defaults"]);
        assert!(!(stdout + &stderr).contains("quiet"), "{name}");
    }
    let (exit, stdout, _) = check(&system, &["--sensitive-defaults"]);
    assert_eq!(exit, Exit::Findings);
    assert!(stdout.contains("(sensitive)") && !stdout.contains("hush"), "{stdout}");
    // Nobody says that the default of a variable which is gone was a secret.
    let system = system.file("/m/v.tf", "variable \"other\" {}\n");
    let (_, stdout, _) = check(&system, &["--format", "json"]);
    let is_withheld = stdout.contains("(not shown)") && !stdout.contains("(sensitive)");
    assert!(is_withheld && !stdout.contains("hush"), "{stdout}");
}

#[test]
fn the_annotations_of_a_sensitive_variable_show_no_default() {
    let config = "schema {\n  annotations = true\n}\n";
    let module = "variable \"token\" {\n  type = object({ a = optional(string, \"hush\") })\n  \
                  sensitive = true\n}\n";
    let system = MemorySystem::new().file("/m/v.tf", module).working_in("/m");
    let system = system.file("/m/.terraschema.hcl", config);
    check(&system, &["--fix"]);
    assert!(schema(&system).contains("\"writeOnly\": true"));
    let system = system.file("/m/v.tf", module.replace("hush", "quiet"));
    for (name, _) in Format::ALL {
        let (_, stdout, stderr) = check(&system, &["--format", name]);
        let text = stdout + &stderr;
        assert!(!text.contains("quiet") && !text.contains("hush"), "{name}: {text}");
    }
}

#[test]
fn annotations_drift_by_their_members() {
    let config = "schema {\n  annotations = true\n}\n";
    let system = fixed().file("/m/.terraschema.hcl", config);
    assert_eq!(check(&system, &[]).0, Exit::Findings);
    check(&system, &["--fix"]);
    assert_eq!(check(&system, &[]).0, Exit::Clean);
    let system = system.file("/m/variables.tf", format!("\n{MODULE}"));
    let (_, stdout, _) = check(&system, &["--format", "concise"]);
    let moved = "the annotation `position` of variable \"name\" changed from \
                 {\"file\":\"variables.tf\",\"line\":2} to {\"file\":\"variables.tf\",\"line\":3}";
    assert!(stdout.contains(moved), "{stdout}");
}

#[test]
fn a_schema_of_another_draft_is_judged_by_it() {
    let module = "variable \"pair\" {\n  type = tuple([string, number])\n}\n";
    let config = "schema {\n  draft = \"2020-12\"\n}\n";
    let system = MemorySystem::new().file("/m/v.tf", module).working_in("/m");
    let system = system.file("/m/.terraschema.hcl", config);
    check(&system, &["--fix"]);
    assert!(schema(&system).contains("https://json-schema.org/draft/2020-12/schema"));
    assert!(schema(&system).contains("prefixItems"));
    let system = system.file("/m/a.tfvars.json", r#"{ "pair": ["a", "5"] }"#);
    assert_eq!(rules(&system, &[]), [". schema-violation"]);
    let system = system.file("/m/a.tfvars.json", r#"{ "pair": ["a", 5] }"#);
    assert_eq!(rules(&system, &[]), [""; 0]);
    assert_eq!(check(&system, &[]).0, Exit::Clean);
    assert_eq!(check(&system, &["--draft", "draft-07"]).0, Exit::Findings);
    let system = system.file("/m/v.tf", module.replace("number", "bool"));
    let (_, stdout, _) = check(&system, &["--format", "concise"]);
    let told = "the type of \"[1]\" of variable \"pair\" changed from \"number\" to \"boolean\"";
    assert!(stdout.contains(told), "{stdout}");
}

#[test]
fn further_rules_are_told_from_other_drift() {
    let with = |rules: &str| {
        format!(
            "variable \"a\" {{\n  type = string\n{rules}}}\nvariable \"b\" {{\n  type = string\n}}\n"
        )
    };
    let rule = |condition: &str| {
        format!(
            "  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n"
        )
    };
    let (first, second) = (rule("can(regex(\"a\", var.a))"), rule("can(regex(\"b\", var.a))"));
    let other = rule("var.a != var.b");
    let third = rule("can(regex(\"c\", var.a))");
    let both = format!("{first}{second}");
    let cases = [
        (String::new(), first.clone(), true),
        (first.clone(), format!("{first}{second}{third}"), true),
        (both.clone(), format!("{both}{third}{other}"), true),
        (first.clone(), second.clone(), false),
        (both, first, false),
    ];
    for (old, new, only_rules) in cases {
        let system = MemorySystem::new().file("/m/v.tf", with(&old)).working_in("/m");
        check(&system, &["--fix"]);
        let system = system.file("/m/v.tf", with(&new));
        let (exit, stdout, _) = check(&system, &[]);
        assert_eq!(exit, Exit::Findings);
        assert_eq!(stdout.contains("only rules were added"), only_rules, "{new}\n{stdout}");
    }
}

#[test]
fn shards_together_give_the_report_of_one_run() {
    let mut system = MemorySystem::new().working_in("/r");
    for n in 0..40 {
        system = system.file(format!("/r/m{n}/main.tf"), "variable \"x\" { type = bool }");
        system = system.file(format!("/r/m{n}/a.tfvars"), "x = 5\n");
    }
    let json = ["--format", "json"];
    let whole = check(&system, &json).1;
    let mut parts = Vec::new();
    let mut sizes = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part =
            from_json(&check(&system, &[&json[..], &["--shard", shard]].concat()).1).unwrap();
        sizes.push(part.modules().len());
        parts.push(part);
    }
    assert_eq!(
        Report::join(parts[1..].to_vec()).unwrap_err().to_string(),
        "the report of shard 1/3 is missing"
    );
    let joined = Report::join(parts).unwrap();
    assert_eq!(render(&joined, Format::Json, Style::default()), whole);
    assert!(sizes.iter().all(|it| *it > 5), "{sizes:?}");
    for wrong in ["0/3", "4/3", "1", "a/b"] {
        assert_eq!(check(&system, &["--shard", wrong]).0, Exit::Failure, "{wrong}");
    }
    assert_eq!(joined.verdict(), None::<Verdict>);
}

#[test]
fn the_schema_judges_values_in_json_alone() {
    let module = "variable \"x\" {\n  type = object({ a = optional(string), b = number })\n}\nvariable \"y\" { type = string }\n";
    let system = MemorySystem::new().file("/m/v.tf", module).working_in("/m");
    check(&system, &["--fix"]);
    let hcl = "x = { a = null, b = 1 }\ny = null\n";
    let system = system.file("/m/a.tfvars", hcl);
    assert_eq!(rules(&system, &[]), Vec::<String>::new());
    let system = system.file("/m/a.tfvars", hcl.replace("b = 1", "b = \"1\""));
    assert_eq!(rules(&system, &[]), [""; 0]);
    let json = r#"{"x": {"a": null, "b": 1}, "y": null}"#;
    let system = system.file("/m/a.tfvars", "").file("/m/b.tfvars.json", json);
    let found = rules(&system, &["b.tfvars.json"]);
    assert_eq!(found.iter().filter(|it| it.contains("schema-violation")).count(), 2, "{found:?}");
    let told = check(&system, &["b.tfvars.json", "--format=concise"]);
    assert_eq!(told.0, Exit::Clean, "Terraform accepts it");
    assert!(told.1.contains("warning[schema-violation]"), "{}", told.1);
}

#[test]
fn what_depends_on_the_workspace_is_undecided() {
    let module = r#"
variable "name" {
  type = string
  validation {
    condition     = var.name == terraform.workspace
    error_message = "m"
  }
}
locals {
  size = { dev = 1, prod = 3 }[terraform.workspace]
}
"#;
    let system = MemorySystem::new().file("/m/variables.tf", module).working_in("/m");
    let system = system.file("/m/terraform.tfvars", "name = \"dev\"\n");
    let system = system.with_env("TF_WORKSPACE", "dev").file("/m/.terraform/environment", "prod");
    check(&system, &["--fix"]);
    let (exit, stdout, _) = check(&system, &["--format", "json"]);
    assert_eq!(exit, Exit::Clean, "{stdout}");
    let report = from_json(&stdout).unwrap();
    let [NotJudged { what: NotJudgedKind::Rule(rule), .. }] = report.not_judged.as_slice() else {
        panic!("{stdout}");
    };
    assert!(rule.message.contains("It depends on terraform.workspace."), "{stdout}");
}

#[test]
fn what_cannot_be_done_for_one_module_keeps_no_other_from_being_checked() {
    let mut system = MemorySystem::new().working_in("/r");
    for dir in ["a", "b", "c"] {
        system = system.file(format!("/r/{dir}/main.tf"), "variable \"x\" { type = bool }");
    }
    let system = system.file("/r/b/schema.json/x", "").file("/r/b/x.tfvars", "x = 5\n");
    let (exit, stdout, stderr) = check(&system, &["--format", "json"]);
    let report = from_json(&stdout).unwrap();
    assert_eq!((exit, report.failures.len()), (Exit::Failure, 1));
    assert!(report.failures[0].starts_with("b/schema.json: "), "{stdout}");
    assert_eq!(stderr, format!("Error: {}\n", report.failures[0]));
    let rules: Vec<&str> = report.findings.iter().map(|it| it.rule.as_str()).collect();
    assert_eq!(rules, ["missing-schema", "type-mismatch", "missing-schema"]);
    let (exit, stdout, stderr) = check(&system, &["--fix", "--exit-zero"]);
    assert_eq!(exit, Exit::Failure);
    assert!(stdout.contains("written: a/schema.json\nwritten: c/schema.json\n"), "{stdout}");
    assert!(
        stdout.ends_with("1 error, 0 warnings in 3 modules and 1 values file, judged as Terraform 1.15.9; 1 failure\n"),
        "{stdout}"
    );
    assert!(stderr.starts_with("Error: b/schema.json: "), "{stderr}");
}

#[test]
fn a_module_that_is_named_in_several_ways_is_checked_once() {
    let system = MemorySystem::new().working_in("/r");
    let system = system.file("/r/a/main.tf", "variable \"x\" { type = bool }");
    let targets = ["a", "./a", "a/", "../r/a", "b/../a/main.tf", "a/main.tf"];
    assert_eq!(rules(&system, &targets), ["a missing-schema"]);
    assert_eq!(rules(&system, &["../r"]), ["a missing-schema"]);
}

/// A program without a reader of rules cannot pass what a policy forbids.
#[test]
fn a_policy_without_a_reader_is_an_error() {
    let rule = "rule \"none\" {\n  forbid \"terraform_data\" {}\n}\n";
    let system = MemorySystem::new()
        .file("/m/main.tf", "resource \"terraform_data\" \"a\" {}\n")
        .file("/m/.terraschema.hcl", "policy {\n  rules = [\"none.rules.hcl\"]\n}\n")
        .file("/m/none.rules.hcl", rule)
        .working_in("/m");
    let found = |policies| {
        let request = check::CheckRequest { policies, ..check::CheckRequest::default() };
        let report = check::run(&request, &system).unwrap();
        report.findings.into_iter().map(|it| (it.rule.to_string(), it.message)).collect::<Vec<_>>()
    };
    let refused = "Unsuitable value for \"rules\": this program does not judge policies.";
    assert_eq!(found(None), [("invalid-configuration".to_owned(), refused.to_owned())]);
    let [(rule, _)] = found(check_policy::reader()).try_into().unwrap();
    assert_eq!(rule, "policy/none");
}

/// Null makes the rule fail, which is a note.
const NOTED: &str = "variable \"a\" {\n  type = list(string)\n  validation {\n    condition     = length(var.a) > 0\n    error_message = \"No.\"\n  }\n}\n";

#[test]
fn findings_that_nobody_asks_for_are_not_kept() {
    let off = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";
    let system = MemorySystem::new()
        .file("/m/main.tf", NOTED)
        .file("/m/.terraschema.hcl", off)
        .working_in("/m");
    let found = |lowest| {
        let request = check::CheckRequest { lowest, ..check::CheckRequest::default() };
        check::run(&request, &system).unwrap().findings.len()
    };
    assert_eq!([None, Some(Level::Note), Some(Level::Warning)].map(found), [1, 1, 0]);
    // The exit code and a baseline ask for notes that no output shows.
    assert_eq!(check(&system, &[]).0, Exit::Clean);
    assert_eq!(check(&system, &["--fail-on", "note"]).0, Exit::Findings);
    check(&system, &["--write-baseline", "known.jsonl"]);
    let baseline = system.read(Path::new("/m/known.jsonl")).unwrap();
    assert!(String::from_utf8(baseline).unwrap().contains("null-crashes-validation"));
    let system = system.file("/m/.terraschema.hcl", format!("baseline = \"known.jsonl\"\n{off}"));
    let (exit, stdout, _) = check(&system, &["-v", "--fail-on", "note"]);
    assert_eq!(exit, Exit::Clean, "{stdout}");
}

#[test]
fn fixes_reach_what_no_output_shows() {
    let module = "terraform {\n  required_version = \">= 1.0\"\n}\nvariable \"x\" {\n  type = object({ a = optional(number) })\n}\n";
    let notes = ["unknown-attribute", "required-version-too-low"]
        .map(|it| format!("rule \"{it}\" {{\n  level = \"note\"\n}}\n"));
    let system = MemorySystem::new()
        .file("/m/main.tf", module)
        .file("/m/terraform.tfvars", "x = { a = 1, q = 2 }\n")
        .file("/m/.terraschema.hcl", notes.concat())
        .working_in("/m");
    check(&system, &["--fix-inputs", "--fix-required-version"]);
    let read = |it: &str| String::from_utf8(system.read(it.as_ref()).unwrap()).unwrap();
    assert_eq!(read("/m/terraform.tfvars"), "x = { a = 1 }\n");
    assert_eq!(read("/m/main.tf"), module.replace(">= 1.0", ">= 1.3"));
}

/// Terraform looks at the release only when the files have no other error, and so does `validate`; `check` reports
/// both.
#[test]
fn an_unmet_version_is_not_hidden_by_other_errors() {
    let text = "terraform {\n  required_version = \">= 99\"\n}\nvariable \"a\" {\n  default = 1\n  foo     = 1\n}\n";
    let called =
        "terraform {\n  required_version = \"< 0.1\"\n}\nvariable \"b\" {\n  type = str\n}\n";
    let system = MemorySystem::new()
        .file(
            "/r/a/main.tf",
            format!("{text}module \"m\" {{\n  source = \"../m\"\n  b      = 1\n}}\n"),
        )
        .file("/r/m/main.tf", called)
        .working_in("/r");
    let report = check::run(&check::CheckRequest::default(), &system).unwrap();
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|it| (it.rule.as_str(), it.locations[0].file.as_str(), it.locations[0].line))
        .filter(|it| it.0 != "missing-schema")
        .collect();
    for expected in [
        ("unsupported-version", "a/main.tf", 2),
        ("unsupported-argument", "a/main.tf", 6),
        ("unsupported-version", "m/main.tf", 2),
        ("invalid-variable", "m/main.tf", 5),
    ] {
        assert!(found.contains(&expected), "{expected:?}: {found:?}");
    }
    let (_, out, _) = run(&system, &["validate", "--chdir", "a"]);
    let (first, later) = out.split_once("What would fail next:").unwrap();
    assert!(
        first.contains("[unsupported-argument]") && !first.contains("[unsupported-version]"),
        "{out}"
    );
    assert!(later.contains("[unsupported-version]"), "{out}");
}
