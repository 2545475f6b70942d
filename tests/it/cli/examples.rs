//! `stale-example` of `check`: examples of values files, and the code in a README.

use system::{MemorySystem, System};

use super::terraschema;
use terraschema::Exit;

const MODULE: &str = r#"
variable "region" {
  type = string
  validation {
    condition     = can(regex("^[a-z]+-[a-z]+-[0-9]$", var.region))
    error_message = "Choose a region."
  }
}
variable "instance_count" {
  type    = number
  default = 1
}
variable "disks" {
  type    = list(object({ size = number, kind = optional(string, "ssd") }))
  default = []
}
variable "token" {
  type      = string
  sensitive = true
  default   = null
}
"#;

fn module(dir: &str) -> MemorySystem {
    let system = MemorySystem::new().file(format!("{dir}/main.tf"), MODULE);
    let (exit, text) = terraschema(&system, "check --fix");
    assert_eq!(exit, Exit::Clean, "{text}");
    system
}

/// The exit code and the lines with findings of `check`.
fn found(system: &MemorySystem) -> (Exit, Vec<String>) {
    let (exit, text) = terraschema(system, "check --format concise");
    let lines = text
        .lines()
        .filter(|it| it.contains('[') && !it.contains("[not-judged]"))
        .map(str::to_owned);
    (exit, lines.collect())
}

/// The findings about one file of the module `m`.
fn about(name: &str, text: &str) -> Vec<String> {
    let (exit, lines) = found(&module("m").file(format!("m/{name}"), text));
    assert_eq!(exit, Exit::Clean, "a finding about an example is a warning: {lines:?}");
    lines
}

fn read(system: &MemorySystem, path: &str) -> String {
    String::from_utf8(system.read(path.as_ref()).unwrap()).unwrap()
}

#[test]
fn an_example_may_be_incomplete_and_have_placeholders() {
    for text in [
        "",
        "# region = \"eu-west-1\"\n",
        "region = \"<your region>\"\ninstance_count = \"CHANGEME\"\n",
        "region = <your region>\ninstance_count = <how many>\ndisks = [<disk>]\n",
        "region =\r\ndisks = [{ size = <GB> }]\r\n",
        "region = CHANGE_ME\ntoken = \"xxxxxxxx\"\n...\n",
        "region = \"eu-west-1\"\ndisks = [{ size = TODO }, { size = 1 }]\n",
        "region = \"${AWS_REGION}\"\n",
    ] {
        assert_eq!(about("terraform.tfvars.example", text), [""; 0], "{text}");
    }
    for name in ["x.tfvars.json.sample", "x.tfvars.example.json", "example.tfvars.json"] {
        let text = "{\"region\": \"<region>\", \"disks\": [{\"size\": \"<GB>\"}]}";
        assert_eq!(about(name, text), [""; 0], "{name}");
    }
}

