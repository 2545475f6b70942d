//! Values files that are for `terraform init -backend-config=FILE`.

use terraschema::Exit;

use super::fresh;
use crate::cli::terraschema;

const MODULE: &str =
    "variable \"name\" {\n  type = string\n}\nvariable \"region\" {\n  type = number\n}\n";
const BACKEND: &str = "bucket = \"b\"\nkey = \"k\"\nregion = \"eu\"\n";

/// `region` would not be a number, `bucket` is not declared and `name` has no value: none of this is reported.
#[test]
fn check_judges_no_arguments_of_a_backend() {
    let system = fresh(MODULE).file("/m/env/prod_backend.tfvars", BACKEND);
    let (exit, text) = terraschema(&system, "check -v");
    assert_eq!(exit, Exit::Clean, "{text}");
    let told = "not judged: env/prod_backend.tfvars: it sets only backend arguments";
    assert!(text.contains(told), "{text}");
    assert!(!text.contains("warning["), "{text}");
    let (_, text) = terraschema(&system, "check");
    let count = "not judged: 1 values file (list them with -v)";
    assert!(text.contains(count), "{text}");
}

/// It is not a part of the values next to it, which are still judged as a whole.
#[test]
fn a_file_beside_it_lacks_what_it_lacks() {
    let alone = || fresh(MODULE).file("/m/prod.tfvars", "region = 1\n");
    let beside = alone().file("/m/prod_backend.tfvars", "bucket = \"b\"\nkey = \"k\"\n");
    for system in [alone(), beside] {
        let (_, text) = terraschema(&system, "check");
        assert!(text.contains("warning[missing-variable]"), "{text}");
    }
}

/// Terraform takes these for values by itself, or the configuration says that they are values.
#[test]
fn what_is_known_to_be_values_is_judged() {
    let automatic = fresh(MODULE).file("/m/terraform.tfvars", BACKEND);
    let named = fresh(MODULE)
        .file("/m/b.tfvars", BACKEND)
        .file("/m/.terraschema.hcl", "input \"b\" {\n  files = [\"b.tfvars\"]\n}\n");
    for system in [automatic, named] {
        let (exit, text) = terraschema(&system, "check");
        assert_eq!(exit, Exit::Findings, "{text}");
        assert!(text.contains("The module declares no variable \"bucket\""), "{text}");
    }
}
