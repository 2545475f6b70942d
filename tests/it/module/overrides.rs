//! Override files, against what Terraform 1.11.4 says and does.

use tf_value::json::value_to_json;

use super::{load, summaries};

#[test]
fn arguments_are_replaced_one_by_one() {
    let base = r#"variable "a" {
  type        = number
  default     = 1
  description = "base"
  sensitive   = true
}
"#;
    let files = [
        ("a.tf", base),
        ("b_override.tf", "variable \"a\" {\n  default = \"2\"\n}\n"),
        ("c_override.tf.json", r#"{"variable": {"a": {"type": "string"}}}"#),
        ("override.tf", "variable \"a\" {\n  nullable = false\n  sensitive = false\n}\n"),
    ];
    let (module, diagnostics) = load(&files);
    assert_eq!(diagnostics, []);
    let variable = &module.variables["a"];
    assert_eq!(value_to_json(variable.default.as_ref().unwrap()).unwrap(), "\"2\"");
    assert_eq!(variable.description.as_deref(), Some("base"));
    assert_eq!((variable.nullable, variable.sensitive), (Some(false), Some(false)));
}

#[test]
fn what_has_no_base_is_an_error() {
    let base = "check \"c\" {\n  assert {\n    condition     = path.cwd != \"\"\n    error_message = \"m\"\n  }\n}\nresource \"r\" \"n\" {}\noutput \"r\" {\n  value = 1\n}\n";
    let new = r#"variable "b" {}
check "d" {}
locals {
  q = 1
}
output "z" {}
output "r" {
  precondition {}
}
resource "r" "n" {}
resource "a" "b" {}
data "a" "b" {}
module "a" {}
"#;
    let (module, diagnostics) = load(&[("a.tf", base), ("override.tf", new)]);
    let expected = [
        "Can't override check blocks @ override.tf:2,1",
        "Can't override precondition blocks @ override.tf:8,3",
        "Missing base local value definition to override @ override.tf:4,3",
        "Missing base output definition to override @ override.tf:6,1",
        "Missing base variable declaration to override @ override.tf:1,1",
        "Missing data resource to override @ override.tf:12,1",
        "Missing module call to override @ override.tf:13,1",
        "Missing resource to override @ override.tf:11,1",
    ];
    assert_eq!(summaries(&module, &diagnostics), expected);
}

#[test]
fn a_default_must_suit_the_merged_type() {
    let base = "variable \"a\" {\n  type = string\n  default = \"q\"\n}\n";
    let files = [
        ("a.tf", base),
        ("a_override.tf", "variable \"a\" {\n  type = number\n}\n"),
        ("b_override.tf", "variable \"a\" {\n  default = \"5\"\n}\n"),
    ];
    let (module, diagnostics) = load(&files);
    let expected = ["Invalid default value for variable @ a_override.tf:1,1"];
    assert_eq!(summaries(&module, &diagnostics), expected);
    assert_eq!(value_to_json(module.variables["a"].default.as_ref().unwrap()).unwrap(), "5");
}

#[test]
fn a_new_type_keeps_the_old_optional_defaults() {
    let files = [
        ("a.tf", "variable \"a\" {\n  type = object({ x = optional(string, \"base\") })\n}\n"),
        (
            "override.tf",
            r#"variable "a" {
  type    = object({ x = optional(string, "new"), y = optional(number, 1) })
  default = {}
}
"#,
        ),
    ];
    let (module, diagnostics) = load(&files);
    assert_eq!(diagnostics, []);
    let defaults = module.variables["a"].constraint.defaults.as_ref().unwrap();
    assert_eq!(value_to_json(&defaults.values["x"]).unwrap(), "\"base\"");
    assert!(!defaults.values.contains_key("y"));
}

#[test]
fn locals_are_replaced_by_name() {
    let files = [("a.tf", "locals {\n  x = 1\n}\n"), ("override.tf", "locals {\n  x = 2\n}\n")];
    let (module, diagnostics) = load(&files);
    assert_eq!(diagnostics, []);
    assert_eq!(module.sources.snippet(module.locals["x"].expr.span), "2");
}
