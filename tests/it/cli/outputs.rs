//! `terraschema generate --outputs`: schemas of what `terraform output -json` and a remote state give.

use serde_json::{Value, json};
use system::MemorySystem;

use super::terraschema;
use terraschema::Exit;

const MODULE: &str = r#"
variable "name" {
  type    = string
  default = "a"
}
variable "sizes" {
  type    = list(number)
  default = [1, 2]
}
variable "nothing" {
  type    = string
  default = null
}
variable "opt" {
  type    = object({ a = string, b = optional(number) })
  default = { a = "x" }
}
resource "terraform_data" "x" {
  input = { a = var.name }
}
locals {
  both = [var.name, 1]
}
output "name" {
  value       = var.name
  description = "The name."
}
output "sizes" { value = var.sizes }
output "nothing" { value = var.nothing }
output "secret" {
  value     = var.name
  sensitive = true
}
output "tuple" { value = local.both }
output "object" { value = { id = terraform_data.x.id, name = var.name, n = null } }
output "of_resource" { value = terraform_data.x.output }
output "set" { value = toset(["a", var.name]) }
output "map" { value = { for k in ["a", "b"] : k => var.sizes } }
output "opt" { value = var.opt }
output "cond" { value = var.name == "b" ? [1] : [2, 3] }
output "splat" { value = terraform_data.x[*].id }
"#;

/// What Terraform 1.11.4 prints for `terraform output -json` after it applied the module, with other ids.
const ANSWER: &str = r#"{
"cond": {"sensitive": false, "type": ["list", "number"], "value": [2, 3]},
"map": {"sensitive": false,
  "type": ["object", {"a": ["list", "number"], "b": ["list", "number"]}],
  "value": {"a": [1, 2], "b": [1, 2]}},
"name": {"sensitive": false, "type": "string", "value": "a"},
"object": {"sensitive": false,
  "type": ["object", {"id": "string", "n": "dynamic", "name": "string"}],
  "value": {"id": "0b1c", "n": null, "name": "a"}},
"of_resource": {"sensitive": false, "type": ["object", {"a": "string"}], "value": {"a": "a"}},
"opt": {"sensitive": false, "type": ["object", {"a": "string", "b": "number"}],
  "value": {"a": "x", "b": null}},
"secret": {"sensitive": true, "type": "string", "value": "a"},
"set": {"sensitive": false, "type": ["set", "string"], "value": ["a"]},
"sizes": {"sensitive": false, "type": ["list", "number"], "value": [1, 2]},
"splat": {"sensitive": false, "type": ["tuple", ["string"]], "value": ["0b1c"]},
"tuple": {"sensitive": false, "type": ["tuple", ["string", "number"]], "value": ["a", 1]}
}"#;

/// The schema that a form of `--outputs` writes, and what the command says.
fn schema(module: &str, flag: &str) -> (Value, String) {
    let system = MemorySystem::new().file("m/main.tf", module);
    let (exit, text) = terraschema(&system, &format!("generate m {flag} --output s.json"));
    assert_eq!(exit, Exit::Clean, "{text}");
    let (_, written) = terraschema(&system, &format!("generate m {flag} --stdout"));
    let end = written.rfind('}').unwrap();
    (serde_json::from_str(&written[..=end]).unwrap(), text)
}

#[test]
fn the_answer_of_terraform_fits_and_others_do_not() {
    let (described, said) = schema(MODULE, "--outputs");
    assert!(said.contains("only a plan knows the types of these outputs: of_resource"), "{said}");
    assert!(said.contains("of some parts of these outputs: object"), "{said}");
    let of_described = jsonschema::validator_for(&described).unwrap();
    let answer: Value = serde_json::from_str(ANSWER).unwrap();
    let errors = |document: &Value| -> Vec<String> {
        of_described.iter_errors(document).map(|it| it.to_string()).collect()
    };
    assert_eq!(errors(&answer), [""; 0]);
    let (values, _) = schema(MODULE, "--outputs=values");
    let of_values = jsonschema::validator_for(&values).unwrap();
    let all = answer.as_object().unwrap();
    let plain: Value = all.iter().map(|(name, it)| (name.clone(), it["value"].clone())).collect();
    assert_eq!(of_values.iter_errors(&plain).count(), 0);
    for (name, wrong) in [
        ("name", json!(1)),
        ("name", json!(null)),
        ("sizes", json!(["a"])),
        ("tuple", json!(["a"])),
        ("object", json!({"name": "a"})),
        ("object", json!({"id": "0", "name": 1, "n": null})),
        ("set", json!(["a", "a"])),
        ("map", json!({"a": [1]})),
        ("opt", json!({"a": "x"})),
        ("cond", json!("a")),
    ] {
        let mut other = answer.clone();
        other[name]["value"] = wrong.clone();
        assert_ne!(errors(&other), [""; 0], "{name} {wrong}");
        let mut other = plain.clone();
        other[name] = wrong.clone();
        assert_ne!(of_values.iter_errors(&other).count(), 0, "{name} {wrong}");
    }
    let mut other = answer.clone();
    other["secret"]["sensitive"] = json!(false);
    assert_ne!(errors(&other), [""; 0]);
    assert_eq!(described["properties"]["name"]["description"], "The name.");
    assert_eq!(
        values["properties"]["of_resource"]["$comment"],
        "The type is not known before a plan."
    );
}

