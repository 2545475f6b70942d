//! `check --fix-required-version`: the lowest release goes up, and nothing else in the file changes.

use std::ffi::OsString;

use system::{MemorySystem, System};
use terraschema::{Console, run};

/// Needs 1.3.
const MODULE: &str = "variable \"x\" {\n  type = object({ a = optional(number) })\n}\n";

fn check(system: &MemorySystem, arguments: &str) -> String {
    said(system, &format!("check {arguments}"))
}

/// What the command prints, and then what it says on standard error.
fn said(system: &MemorySystem, arguments: &str) -> String {
    let words = ["terraschema"].into_iter().chain(arguments.split_whitespace());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    run(words.map(OsString::from).collect(), system, &mut console);
    drop(console);
    String::from_utf8([stdout, stderr].concat()).unwrap()
}

/// A file of the module after the fix, and whether the finding is left.
fn fixed(name: &str, text: &str) -> (String, bool) {
    let path = format!("/m/{name}");
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE);
    let system = system.file(&path, text);
    let before = check(&system, "--format concise");
    assert!(before.contains("[required-version-too-low]"), "{text}: {before}");
    let after = check(&system, "--fix-required-version --format concise");
    assert!(system.read("/m/schema.json".as_ref()).is_err(), "it fixes nothing else");
    assert_eq!(system.read("/m/variables.tf".as_ref()).unwrap(), MODULE.as_bytes());
    let text = String::from_utf8(system.read(path.as_ref()).unwrap()).unwrap();
    (text, after.contains("[required-version-too-low]"))
}

#[test]
fn the_lowest_release_goes_up() {
    let cases = [
        (">= 1.0", ">= 1.3"),
        (">=1.0.0", ">=1.3.0"),
        (">= 1", ">= 1.3"),
        (">= v1.0", ">= v1.3"),
        ("> 1.0", ">= 1.3"),
        ("  >=  0.13 ,  < 2.0  ", "  >=  1.3 ,  < 2.0  "),
        ("< 2.0, >= 1.0, != 1.4.1", "< 2.0, >= 1.3, != 1.4.1"),
        ("~> 1.0", "~> 1.3"),
        ("~> 1", "~> 1.3"),
        ("< 2.0", ">= 1.3, < 2.0"),
        ("!= 1.2.0", ">= 1.3, != 1.2.0"),
        (">= 0.13, >= 1.1", ">= 1.3, >= 1.3"),
    ];
    for (old, new) in cases {
        let file = |constraint: &str| {
            format!(
                "# a\nterraform {{\r\n\trequired_version=\"{constraint}\" # é \n  required_providers {{}}\n}}\n"
            )
        };
        assert_eq!(fixed("versions.tf", &file(old)), (file(new), false), "{old}");
        let json = |text: &str| {
            format!("{{\"terraform\" : {{ \"required_version\":{text} }},\n \"//\": 1}}")
        };
        let quoted = |it: &str| format!("\"{it}\"");
        let answer = fixed("versions.tf.json", &json(&quoted(old)));
        assert_eq!(answer, (json(&quoted(new)), false), "{old}");
        // As Go writes JSON.
        let escaped = |it: &str| quoted(it).replace('>', "\\u003e").replace('<', "\\u003c");
        if escaped(old) != quoted(old) {
            let answer = fixed("versions.tf.json", &json(&escaped(old)));
            assert_eq!(answer, (json(&escaped(new)), false), "{old}");
        }
    }
}

/// Terraform reads a byte order mark as part of the file.
#[test]
fn the_place_is_right_behind_a_byte_order_mark() {
    let file = |it: &str| format!("\u{feff}terraform {{\n  required_version = \"{it}\"\n}}\n");
    assert_eq!(fixed("versions.tf", &file(">= 1.0")), (file(">= 1.3"), false));
}

#[test]
fn what_is_pinned_to_an_old_release_is_left_alone() {
    for old in ["~> 1.0.0", "1.0.0", "= 1.2.0", ">= 1.0, < 1.2", "~> 0.13"] {
        let file = format!("terraform {{\n  required_version = \"{old}\"\n}}\n");
        assert_eq!(fixed("versions.tf", &file), (file.clone(), true), "{old}");
    }
}

/// One of several constraints is enough.
#[test]
fn all_constraints_count() {
    let block = |it: &str| format!("terraform {{\n  required_version = \"{it}\"\n}}\n");
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE);
    let system = system.file("/m/a.tf", block(">= 1.0")).file("/m/b.tf", block("< 2.0"));
    let after = check(&system, "--fix-required-version --format concise");
    assert!(!after.contains("[required-version-too-low]"), "{after}");
    let read = |it: &str| String::from_utf8(system.read(it.as_ref()).unwrap()).unwrap();
    assert_eq!((read("/m/a.tf"), read("/m/b.tf")), (block(">= 1.3"), block("< 2.0")));
}

#[test]
fn it_is_a_fix_in_the_report_and_no_part_of_other_fixes() {
    let file = "terraform {\n  required_version = \">= 1.0\"\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE);
    let system = system.file("/m/versions.tf", file);
    let report = check(&system, "--fix --fix-inputs --format json");
    assert!(
        report.contains("\"description\": \"Raise required_version to \\\">= 1.3\\\"\""),
        "{report}"
    );
    assert!(report.contains("\"safety\": \"suggestion\""), "{report}");
    assert_eq!(system.read("/m/versions.tf".as_ref()).unwrap(), file.as_bytes());
    for wrong in ["--staged", "--hook"] {
        let answer = check(&system, &format!("{wrong} --fix-required-version"));
        assert!(answer.contains("cannot be used with"), "{answer}");
    }
}

