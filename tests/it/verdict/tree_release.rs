//! The release of a tree: the newest that the root module and everything it calls admit.

use serde_json::Value;
use system::MemorySystem;
use terraschema::{Console, run};

const CALL: &str =
    "variable \"name\" {\n  default = \"x\"\n}\nmodule \"child\" {\n  source = \"../child\"\n}\n";

fn requires(constraint: &str) -> String {
    format!("terraform {{\n  required_version = \"{constraint}\"\n}}\n")
}

/// The report of a command on a root module and the module that it calls.
fn report(words: &[&str], root: &str, (file, child): (&str, &str)) -> Value {
    let system = MemorySystem::new()
        .file("/m/root/main.tf", format!("{root}{CALL}"))
        .file(
            format!("/m/child/{file}"),
            format!("{child}module \"leaf\" {{\n  source = \"./leaf\"\n}}\n"),
        )
        .file("/m/child/leaf/main.tf", requires("< 1.14"))
        .working_in("/m");
    let words = ["terraschema"].iter().chain(words).chain(&["--format", "json"]);
    let words = words.map(Into::into).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
    serde_json::from_slice(&stdout).unwrap()
}

fn rules(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|it| it["rule"].as_str().unwrap()).collect()
}

#[test]
fn it_is_the_newest_that_all_modules_admit() {
    for (flag, file, child, expected) in [
        (None, "main.tf", "~> 1.11.0", "Terraform 1.11.4"),
        (None, "main.tf", "~> 1.9", "Terraform 1.13.5"),
        (None, "main.tf", ">= 1.3, < 1.12", "Terraform 1.11.4"),
        (Some("--opentofu"), "main.tofu", "~> 1.9.0", "OpenTofu 1.9.4"),
        // OpenTofu 1.12 ignores the constraints of files that Terraform reads, too.
        (Some("--opentofu"), "main.tf", "~> 1.9.0", "OpenTofu 1.12.6"),
        (Some("--terraform-version=1.11"), "main.tf", "~> 1.11.0", "Terraform 1.11.4"),
    ] {
        for command in [&["validate", "-i", "root"][..], &["check", "root"]] {
            let words: Vec<&str> = command.iter().copied().chain(flag).collect();
            let report = report(&words, "", (file, &requires(child)));
            assert!(!rules(&report).contains(&"unsupported-version"), "{child}: {report}");
            assert!(report["judged_as"].to_string().contains(expected), "{child}: {report}");
        }
    }
}

#[test]
fn it_is_an_error_only_where_there_is_none() {
    for command in [&["validate", "-i", "root"][..], &["check", "root"]] {
        let report = report(command, &requires(">= 1.12"), ("main.tf", &requires("~> 1.11.0")));
        let found = rules(&report).into_iter().filter(|it| *it == "unsupported-version");
        // Terraform 1.11.4 names both called modules where it serves neither.
        assert_eq!(found.count(), 2, "{report}");
        assert!(report["judged_as"].to_string().contains("Terraform 1.15"), "{report}");
    }
}
