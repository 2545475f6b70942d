//! A judge that is asked about several inputs says of each what a new one says.

use std::path::Path;

use terraschema::{
    diagnostic::Sources,
    inputs::{self, Argument, Request},
    module::{self, Module},
    system::MemorySystem,
    verdict::{Judge, Judgement, Setting},
    version::Version,
};

const MODULE: &str = r#"
variable "name" {
  type = string
  validation {
    condition     = length(var.name) < 5
    error_message = "${var.name} is too long."
  }
}
variable "sizes" {
  type    = list(number)
  default = [1]
  validation {
    condition     = alltrue([for it in var.sizes : it < local.most])
    error_message = "Below ${local.most}."
  }
  validation {
    condition     = length(var.sizes) > 0 || local.title == "A"
    error_message = "One at least."
  }
}
variable "most" {
  type      = number
  default   = 3
  sensitive = true
}
variable "open" {
  default = null
  validation {
    condition     = var.open == null || var.open == aws_vpc.main.id
    error_message = "Another one."
  }
}
locals {
  most  = nonsensitive(var.most)
  title = upper(var.name)
  first = var.sizes[0]
}
resource "aws_vpc" "main" {}
output "first" {
  value = local.first
  precondition {
    condition     = local.title != "B"
    error_message = "Not ${local.title}."
  }
}
"#;

const INPUTS: [&str; 12] = [
    r#"name = "a""#,
    r#"name = "a""#,
    "name = \"a\"\nsizes = [2, 1]",
    "name = \"a\"\nsizes = [2, 1]\nmost = 2",
    "name = \"a\"\nsizes = []",
    "name = \"b\"\nsizes = []",
    r#"name = "b""#,
    "name = \"far too long\"\nopen = \"x\"",
    "name = \"a\"\nopen = \"x\"",
    "name = \"a\"\nopen = \"x\"\nsizes = \"no list\"",
    "name = \"a\"\nsizes = [\"1\"]",
    r#"name = "a""#,
];

#[test]
fn a_judge_that_was_asked_before_says_what_a_new_one_says() {
    let system = MemorySystem::new().file("/m/main.tf", MODULE);
    let options = module::Options { version: Version::V1_11, ..module::Options::default() };
    let (module, problems) = module::load(&system, Path::new("/m"), &options).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let old = Judge::new(&module);
    // In many orders.
    for step in 1..INPUTS.len() {
        for number in 0..INPUTS.len() {
            let text = INPUTS[number * step % INPUTS.len()];
            let (ours, fresh) =
                (judge(&old, &module, text), judge(&Judge::new(&module), &module, text));
            assert_eq!(format!("{:?}", ours.diagnostics), format!("{:?}", fresh.diagnostics));
            assert_eq!((ours.verdict, ours.values), (fresh.verdict, fresh.values), "{text}");
        }
    }
}

fn judge(judge: &Judge, module: &Module, text: &str) -> Judgement {
    let system = MemorySystem::new().file("/m/in.tfvars", text);
    let arguments = vec![Argument::File("in.tfvars".into())];
    let request = Request { dir: "/m".into(), arguments, ..Request::default() };
    let (layers, problems) = inputs::read(&system, &mut Sources::new(), &request);
    let (collected, missing) = inputs::collect(&module.variables, layers, Version::V1_11);
    assert!(problems.is_empty() && missing.is_empty(), "{problems:?} {missing:?}");
    let base_dir = Path::new("/m");
    let setting =
        Setting { system: &system, base_dir, version: Version::V1_11, workspace: Some("default") };
    judge.judge(module, &collected, setting)
}