/// Every format says what was written: in the report, or on standard error.
#[test]
fn what_was_written_is_said_in_every_format() {
    let system = || {
        let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE);
        system.file("/m/versions.tf", "terraform {\n  required_version = \">= 1.0\"\n}\n")
    };
    for format in ["concise", "github", "github-output", "gitlab", "junit", "markdown"] {
        let said = check(&system(), &format!("--fix --fix-required-version --format {format}"));
        assert!(said.contains("Info: wrote schema.json\nInfo: wrote versions.tf\n"), "{said}");
    }
    let said = check(&system(), "--fix --fix-required-version");
    assert!(said.contains("written: schema.json\nwritten: versions.tf\n"), "{said}");
    for (format, place) in [("json", "/written"), ("sarif", "/runs/0/properties/written")] {
        let said = check(&system(), &format!("--fix --fix-required-version --format {format}"));
        let report: serde_json::Value = serde_json::from_str(&said).unwrap();
        let expected = serde_json::json!(["schema.json", "versions.tf"]);
        assert_eq!(report.pointer(place), Some(&expected), "{said}");
    }
    let said = check(&system(), "--format json");
    assert!(!said.contains("\"written\": ["), "{said}");
}

/// What a module uses besides its variables, with the first release that has it.
#[test]
fn whatever_came_with_a_release_needs_it() {
    let resource = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";
    let cases = [
        ("moved {\n  from = terraform_data.b\n  to   = terraform_data.a\n}", "moved (1.1)"),
        ("import {\n  to = terraform_data.a\n  id = \"x\"\n}", "import (1.5)"),
        (
            "import {\n  for_each = toset([\"x\"])\n  to       = terraform_data.a[each.key]\n  id       = each.key\n}",
            "for_each (1.7), to (1.7), import (1.5)",
        ),
        (
            "import {\n  to       = terraform_data.a\n  identity = { id = \"x\" }\n}",
            "identity (1.12), import (1.5)",
        ),
        ("removed {\n  from = terraform_data.b\n}", "removed (1.7)"),
        (
            "removed {\n  from = terraform_data.b\n  lifecycle {\n    destroy = false\n  }\n}",
            "removed (1.7), lifecycle (1.7)",
        ),
        (
            "check \"a\" {\n  assert {\n    condition     = startswith(\"ab\", \"a\")\n    error_message = \"No.\"\n  }\n}",
            "check (1.5), startswith() (1.3)",
        ),
        ("ephemeral \"random_password\" \"a\" {\n  length = 1\n}", "ephemeral (1.10)"),
        ("action \"a\" \"b\" {\n}", "action (1.13)"),
        ("output \"a\" {\n  value      = 1\n  deprecated = \"No.\"\n}", "deprecated (1.15)"),
        ("output \"a\" {\n  type  = number\n  value = 1\n}", "type (1.15)"),
        (
            "resource \"terraform_data\" \"b\" {\n  input = endswith(\"ab\", \"b\")\n  lifecycle {\n    precondition {\n      condition     = terraform_data.a.output == 1\n      error_message = \"No.\"\n    }\n  }\n}",
            "endswith() (1.3), precondition (1.2)",
        ),
        (
            "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    destroy = false\n  }\n}",
            "destroy (1.16)",
        ),
        (
            "resource \"terraform_data\" \"b\" {\n  count = terraform.applying ? 1 : 0\n}",
            "terraform.applying (1.10)",
        ),
        (
            "module \"m\" {\n  source = \"./${local.m}\"\n  a      = provider::terraform::encode_expr(1)\n}\nlocals {\n  m = \"m\"\n}",
            "variables in module sources (1.15), a function with a namespace (1.8)",
        ),
    ];
    for (text, needed) in cases {
        let system = MemorySystem::new()
            .working_in("/m")
            .file("/m/variables.tf", "variable \"x\" {\n  type = string\n}\n")
            .file("/m/versions.tf", "terraform {\n  required_version = \">= 1.0\"\n}\n")
            .file("/m/m/main.tf", "variable \"a\" {\n  type    = any\n  default = 1\n}\n")
            .file("/m/main.tf", format!("{resource}{text}\n"));
        let report = check(&system, "--format concise --no-calls");
        let all: Vec<&str> = report.lines().filter(|it| it.contains("too low for")).collect();
        assert_eq!(all.len(), 1, "{text}\n{report}");
        assert!(all[0].contains(&format!("is too low for {needed}.")), "{text}\n{report}");
    }
}

#[test]
fn opentofu_begins_with_1_6() {
    let module = "terraform {\n  required_version = \">= 1.0\"\n}\nvariable \"a\" {\n  type      = string\n  \
                  ephemeral = true\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", module);
    let said = check(&system, "--format concise --opentofu");
    assert!(said.contains("allows OpenTofu 1.6"), "{said}");
    let said = check(&system, "--format concise");
    assert!(said.contains("allows Terraform 1.0"), "{said}");
}

/// OpenTofu 1.12 does not look at the versions that a `.tf` file asks for: they are Terraform's.
#[test]
fn a_tofu_file_asks_for_versions_of_opentofu() {
    for (file, version) in [("v.tf", "1.12.6"), ("v.tofu", "1.7.10")] {
        let text = "terraform {\n  required_version = \"~> 1.7.0\"\n}\n";
        let system = MemorySystem::new().working_in("/m").file(format!("/m/{file}"), text);
        let said = said(&system, "validate --opentofu");
        assert!(said.contains(&format!("(judged as OpenTofu {version})")), "{file}: {said}");
    }
}
