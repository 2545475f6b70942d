//! A judge that is asked about several inputs says about each what a new one says.

use std::path::Path;

use diagnostics::Sources;
use module::{
    Module,
    inputs::{self, InputArgument, InputRequest, Layer},
};
use release::Release;
use system::MemorySystem;
use tf_eval::Meter;
use verdict::{JudgeSetting, Judgement, PreparedJudge, tree::ModuleTree};

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
variable "zero" {
  type = number
  validation {
    condition     = tostring(var.zero) == "0"
    error_message = "It is ${var.zero}."
  }
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

/// As an automatic file is: read once, below all others.
const BASE: &str = "name = \"a\"\nzero = 0";

const INPUTS: [&str; 13] = [
    "",
    "",
    "sizes = [2, 1]",
    "sizes = [2, 1]\nmost = 2",
    "sizes = []",
    "name = \"b\"\nsizes = []",
    r#"name = "b""#,
    "name = \"far too long\"\nopen = \"x\"",
    r#"open = "x""#,
    "zero = -0",
    "open = \"x\"\nsizes = \"no list\"",
    r#"sizes = ["1"]"#,
    r#"name = "a""#,
];

#[test]
fn a_judge_that_was_asked_before_says_what_a_new_one_says() {
    let system = MemorySystem::new().file("/m/main.tf", MODULE);
    let options = module::LoadOptions { release: Release::V1_11, ..module::LoadOptions::default() };
    let (module, problems) = module::load(&system, Path::new("/m"), &options).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let old = PreparedJudge::new(&module, &ModuleTree::default());
    let base = read(BASE);
    // In many orders.
    for step in 1..INPUTS.len() {
        for number in 0..INPUTS.len() {
            let text = INPUTS[number * step % INPUTS.len()];
            let layers = [base.clone(), read(text)].concat();
            let ours = judge(&old, &module, layers.clone());
            let fresh =
                judge(&PreparedJudge::new(&module, &ModuleTree::default()), &module, layers);
            assert_eq!(format!("{:?}", ours.diagnostics), format!("{:?}", fresh.diagnostics));
            assert_eq!((ours.verdict, ours.values), (fresh.verdict, fresh.values), "{text}");
        }
    }
}

fn read(text: &str) -> Vec<Layer> {
    let system = MemorySystem::new().file("/m/in.tfvars", text);
    let arguments = vec![InputArgument::File("in.tfvars".into())];
    let request = InputRequest { dir: "/m".into(), arguments, ..InputRequest::default() };
    let (layers, problems) = inputs::read(&system, &mut Sources::new(), &request, Release::V1_11);
    assert!(problems.is_empty(), "{problems:?}");
    layers
}

fn judge(judge: &PreparedJudge, module: &Module, layers: Vec<Layer>) -> Judgement {
    let (collected, problems) =
        inputs::collect(&module.variables, layers, Release::V1_11, &Meter::default());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(inputs::without_value(&module.variables, &collected).count(), 0);
    let (system, base_dir) = (MemorySystem::new(), Path::new("/m"));
    let meter = Meter::default();
    let mut setting = JudgeSetting::new(&system, base_dir, Release::V1_11, &meter);
    setting.workspace = Some("default");
    judge.judge(module, &ModuleTree::default(), Some(&collected), setting)
}