/// Each output with values that `terraform output -json` may have for it, and values that it never has.
const SHAPES: [(&str, &str, &str, &[&str]); 16] = [
    ("ids", "aws_thing.many[*].id", r#"[["a"], [], [null]]"#, &["{}", "\"a\""]),
    ("old_splat", "aws_thing.many.*.id", r#"[["a"]]"#, &["{}"]),
    ("by_key", "{ for k, v in aws_thing.keyed : k => v.id }", r#"[{"a": "b"}, {}]"#, &["[]"]),
    (
        "grouped",
        "{ for k, v in aws_thing.keyed : v.kind => k... }",
        r#"[{"a": ["b"]}]"#,
        &[r#"{"a": {}}"#],
    ),
    (
        "records",
        "[for it in aws_thing.many : { id = it.id, text = \"${it.id}!\" }]",
        r#"[[{"id": 1, "text": "a"}], []]"#,
        &[r#"[{"id": 1}]"#, r#"[{"id": 1, "text": 1}]"#, "{}"],
    ),
    ("whole", "aws_thing.one", r#"[{"id": 1}]"#, &["[]", "1"]),
    ("all", "aws_thing.many", r#"[[{"id": 1}]]"#, &[r#"{"id": 1}"#, "[1]"]),
    ("chosen", "var.on ? aws_thing.one.id : \"\"", r#"["a"]"#, &["1", "[]"]),
    ("list_or_none", "var.on ? aws_thing.one.ids : []", r#"[["a"], []]"#, &["{}", "\"\""]),
    ("map_or_none", "var.on ? aws_thing.one.tags : {}", r#"[{"a": "b"}]"#, &["[]"]),
    ("or_null", "var.on ? [for it in aws_thing.many : it.id] : null", "[[1]]", &["{}"]),
    ("either_map", "var.on ? { a = aws_thing.one.id } : { b = \"x\" }", r#"[{"a": "b"}]"#, &["[]"]),
    ("tried", "try(aws_thing.many[*].id, [])", r#"[["a"]]"#, &["{}"]),
    ("keys", "keys(aws_thing.one.tags)", r#"[["a"]]"#, &["[1]", "{}"]),
    ("merged", "merge(aws_thing.one.tags, { a = 1 })", r#"[{"a": 1}]"#, &["[]"]),
    ("called", "{ for k, v in module.called : k => v.size }", r#"[{"a": 1}]"#, &[r#"{"a": "b"}"#]),
];

#[test]
fn a_shape_is_known_where_the_type_is_not() {
    let outputs =
        SHAPES.map(|(name, value, ..)| format!("output \"{name}\" {{\n  value = {value}\n}}\n"));
    let root = "variable \"on\" {\n  type = bool\n}\nresource \"aws_thing\" \"one\" {}\n\
        resource \"aws_thing\" \"many\" {\n  count = var.on ? 1 : 0\n}\n\
        resource \"aws_thing\" \"keyed\" {\n  for_each = toset([var.on])\n}\n\
        module \"called\" {\n  for_each = toset([var.on])\n  source   = \"./called\"\n  size     = 1\n}\n";
    let system = MemorySystem::new()
        .file("m/main.tf", root.to_owned() + &outputs.concat())
        .file("m/called/main.tf", CALLED)
        .file(
            "m/called/inner/main.tf",
            "variable \"name\" {}\noutput \"name\" {\n  value = 1\n}\n",
        );
    let (exit, written) = terraschema(&system, "generate m --outputs=values --stdout");
    assert_eq!(exit, Exit::Clean, "{written}");
    let schema: Value = serde_json::from_str(&written[..=written.rfind('}').unwrap()]).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (name, value, good, bad) in SHAPES {
        let fits = |it: &Value| validator.is_valid(&json!({ name: it }));
        let good: Vec<Value> = serde_json::from_str(good).unwrap();
        assert!(good.iter().all(fits), "{value}: {}", schema["properties"][name]);
        for it in bad {
            let it = serde_json::from_str(it).unwrap();
            assert!(!fits(&it), "{value}: {it} fits {}", schema["properties"][name]);
        }
    }
    assert!(!written.contains("only a plan knows the types of these outputs"), "{written}");
}

#[test]
fn a_declared_type_is_that_of_the_value() {
    let module = "output \"id\" {\n  type  = string\n  value = terraform_data.x.id\n}\n\
        resource \"terraform_data\" \"x\" {}\n";
    let (schema, said) = schema(module, "--outputs=values");
    assert_eq!(schema["properties"]["id"]["type"], "string");
    assert!(!said.contains("only a plan"), "{said}");
}

#[test]
fn a_description_that_repeats_a_secret_default_is_left_out() {
    let module = "variable \"p\" {\n  default   = \"hunter2222\"\n  sensitive = true\n}\noutput \"o\" \
                  {\n  value       = 1\n  description = \"It is hunter2222.\"\n}\noutput \"q\" {\n  \
                  value       = 1\n  description = \"Plain.\"\n}\n";
    for flag in ["--outputs", "--outputs=values"] {
        let (schema, _) = schema(module, flag);
        assert!(!schema.to_string().contains("hunter2222"), "{schema}");
        assert_eq!(schema["properties"]["q"]["description"], "Plain.");
    }
}

#[test]
fn a_module_without_outputs_has_no_schema_of_them() {
    let system = MemorySystem::new().file("m/main.tf", "variable \"x\" {}\n");
    let (exit, text) = terraschema(&system, "generate m --outputs --stdout");
    assert_eq!(exit, Exit::Failure);
    assert!(text.contains("tf files don't contain any outputs"), "{text}");
    let (exit, text) = terraschema(&system, "generate m --outputs --stdout --allow-empty");
    assert_eq!((exit, text.trim()), (Exit::Clean, "{}"));
}

/// What only the called module knows: the types of its variables, locals and resources.
const CALLED: &str = r#"
variable "size" {
  type = number
}
variable "tags" {
  type    = map(string)
  default = {}
}
module "inner" {
  source = "./inner"
  name   = "n"
}
output "size" { value = var.size * 2 }
output "tags" { value = var.tags }
output "name" { value = upper(module.inner.name) }
output "id" { value = aws_thing.x.arn }
output "all" { value = { size = var.size, id = aws_thing.x.arn } }
resource "aws_thing" "x" {}
"#;

const CALLER: &str = r#"
variable "size" {
  type = number
}
variable "instances" {
  type = number
}
module "called" {
  source = "./called"
  size   = var.size
}
module "many" {
  source = "./called"
  count  = var.instances
  size   = var.size
}
module "away" {
  source = "acme/network/aws"
}
module "broken" {
  source = "./broken"
}
locals {
  size = module.called.size
}
output "size" { value = local.size }
output "tags" { value = module.called.tags }
output "name" { value = "${module.called.name}!" }
output "id" { value = module.called.id }
output "all" { value = module.called.all }
output "sizes" { value = module.many[*].size }
output "away" { value = module.away.id }
output "broken" { value = module.broken.id }
"#;

#[test]
fn types_come_through_called_modules() {
    let inner =
        "variable \"name\" {\n  type = string\n}\noutput \"name\" {\n  value = var.name\n}\n";
    let system = MemorySystem::new()
        .file("m/main.tf", CALLER)
        .file("m/called/main.tf", CALLED)
        .file("m/called/inner/main.tf", inner)
        .file("m/broken/main.tf", "output \"id\" {\n  value = var.nothing\n}\noutput {\n");
    let (exit, written) = terraschema(&system, "generate m --outputs=values --stdout");
    assert_eq!(exit, Exit::Clean, "{written}");
    let schema: Value =
        serde_json::from_str(&written[..=written.rfind('}').unwrap()]).unwrap_or_default();
    let of = |name: &str| &schema["properties"][name];
    assert_eq!(of("size")["type"], "number", "{written}");
    assert_eq!(of("name")["type"], "string", "{written}");
    assert_eq!(of("tags")["additionalProperties"]["anyOf"][1]["type"], "string", "{written}");
    assert_eq!(of("all")["properties"]["size"]["anyOf"][1]["type"], "number", "{written}");
    for open in ["id", "away", "broken"] {
        assert_eq!(of(open)["$comment"], "The type is not known before a plan.", "{written}");
    }
    let (exit, text) = terraschema(&system, "docs m --all");
    assert_eq!(exit, Exit::Clean, "{text}");
    for row in [
        "[size](#output_size) |  | `number` |",
        "[name](#output_name) |  | `string` |",
        "[id](#output_id) |  |  |",
    ] {
        let plain = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain(&text).contains(&plain(row)), "{row}: {text}");
    }
}