#[test]
fn what_does_not_fit_the_module_is_a_warning() {
    for (text, said) in [
        ("regoin = \"eu-west-1\"\n", "The module declares no variable \"regoin\"."),
        ("region = \"Frankfurt\"\n", "Choose a region."),
        ("region = \"eu-west-1\"\nold_name = 1\n", "no variable \"old_name\""),
        ("instance_count = \"many\"\n", "a number is required"),
        ("disks = [{}]\n", "attribute \"size\" is required"),
        ("disks = [{ size = 1, king = \"ssd\" }]\n", "has no attribute \"king\""),
        ("region = \"eu-west-1\n", "String without a closing quote"),
        ("instance_count = var.region\n", "Variables not allowed"),
        ("region = \"${path.module}/region\"\n", "Variables not allowed"),
    ] {
        for name in ["terraform.tfvars.example", "prod.tfvars.sample", "example.tfvars"] {
            let lines = about(name, text);
            assert_eq!(lines.len(), 1, "{name}: {text}: {lines:?}");
            assert!(lines[0].contains("stale-example"), "{lines:?}");
            assert!(lines[0].contains(said), "{text}: {lines:?}");
        }
    }
    let lines = about("x.tfvars.json.example", "{\"region\": \"Frankfurt\", \"old_name\": 1}");
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn an_automatic_file_and_an_example_are_apart() {
    let system = module("m")
        .file("m/terraform.tfvars", "region = \"eu-west-1\"\ninstance_count = \"many\"\n")
        .file("m/terraform.tfvars.example", "region = \"<region>\"\n");
    let (exit, lines) = found(&system);
    assert_eq!(exit, Exit::Findings);
    assert!(lines.len() == 1 && lines[0].contains("type-mismatch"), "{lines:?}");
    // Terraform reads it, whatever its name is.
    let (_, lines) = found(&module("m").file("m/example.auto.tfvars", "instance_count = true\n"));
    assert!(lines.iter().any(|it| it.contains("type-mismatch")), "{lines:?}");
}

#[test]
fn an_example_of_another_module_is_not_judged() {
    let other = "a = 1\nb = 2\nc = 3\n";
    assert_eq!(about("terraform.tfvars.example", other), [""; 0]);
    assert_eq!(about("deep/x.tfvars.example", &format!("{other}region = 1\n")), [""; 0]);
    let system = module("m").file("m/terraform.tfvars.example", other);
    let (_, text) = terraschema(&system, "check -v");
    assert!(text.contains("most of its variables are not those of the nearest module"), "{text}");
    assert!(!about("deep/x.tfvars.example", "region = \"A\"\nregio = 1\n").is_empty());
}

#[test]
fn fix_inputs_removes_what_the_module_does_not_declare() {
    let text = "# Where.\nregion = <region>\nold_name = 1 # gone\ninstance_coutn = 2\n";
    let path = "m/terraform.tfvars.example";
    let system = module("m").file(path, text);
    let (_, said) = terraschema(&system, "check --fix-inputs");
    assert_eq!(read(&system, path), "# Where.\nregion = <region>\ninstance_coutn = 2\n", "{said}");
}

#[test]
fn secrets_of_examples_are_not_shown() {
    let text = "region = \"A\"\ntoken = [\"hunter2\"]\ntokens = \"hunter3\"\n";
    let readme = "```tfvars\ntoken = [\"hunter4\"]\n```\n";
    let system = module("m").file("m/x.tfvars.example", text).file("m/README.md", readme);
    for format in ["human", "concise", "json", "sarif", "markdown"] {
        let (_, text) = terraschema(&system, &format!("check --format {format}"));
        assert!(text.contains("stale-example") && !text.contains("hunter"), "{text}");
    }
}

#[test]
fn calls_in_a_readme_are_judged_where_they_call_this_module() {
    let call = |source: &str, rest: &str| {
        format!("# Use\n\n```hcl\nmodule \"x\" {{\n  source = \"{source}\"\n  {rest}\n}}\n```\n")
    };
    let lines = |dir: &str, readme: &str, text: &str| {
        let (exit, lines) = found(&module(dir).file(readme, text));
        assert_eq!(exit, Exit::Clean, "{lines:?}");
        lines
    };
    let wrong = "region = \"eu-west-1\"\n  instance_coutn = 2";
    for (dir, readme, source) in [
        ("m", "m/README.md", "./"),
        ("m", "README.md", "./m"),
        ("modules/a", "modules/README.md", "./a"),
        ("modules/a", "modules/a/readme.md", "../a"),
    ] {
        let found = lines(dir, readme, &call(source, wrong));
        assert_eq!(found.len(), 1, "{readme}: {found:?}");
        assert!(found[0].contains(&format!("{readme}:7:3")), "{found:?}");
    }
    for source in ["../other", "acme/network/aws", "github.com/acme/other", "./missing"] {
        assert_eq!(lines("m", "m/README.md", &call(source, wrong)), [""; 0], "{source}");
    }
    let system = module("m").file("m/README.md", call("./", wrong));
    let (_, text) = terraschema(&system, "check");
    assert!(text.contains("= help: Did you mean \"instance_count\"?"), "{text}");
    // References and functions have unknown values, and placeholders too.
    for fine in [
        "region = var.region\n  instance_count = length(local.all)",
        "region = \"<region>\"\n  for_each = toset([\"a\"])\n  providers = { aws = aws.b }",
        "region = \"${local.area}-1\"\n  disks = [for it in var.x : { size = it }]\n  ...",
        "region = data.aws_region.here.name\n  disks = [{ size = var.size }]",
    ] {
        assert_eq!(lines("m", "m/README.md", &call("./", fine)), [""; 0], "{fine}");
    }
    for (bad, said) in [
        ("region = \"Frankfurt\"", "Choose a region."),
        ("disks = [{ size = var.size, king = var.kind }]", "has no attribute \"king\""),
        ("instance_count = { a = var.b }", "number required"),
    ] {
        let found = lines("m", "m/README.md", &call("./", bad));
        assert!(found.len() == 1 && found[0].contains(said), "{bad}: {found:?}");
    }
    // What does not parse may leave something out, and a section about an upgrade shows how it was.
    assert_eq!(lines("m", "m/README.md", &call("./", "name = [1,")), [""; 0]);
    let past = call("./", wrong).replace("# Use", "# Upgrading");
    assert_eq!(lines("m", "m/README.md", &past), [""; 0]);
}

#[test]
fn an_address_names_the_repository() {
    let text = |source: &str, version: &str| {
        format!(
            "```terraform\nmodule \"x\" {{\n  source = \"{source}\"\n  {version}\n  region = \"eu-west-1\"\n  \
            old = 1\n}}\n```\n"
        )
    };
    // Without a remote the name of the directory is that of the repository.
    let here = |readme: &str| {
        let system =
            MemorySystem::new().working_in("/terraform-aws-network").file("main.tf", MODULE);
        let (exit, text) = terraschema(&system, "check --fix");
        assert_eq!(exit, Exit::Clean, "{text}");
        found(&system.file("README.md", readme)).1
    };
    for source in [
        "acme/network/aws",
        "app.terraform.io/acme/network/aws",
        "github.com/acme/terraform-aws-network?ref=v2.0.0",
        "git::ssh://git@github.com/acme/terraform-aws-network.git",
    ] {
        assert_eq!(here(&text(source, "")).len(), 1, "{source}");
    }
    assert_eq!(here(&text("acme/network/aws//modules/a", "")), [""; 0]);
    let old = text("acme/network/aws", "version = \"~> 1.0\"");
    assert_eq!(here(&old).len(), 1);
    let both = old + &text("acme/network/aws", "version = \"2.1.0\"").replace("old = 1", "");
    assert_eq!(here(&both), [""; 0]);
}

#[test]
fn values_in_a_readme_are_judged_where_it_names_a_values_file() {
    let values = "region = \"A\"\ninstance_count = 1\n";
    for text in [
        format!("Write `terraform.tfvars`:\n\n```hcl\n{values}```\n"),
        format!("```hcl\n# prod.tfvars\n{values}```\n"),
        format!("```tfvars\n{values}```\n"),
        format!("Write m/prod.tfvars.\n```terraform\n{values}```\n").replace("m/", "./"),
    ] {
        let lines = about("README.md", &text);
        assert!(lines.len() == 1 && lines[0].contains("Choose a region."), "{text}: {lines:?}");
    }
    for text in [
        format!("Like this:\n```hcl\n{values}```\n"),
        format!("Write `other/prod.tfvars`:\n```hcl\n{values}```\n"),
        "Write `terraform.tfvars`:\n```hcl\nregion = \"A\"\nb = 1\nc = 1\n```\n".to_owned(),
        format!("Write `terraform.tfvars`:\n```hcl\nvariable \"x\" {{}}\n{values}```\n"),
    ] {
        assert_eq!(about("README.md", &text), [""; 0], "{text}");
    }
}

/// A rule may refer to anything in the module, and anything may refer to a value.
#[test]
fn rules_about_examples_see_the_rest_of_the_module() {
    const TEXT: &str = r#"
variable "size" {
  type = number
}
variable "limit" {
  type = number
  validation {
    condition     = var.limit >= local.least
    error_message = "Too small."
  }
}
locals {
  least = module.twice.value
}
module "twice" {
  source = "./twice"
  number = var.size
}
resource "terraform_data" "this" {
  lifecycle {
    precondition {
      condition     = var.size < 1
      error_message = "Not of the example."
    }
  }
}
"#;
    const TWICE: &str = "variable \"number\" {\n  type = number\n}\n\
                         output \"value\" {\n  value = var.number * 2\n}\n";
    let base = || {
        let twice = MemorySystem::new().file("m/main.tf", TEXT).file("m/twice/main.tf", TWICE);
        let (exit, text) = terraschema(&twice, "check --fix");
        assert_eq!(exit, Exit::Clean, "{text}");
        twice
    };
    for (text, count) in [
        ("size = 2\nlimit = 4\n", 0),
        ("size = 3\nlimit = 4\n", 1),
        ("size = <size>\nlimit = 4\n", 0),
        ("limit = 4\n", 0),
        ("size = \"many\"\nlimit = 4\n", 1),
    ] {
        let (exit, lines) = found(&base().file("m/terraform.tfvars.example", text));
        assert_eq!(exit, Exit::Clean, "{text}: {lines:?}");
        assert_eq!(lines.len(), count, "{text}: {lines:?}");
        assert!(lines.iter().all(|it| it.contains("stale-example")), "{lines:?}");
    }
}
