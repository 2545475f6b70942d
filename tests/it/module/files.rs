//! Which files are a module's, and what its versions mean.

use std::path::Path;

use diagnostics::lints;
use module::LoadOptions;
use release::Product;
use system::MemorySystem;

use super::{load, load_with, summaries};

const ONE: &str = "variable \"a\" {}\n";

#[test]
fn only_terraform_files_count() {
    let others =
        [".h.tf", "x.TF", "x.tf~", "#x.tf#", "x.tfx", "x.tofu", "t.tftest.hcl", "x.tfvars"];
    let mut files: Vec<(&str, &str)> = others.iter().map(|it| (*it, "!!!")).collect();
    files.extend([("a.tf", ONE), ("sub/b.tf", "!!!")]);
    let (module, diagnostics) = load(&files);
    assert_eq!(diagnostics, []);
    assert_eq!(module.sources.files().count(), 1);
}

#[test]
fn a_tofu_file_replaces_its_twin_when_asked_for() {
    let files = [
        ("a.tf", "!!!"),
        ("a.tofu", ONE),
        ("b.tf.json", "!!!"),
        ("b.tofu.json", "{}"),
        ("c.tf", ""),
    ];
    let options = LoadOptions { release: Product::OpenTofu.newest(), ..LoadOptions::default() };
    let (module, diagnostics) = load_with(&files, &options);
    assert_eq!(diagnostics, []);
    let paths: Vec<&str> = module.sources.files().map(|(_, it)| it.path.as_str()).collect();
    assert_eq!(paths, ["/m/a.tofu", "/m/b.tofu.json", "/m/c.tf"]);
}

#[test]
fn a_directory_that_is_not_there_is_an_error() {
    let loaded = module::load(&MemorySystem::new(), Path::new("/no"), &LoadOptions::default());
    assert!(loaded.is_err());
}

#[test]
fn errors_of_all_files_come_together() {
    let (module, diagnostics) =
        load(&[("a.tf", "variable {"), ("b.tf", "variable \"b\" { type = str }\n"), ("c.tf", ONE)]);
    let found = summaries(&module, &diagnostics);
    assert!(found.iter().any(|it| it.contains("a.tf")), "{found:?}");
    assert!(found.contains(&"Invalid type specification @ b.tf:1,23".to_owned()), "{found:?}");
    assert!(module.variables.contains_key("a"));
}

#[test]
fn unrelated_files_may_be_skipped() {
    let options = LoadOptions { skip_unrelated: true, ..LoadOptions::default() };
    let (module, diagnostics) = load_with(&[("a.tf", ONE), ("b.tf", "resource !!!")], &options);
    assert_eq!(diagnostics, []);
    assert_eq!(module.variables.len(), 1);
    assert!(module::is_candidate(ONE.as_bytes()));
    assert!(!module::is_candidate(b"resource \"a\" \"b\" {}"));
}

#[test]
fn a_required_version_is_held_against_the_chosen_one() {
    let text = "terraform {\n  required_version = \">= 1.12\"\n}\nvariable \"a\" { foo = 1 }\n";
    let (module, diagnostics) = load(&[("a.tf", text)]);
    let unmet = "Unsupported Terraform Core version @ a.tf:2,22";
    assert_eq!(summaries(&module, &diagnostics), [unmet, "Unsupported argument @ a.tf:4,16"]);
    let text = text.replace(" foo = 1 ", "");
    let (module, diagnostics) = load(&[("a.tf", &text)]);
    assert_eq!(summaries(&module, &diagnostics), [unmet]);
    assert_eq!(load_with(&[("a.tf", &text)], &LoadOptions::default()).1, []);
    let text = text.replace(">= 1.12", ">= 1.3.0-beta1");
    let (module, diagnostics) = load(&[("a.tf", &text)]);
    let expected = ["Invalid required_version constraint @ a.tf:2,22"];
    assert_eq!(summaries(&module, &diagnostics), expected);
}

#[test]
fn an_override_replaces_all_version_constraints() {
    let base = "terraform {\n  required_version = \">= 9\"\n}\n";
    let new = "terraform {\n  required_version = \">= 1\"\n}\n";
    assert_eq!(load(&[("a.tf", base), ("override.tf", new)]).1, []);
    assert_eq!(load(&[("a.tf", new), ("override.tf", base)]).1.len(), 1);
}

#[test]
fn arguments_depend_on_the_version() {
    let text = "variable \"a\" {\n  deprecated = \"use b\"\n  const      = true\n}\n";
    let (module, diagnostics) = load(&[("a.tf", text)]);
    let expected = ["Unsupported argument @ a.tf:2,3", "Unsupported argument @ a.tf:3,3"];
    assert_eq!(summaries(&module, &diagnostics), expected);
    assert!(diagnostics.iter().all(|it| it.rule == lints::UNSUPPORTED_ARGUMENT));
    // What is not supported is read anyway.
    assert_eq!(module.variables["a"].deprecated.as_deref(), Some("use b"));
    for options in [
        LoadOptions::default(),
        LoadOptions { release: Product::OpenTofu.newest(), ..LoadOptions::default() },
    ] {
        assert_eq!(load_with(&[("a.tf", text)], &options).1, []);
    }
}
