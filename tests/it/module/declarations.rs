//! Blocks that Terraform refuses, with its own summaries and places (recorded from 1.11.4).

use diagnostics::lints;
use tf_value::Value;

use super::{load, rejected};

#[test]
fn arguments_of_primitive_types() {
    let text = r#"variable "a" {
  description = null
  default     = 1
}
variable "b" {
  description = 5
  nullable    = !true
}
variable "c" {
  description = ["x"]
}
variable "d" {
  nullable  = null
  sensitive = "true"
  ephemeral = 1
}
"#;
    rejected(
        "a.tf",
        text,
        &[
            "Unsuitable value type @ a.tf:2,17",
            "Unsuitable value type @ a.tf:10,17",
            "Unsuitable value type @ a.tf:13,15",
            "Unsuitable value type @ a.tf:15,15",
        ],
    );
    let (module, _) = load(&[("a.tf", text)]);
    assert_eq!(module.variables["b"].nullable, Some(false));
    assert_eq!(module.variables["d"].sensitive, Some(true));
    assert_eq!(module.variables["b"].description.as_deref(), Some("5"));
}

#[test]
fn names_and_labels() {
    let text = r#"variable "source" {}
variable "a b" {}
variable "" {}
variable "provider" {}
variable a {}
variable "a" "b" {}
output "x y" {
  value = 1
}
"#;
    let expected = [
        "Extraneous label for variable @ a.tf:6,14",
        "Invalid output name @ a.tf:7,8",
        "Invalid variable name @ a.tf:1,10",
        "Invalid variable name @ a.tf:2,10",
        "Invalid variable name @ a.tf:3,10",
        "Invalid variable name @ a.tf:4,10",
    ];
    rejected("a.tf", text, &expected);
}

#[test]
fn duplicates_say_where_the_first_is() {
    let text = r#"variable "a" {}
locals {
  b = 1
}
variable "a" {}
locals {
  b = 1
}
resource "t" "n" {}
resource "t" "n" {}
data "t" "n" {}
module "m" {
  source = "./m"
}
module "m" {
  source = "./m"
}
"#;
    let expected = [
        "Duplicate local value definition @ a.tf:7,3",
        "Duplicate module call @ a.tf:15,1",
        "Duplicate t configuration @ a.tf:10,1",
        "Duplicate variable declaration @ a.tf:5,1",
    ];
    rejected("a.tf", text, &expected);
    let (module, diagnostics) = load(&[("a.tf", text)]);
    let variable = diagnostics.iter().find(|it| it.rule == lints::INVALID_VARIABLE).unwrap();
    assert_eq!(variable.variable.as_deref(), Some("a"));
    assert_eq!(module.sources.display(variable.labels[1].span), "/m/a.tf:1,1");
}

#[test]
fn defaults() {
    let text = r#"variable "a" {
  type     = number
  nullable = false
  default  = null
}
variable "b" {
  default = [][0]
}
variable "c" {
  type    = object({ a = optional(string, 5), b = optional(number, "x") })
  default = {}
}
variable "d" {
  default = { d = upper(var.x), e = foo }
}
variable "e" {
  default = [for it in [1] : upper(it)]
}
variable "f" {
  default = [for it in [] : upper(it)]
}
"#;
    let expected = [
        "Function calls not allowed @ a.tf:14,19",
        "Function calls not allowed @ a.tf:17,30",
        "Invalid default value for optional attribute @ a.tf:10,68",
        "Invalid default value for variable @ a.tf:4,14",
        "Invalid index @ a.tf:7,13",
        "Variables not allowed @ a.tf:14,37",
    ];
    rejected("a.tf", text, &expected);
}

#[test]
fn rules() {
    let text = r#"variable "a" {
  validation {
  }
  validation {
    condition     = true
    error_message = "x"
    foo           = 1
  }
  validation {
    condition     = local.x
    error_message = "x"
  }
  validation {
    condition     = var["a"] == 1 && [for var in [1] : var.a] == []
    error_message = var.a
  }
  lifecycle {}
}
output "o" {
  precondition {
    condition     = true
    error_message = "x"
  }
}
"#;
    let (module, diagnostics) = load(&[("a.tf", text)]);
    let found = super::summaries(&module, &diagnostics);
    let summaries: Vec<&str> = found.iter().map(|it| it.split(" @").next().unwrap()).collect();
    let expected = [
        "Invalid precondition expression",
        "Invalid validation expression",
        "Invalid variable validation condition",
        "Invalid variable validation condition",
        "Invalid variable validation condition",
        "Missing required argument",
        "Missing required argument",
        "Missing required argument",
        "Unsupported argument",
        "Unsupported block type",
    ];
    assert_eq!(summaries, expected, "{found:#?}");
}

#[test]
fn json_bodies() {
    let text = r#"{
"variable": [
  {"a": {"type": "list", "default": [], "nullable": "${true}", "description": "${1+1}"}},
  {"b": {"default": {"a": 1, "a": 2}}, "c": null, "d": [], "e": [{}], "//": {}}
],
"locals": {"x": "${1 + 1}", "//": "c", "1x": 2},
"terraform": {"required_version": "${1}"},
"foo": 1,
"//": 1
}"#;
    let expected = [
        "Duplicate object attribute @ a.tf.json:4,30",
        "Extraneous JSON object property @ a.tf.json:8,1",
        "Invalid local value name @ a.tf.json:6,40",
        "Invalid variable name @ a.tf.json:4,71",
        "Invalid version constraint @ a.tf.json:7,35",
        "Unsuitable value type @ a.tf.json:3,53",
    ];
    rejected("a.tf.json", text, &expected);
    let (module, _) = load(&[("a.tf.json", text)]);
    let names: Vec<&str> = module.variables.keys().map(AsRef::as_ref).collect();
    assert_eq!(names, ["a", "b", "e", "//"]);
    assert_eq!(module.variables["a"].description.as_deref(), Some("${1+1}"));
}

#[test]
fn a_default_is_complete() {
    let text = r#"variable "a" {
  type    = object({ x = optional(object({ y = optional(number, "5") }), {}) })
  default = {}
}
"#;
    let (module, diagnostics) = load(&[("a.tf", text)]);
    assert_eq!(diagnostics, []);
    let default = module.variables["a"].default.as_ref().unwrap();
    let x = &default.as_mapping().unwrap()["x"];
    let y = &x.as_mapping().unwrap()["y"];
    assert_eq!(tf_value::json::value_to_json(y).unwrap(), "5");
    assert_ne!(*y, Value::string("5"));
}
