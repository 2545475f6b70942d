//! The release that both states are judged as is one that the modules which they call admit, too.

use serde_json::Value as Json;
use system::MemorySystem;

use super::compat;

/// The root of a state, and the constraint of the module that it calls, if it calls one.
type State<'t> = (&'t str, Option<&'t str>);

/// The root's part of the report.
fn root(before: State<'_>, after: State<'_>) -> Json {
    let mut system = MemorySystem::new().working_in("/r");
    for (dir, (text, required)) in [("before", before), ("after", after)] {
        let call = required.map_or("", |_| "module \"m\" {\n  source = \"./m\"\n}\n");
        system = system.file(format!("/r/{dir}/main.tf"), format!("{text}{call}"));
        if let Some(it) = required {
            let text = format!("terraform {{\n  required_version = \"{it}\"\n}}\n");
            system = system.file(format!("/r/{dir}/m/main.tf"), text);
        }
    }
    let (_, text, problems) = compat(&system, "before after --format=json");
    assert_eq!(problems, "");
    let found: Json = serde_json::from_str(&text).unwrap();
    let modules = found["compat"]["modules"].as_array().unwrap();
    modules.iter().find(|it| it["path"] == "after").cloned().unwrap_or_default()
}

/// Until Terraform 1.11 the failure of one side of `||` is that of the whole.
#[test]
fn a_called_module_decides_how_rules_are_evaluated() {
    let root_of = |condition: &str| {
        format!(
            "variable \"x\" {{\n  type = list(string)\n  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let before = root_of("length(var.x) > 0");
    let after = root_of("sum([for it in var.x : parseint(it, 7)]) > 1 || length(var.x) > 0");
    for (required, expected) in [("~> 1.11.0", "major"), (">= 1.12", "minor")] {
        let found = root((&before, Some(required)), (&after, Some(required)));
        assert_eq!(found["level"], expected, "{required}: {found}");
    }
}

/// Terraform 1.15 refuses every call of a module that calls one for 1.11 alone.
#[test]
fn a_called_module_that_admits_no_newer_release_breaks_callers() {
    let root_of = "terraform {\n  required_version = \">= 1.3\"\n}\nvariable \"x\" {}\n";
    for (before, after, expected) in [
        (None, Some("~> 1.11.0"), Some(("major", "required-version-narrowed"))),
        (Some(">= 1.3"), Some("~> 1.11.0"), Some(("major", "required-version-narrowed"))),
        (None, Some(">= 1.9"), Some(("minor", "release-refused"))),
        (Some("~> 1.11.0"), Some("~> 1.11.0"), None),
        (Some("~> 1.11.0"), None, None),
        (None, Some(">= 1.3"), None),
    ] {
        // The outputs differ in words, so that the root is compared.
        let after_root = format!("{root_of}# {after:?}\n");
        let found = root((root_of, before), (&after_root, after));
        let change = &found["changes"][0];
        let told = found["level"].as_str().filter(|it| !["none", "patch"].contains(it));
        let told = told.map(|it| (it, change["rule"].as_str().unwrap_or_default()));
        assert_eq!(told, expected, "{before:?} → {after:?}: {found}");
    }
    let found = root((root_of, None), (root_of, Some("~> 1.11.0")));
    let said = found["changes"][0]["message"].as_str().unwrap();
    assert!(said.ends_with("module.m requires \"~> 1.11.0\"."), "{said}");
}
