//! Differences in meaning between schemas, and how they are said.

use projection::schema::{self, SchemaChange, SchemaJson, SchemaOptions};
use testkit::modules::module;
use tf_eval::Meter;

fn schema(hcl: &str) -> SchemaJson {
    schema::generate(&module(hcl), &SchemaOptions::default()).schema.to_json()
}

fn sentences(old: &str, new: &str) -> Vec<String> {
    schema::diff(&schema(old), &schema(new)).iter().map(schema::Difference::sentence).collect()
}

fn parsed(text: &str) -> SchemaJson {
    serde_json::from_str::<serde_json::Value>(text).unwrap().into()
}

#[test]
fn spelling_and_order_do_not_count() {
    let old = parsed(
        r#"{"required": ["b", "a"], "properties": {"a": {"type": "number", "minimum": 1.0,
        "enum": [2, 1], "default": 10e-1}, "b": {"allOf": [{"pattern": "a"}, {"pattern": "b"}]}}}"#,
    );
    let new = parsed(
        r#"{"properties": {"b": {"allOf": [{"pattern": "b"}, {"pattern": "a"}]},
        "a": {"enum": [1, 2], "default": 1, "type": "number", "minimum": 1}}, "required": ["a", "b"]}"#,
    );
    assert_eq!(schema::diff(&old, &new), []);
}

#[test]
fn order_counts_in_values_and_places() {
    let with =
        |default: &str| parsed(&format!(r#"{{"properties": {{"a": {{"default": {default}}}}}}}"#));
    assert_eq!(schema::diff(&with("[1, 2]"), &with("[2, 1]")).len(), 1);
    let with = |items: &str| parsed(&format!(r#"{{"properties": {{"a": {{"items": {items}}}}}}}"#));
    let (a, b) = (r#"[{"type": "string"}, {}]"#, r#"[{}, {"type": "string"}]"#);
    assert_eq!(schema::diff(&with(a), &with(b)).len(), 2);
}

#[test]
fn sentences_name_variable_and_place() {
    let old = r#"
        variable "gone" { type = string }
        variable "kind" { type = string }
        variable "size" {
          type        = number
          default     = 1
          description = "Old."
        }
        variable "nodes" { type = list(object({ name = string, zone = string })) }
        variable "empty" { type = string }
    "#;
    let new = r#"
        variable "kind" { type = list(string) }
        variable "size" {
          type        = number
          default     = 2
          description = "New."
          validation {
            condition     = var.size > 0
            error_message = "No."
          }
        }
        variable "nodes" { type = list(object({ name = number, size = optional(number) })) }
        variable "empty" {
          type    = string
          default = null
        }
        variable "added" { type = bool }
    "#;
    assert_eq!(
        sentences(old, new),
        [
            r#"variable "added" is missing in the schema"#,
            r#"variable "empty" now allows null"#,
            r#"variable "empty" has a new default: null"#,
            r#"variable "empty" is not required any more"#,
            r#"variable "gone" is in the schema but not in the module"#,
            r#"the type of variable "kind" changed from "string" to "array""#,
            r#"the type of "[*].name" of variable "nodes" changed from "string" to "number""#,
            r#""[*].size" of variable "nodes" is missing in the schema"#,
            r#""[*].zone" of variable "nodes" is in the schema but not in the type"#,
            r#"the default of variable "size" changed from 1 to 2"#,
            r#"the description of variable "size" changed from "Old." to "New.""#,
            r#"variable "size" has a new condition `exclusiveMinimum`: 0"#,
        ]
    );
}

#[test]
fn differences_point_to_the_keyword() {
    let old =
        schema(r#"variable "a/b" { type = object({ x = string }) }"#.replace("a/b", "a").as_str());
    let new = schema(r#"variable "a" { type = object({ x = optional(string) }) }"#);
    let [difference] = schema::diff(&old, &new).try_into().unwrap();
    assert_eq!(difference.change, SchemaChange::Required);
    assert_eq!(difference.pointer, "/properties/a/required");
    assert_eq!(difference.variable.as_deref(), Some("a"));
    assert_eq!(difference.path, "x");
    assert_eq!(difference.sentence(), r#""x" of variable "a" is not required any more"#);
}

#[test]
fn the_root_is_compared_too() {
    let old = parsed(r#"{"additionalProperties": true, "title": "x"}"#);
    let new = parsed(r#"{"additionalProperties": false}"#);
    let found = schema::diff(&old, &new);
    let sentences: Vec<String> = found.iter().map(schema::Difference::sentence).collect();
    assert_eq!(
        sentences,
        [
            "the schema differs in whether it allows more members",
            r#"the schema has lost its `title`: "x""#,
        ]
    );
    assert_eq!(schema::diff(&parsed("[]"), &new).len(), 1);
}

#[test]
fn the_unified_diff_shows_meaning_only() {
    let old = parsed(r#"{"properties":{"a":{"type":"string"}},"required":[]}"#);
    let new = parsed(r#"{"required": [], "properties": {"a": {"type": "number"}}}"#);
    assert_eq!(
        schema::unified_diff(&old, &new, "schema.json"),
        "--- schema.json (committed)\n+++ schema.json (generated)\n@@ -1,7 +1,7 @@\n {\n \
         \t\"properties\": {\n \t\t\"a\": {\n-\t\t\t\"type\": \"string\"\n+\t\t\t\"type\": \
         \"number\"\n \t\t}\n \t},\n \t\"required\": []\n"
    );
    assert_eq!(schema::unified_diff(&old, &old, "schema.json"), "");
}

#[test]
fn a_difference_names_its_cause_in_the_module() {
    let old = schema(
        "variable \"a\" {\n  type = string\n}\nvariable \"b\" {\n  type = object({ x = string })\n}",
    );
    let new = module(
        r#"
variable "a" {
  type        = number
  default     = 3
  description = "A."
  validation {
    condition     = var.a != 5
    error_message = "No."
  }
  validation {
    condition     = var.a > 2
    error_message = "No."
  }
}
variable "b" {
  type = object({ x = string, y = optional(string, "d") })
}
variable "c" {}
"#,
    );
    let generated = schema::generate(&new, &SchemaOptions::default()).schema.to_json();
    let differences = schema::diff(&old, &generated);
    let cause = |it: &schema::Difference| {
        new.sources.snippet(it.cause(&new, &Meter::default()).unwrap()).into_owned()
    };
    let causes: Vec<(SchemaChange, String)> =
        differences.iter().map(|it| (it.change, cause(it))).collect();
    let expected = [
        (SchemaChange::Default, "3"),
        (SchemaChange::Description, "\"A.\""),
        (SchemaChange::Condition, "var.a > 2"),
        (SchemaChange::Condition, "var.a != 5"),
        (SchemaChange::Type, "number"),
        (SchemaChange::Required, "3"),
        (SchemaChange::AddedAttribute, "object({ x = string, y = optional(string, \"d\") })"),
        (SchemaChange::AddedVariable, "variable \"c\""),
    ];
    assert_eq!(causes, expected.map(|(change, text)| (change, text.to_owned())));
}
