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
    let text = "region = \"eu-west-1\"\nregio = 1\n";
    assert!(!about("deep/x.tfvars.example", text).is_empty());
    // It is for the modules below it.
    let below = module("m").file("m/deep/a/main.tf", "").file("m/deep/x.tfvars.example", text);
    assert_eq!(found(&below).1, [""; 0]);
    let (_, text) = terraschema(&below, "check -v");
    assert!(text.contains("other modules lie below it"), "{text}");
}

#[test]
fn a_template_for_another_program_is_not_judged() {
    for text in [
        "region = \"{{ region }}\"\n{% if disks -%}\ndisks = []\n{% endif %}\n",
        "disks = [\n  {{- range .Disks }}\n  { size = {{ .Size }} },\n  {{- end }}\n]\n",
    ] {
        for name in ["terraform.tfvars.template", "template.tfvars"] {
            assert_eq!(about(name, text), [""; 0], "{name}");
            let (_, text) = terraschema(&module("m").file(format!("m/{name}"), text), "check -v");
            assert!(text.contains("it is a template in another language"), "{text}");
        }
    }
    // Any other text is a mistake.
    assert_eq!(about("terraform.tfvars.template", "region = \"{{ a }}\"\n%%\n").len(), 1);
}

#[test]
fn fix_inputs_removes_what_the_module_does_not_declare() {
    let text = "# Where.\nregion = <region>\nold_name = 1 # gone\ninstance_coutn = 2\n";
    let path = "m/terraform.tfvars.example";
    let system = module("m").file(path, text);
    let (_, said) = terraschema(&system, "check --fix-inputs");
    assert_eq!(read(&system, path), "# Where.\nregion = <region>\ninstance_count = 2\n", "{said}");
    // Two values do not get one name, and a value is not set twice.
    for (text, left) in [
        ("instance_coutn = 2\ninstance_cont = 3\n", "instance_coutn = 2\ninstance_cont = 3\n"),
        ("instance_coutn = 2\ninstance_count = 3\n", "instance_count = 3\n"),
        ("\u{feff}old = 1\r\ninstance_coutn = 2\r\n", "\u{feff}instance_count = 2\r\n"),
    ] {
        let system = module("m").file(path, text);
        let (_, said) = terraschema(&system, "check --fix-inputs");
        assert_eq!(read(&system, path), left, "{said}");
        let (_, again) = terraschema(&system, "check --fix-inputs");
        assert_eq!(read(&system, path), left, "{again}");
    }
    let json = "{\n  \"instance_coutn\": 2,\n  \"old\": [1]\n}\n";
    let system = module("m").file("m/x.tfvars.json.sample", json);
    terraschema(&system, "check --fix-inputs");
    assert_eq!(read(&system, "m/x.tfvars.json.sample"), "{\n  \"instance_count\": 2\n}\n");
}

#[test]
fn fix_inputs_repairs_the_code_of_a_readme_and_nothing_else() {
    let text = "\u{feff}# Use\r\n\r\n1. Call it, as old = 1:\r\n\r\n   ```hcl\r\n   module \"a\" {\r\n     source = \"./m\"\r\n     \
                old    = { # gone\r\n       x = 1\r\n     }\r\n     region = \"eu-west-1\"\r\n     instance_coutn = 2 # two\r\n     \
                disks  = [{ size = 1, king = 2 }]\r\n     ...\r\n   }\r\n   ```\r\n\r\n> ```tf\r\n> module \"b\" {\r\n>   source \
                = \"./m\"\r\n>   region = \"eu-west-1\"\r\n>   old    = 1\r\n> }\r\n> ```\r\n\r\nThe end of old = 1.";
    let want = text
        .replace("     old    = { # gone\r\n       x = 1\r\n     }\r\n", "")
        .replace("instance_coutn", "instance_count")
        .replace(", king = 2", "")
        .replace(">   old    = 1\r\n", ">   \r\n");
    let system = module("m").file("README.md", text);
    let (_, lines) = found(&system);
    assert_eq!(lines.len(), 4, "{lines:?}");
    let (_, said) = terraschema(&system, "check --fix-inputs");
    assert_eq!(read(&system, "README.md"), want, "{said}");
    assert_eq!(found(&system).1, [""; 0]);
    // Without the option nothing is written.
    let system = module("m").file("README.md", text);
    terraschema(&system, "check --fix");
    assert_eq!(read(&system, "README.md"), text);
}

#[test]
fn a_file_in_utf16_has_one_finding() {
    let text: Vec<u8> = "region = \"A\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let system =
        module("m").file("m/terraform.tfvars.example", [&[0xff, 0xfe], &text[..]].concat());
    let (_, lines) = found(&system);
    assert!(lines.len() == 1 && lines[0].contains("Invalid character encoding"), "{lines:?}");
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
      error_message = "Too large."
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
        ("size = 2\nlimit = 4\n", 1),
        ("size = 0\nlimit = 4\n", 0),
        ("size = 3\nlimit = 4\n", 2),
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

/// A module in which much depends on its variables. Terraform 1.11.4 reports the same for `cidr` and `zones`.
const NETWORK: &str = r#"
variable "cidr" {
  type = string
}
variable "zones" {
  type    = list(string)
  default = ["a", "b", "c"]
}
variable "stage" {
  type    = string
  default = "dev"
}
variable "replicas" {
  type    = number
  default = 1
}
variable "names" {
  type    = list(string)
  default = ["x", "y"]
}
variable "key" {
  type    = string
  default = null
}
locals {
  third = var.zones[2]
  size  = { dev = 1, prod = 3 }[var.stage]
  key   = var.key == null ? "" : file(var.key)
}
module "net" {
  source = "./net"
  cidr   = var.cidr
  size   = local.size
}
resource "terraform_data" "less" {
  count = var.replicas - 1
  input = local.third
  lifecycle {
    precondition {
      condition     = var.replicas < 10
      error_message = "Too many replicas."
    }
  }
}
resource "terraform_data" "named" {
  count = var.replicas
  input = [var.names[count.index], local.key]
  lifecycle {
    precondition {
      condition     = var.key == null || fileexists(coalesce(var.key, "/none"))
      error_message = "No key."
    }
  }
}
"#;

const NET: &str = r#"
variable "cidr" {
  type = string
  validation {
    condition     = tonumber(split("/", var.cidr)[1]) >= 16
    error_message = "The network is too large."
  }
}
variable "size" {
  type = number
}
"#;

fn network() -> MemorySystem {
    let system = MemorySystem::new().file("m/main.tf", NETWORK).file("m/net/main.tf", NET);
    let (exit, text) = terraschema(&system, "check --fix");
    assert_eq!(exit, Exit::Clean, "{text}");
    system
}

#[test]
fn what_a_value_of_an_example_does_to_the_module_is_of_the_example() {
    for (text, place, said) in [
        ("cidr = \"10.0.0.0/8\"\n", "1:8", "The network is too large."),
        ("# Where.\nzones = [\"a\"]\n", "2:9", "Invalid index"),
        ("cidr = \"<cidr>\"\nstage = \"test\"\n", "2:9", "Invalid index"),
        ("replicas = 0\n", "1:12", "Invalid count argument"),
        ("names = []\nreplicas = 12\n", "2:12", "Too many replicas."),
        ("replicas = 3\nnames = [\"a\"]\n", "2:9", "Invalid index"),
    ] {
        for name in ["terraform.tfvars.example", "prod.tfvars.sample"] {
            let (exit, lines) = found(&network().file(format!("m/{name}"), text));
            assert_eq!(exit, Exit::Clean, "{lines:?}");
            let place = format!("m/{name}:{place}: warning[stale-example]");
            let is_it = |it: &&String| it.starts_with(&place) && it.contains(said);
            assert!(lines.iter().any(|it| is_it(&it)), "{text}: {lines:?}");
        }
    }
    let call = "```hcl\nmodule \"m\" {\n  source = \"./m\"\n  zones  = [var.zone]\n  cidr   = \
                \"10.0.0.0/8\"\n}\n```\n";
    let (_, lines) = found(&network().file("README.md", call));
    let of = |it: &str| lines.iter().filter(|line| line.contains(it)).count();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!((of("README.md:4:12: warning"), of("Invalid index")), (1, 1), "{lines:?}");
    assert_eq!((of("README.md:5:12: warning"), of("too large")), (1, 1), "{lines:?}");
}

#[test]
fn an_example_is_not_blamed_for_what_it_leaves_open() {
    for text in [
        "cidr = \"10.0.0.0/16\"\nzones = [\"a\", \"b\", \"c\"]\nstage = \"prod\"\n",
        "cidr = \"<cidr>\"\nzones = \"<zones>\"\nstage = \"CHANGEME\"\nreplicas = \"xxx\"\n",
        "zones = [<a>, <b>, <c>]\n",
        // Null sets nothing.
        "stage = \"prod\"\nzones = null\n",
        // Nobody has the file that it names.
        "key = \"keys/none.pem\"\n",
        "key = \"~/.ssh/none.pem\"\n",
    ] {
        let (_, lines) = found(&network().file("m/terraform.tfvars.example", text));
        assert_eq!(lines, [""; 0], "{text}");
    }
    // Only with the default of `names` is it an error.
    let system = network().file("m/terraform.tfvars.example", "replicas = 3\n");
    assert_eq!(found(&system).1, [""; 0]);
    let (_, text) = terraschema(&system, "check -v");
    let note = "note[undecided-validation]: The example leaves variables open, and their values may change this: \
                With their defaults the plan fails: Invalid index";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("--> m/terraform.tfvars.example:1:12"), "{text}");
}

#[test]
fn an_object_that_leaves_something_out_is_not_known() {
    let text = |disks: &str| format!("region = \"eu-west-1\"\ndisks = {disks}\n");
    for disks in [
        "[\n  {\n    # omitted... can be anything\n  }\n]",
        "[\n  {\n    kind = \"ssd\"\n    // ...\n  },\n]",
        "[\n  {},\n  # ...\n]",
    ] {
        assert_eq!(about("terraform.tfvars.example", &text(disks)), [""; 0], "{disks}");
        let call = format!("```hcl\nmodule \"m\" {{\n  source = \"./\"\n{}}}\n```\n", text(disks));
        assert_eq!(about("README.md", &call), [""; 0], "{disks}");
    }
    // What is outside of it is judged.
    for disks in ["[\n  { size = 1 },\n  {}, # ...\n]", "[{}]\n# ...\ntoken = null"] {
        assert_eq!(about("terraform.tfvars.example", &text(disks)).len(), 1, "{disks}");
    }
}

#[test]
fn what_fails_with_every_value_is_not_of_the_example() {
    const TEXT: &str = r#"
variable "name" {
  type    = string
  default = ""
}
locals {
  last  = split(",", "a")[1]
  names = "${var.name}${local.last}"
  all   = [var.name][1]
}
module "port" {
  source = "./port"
  name   = var.name
  port   = 99999
}
module "ports" {
  source   = "./port"
  for_each = toset([var.name])
  name     = each.key
  port     = 88888
}
"#;
    const PORT: &str = r#"
variable "name" {
  type = string
}
variable "port" {
  type = number
  validation {
    condition     = var.port < 65536
    error_message = "No such port."
  }
}
output "name" {
  value = var.name
  precondition {
    condition     = var.port < 65536 || var.name == ""
    error_message = "No such port for ${var.name}."
  }
}
"#;
    let plain = || MemorySystem::new().file("m/main.tf", TEXT).file("m/port/main.tf", PORT);
    let (_, before) = found(&plain());
    let call = "```hcl\nmodule \"m\" {\n  source = \"./m\"\n  name = \"api\"\n}\n```\n";
    let full =
        plain().file("m/terraform.tfvars.example", "name = \"api\"\n").file("README.md", call);
    let (_, after) = found(&full);
    let of_examples = |it: &&String| it.contains("stale-example");
    assert_eq!(after.iter().filter(of_examples).count(), 0, "{after:?}");
    assert!(before.iter().all(|it| after.contains(it)), "{before:?} {after:?}");
}

#[test]
fn a_secret_of_an_example_does_not_come_out_of_the_module() {
    const TEXT: &str = r#"
variable "token" {
  type      = string
  sensitive = true
}
module "a" {
  source = "./a"
  token  = var.token
}
locals {
  digits = tonumber(nonsensitive(var.token))
}
"#;
    const CALLED: &str = "variable \"token\" {\n  type = string\n  validation {\n    condition     = \
                          length(var.token) > 40\n    error_message = \"Too short.\"\n  }\n}\n";
    let system = MemorySystem::new().file("m/main.tf", TEXT).file("m/a/main.tf", CALLED);
    let system = system
        .file("m/terraform.tfvars.example", "token = \"hunter2\"\n")
        .file("m/README.md", "```tfvars\ntoken = \"hunter3\"\n```\n");
    for format in ["human", "concise", "json", "sarif", "markdown"] {
        let (_, text) = terraschema(&system, &format!("check --format {format}"));
        assert!(text.contains("Too short.") && !text.contains("hunter"), "{text}");
    }
}

#[test]
fn plain_arguments_that_fail_with_a_value_are_found() {
    const DECLARED: &str = r#"
variable "name" {
  type    = string
  default = "a"
}
variable "tags" {
  type    = map(string)
  default = { a = "b" }
}
variable "box" {
  type = object({ size = optional(number), inner = optional(object({ id = string })) })
}
variable "any" {
  type    = any
  default = "b"
}
variable "word" {
  type    = any
  default = "b"
}
variable "number" {
  type    = number
  default = 1
}
resource "x_a" "single" {
}
locals {
  text    = "${var.word}-x"
  all     = merge(var.tags, { name = var.name })
}
"#;
    // An expression, values with which it is sound, and values with which it fails.
    for (expr, sound, failing) in [
        ("\"${var.any}-x\"", "any = \"b\"", "any = [\"b\"]"),
        ("\"${var.name}-x\"", "name = \"b\"", ""),
        ("local.text", "word = 1", "word = {}"),
        ("[var.name, { a = x_a.single.id }]", "name = null", ""),
        ("var.box.inner.id", "box = { inner = { id = \"a\" } }", "box = {}"),
        ("var.box.inner", "box = {}", ""),
        ("\"n${var.box.size}\"", "box = { size = 1 }", "box = {}"),
        ("var.tags.a", "tags = { a = null }", "tags = { b = \"a\" }"),
        ("var.any.a", "any = { a = 1 }", "any = { b = 1 }"),
        ("var.any[\"a\"]", "any = { a = 1 }", "any = { b = 1 }"),
        ("merge(var.any, { a = 1 })", "any = { b = 1 }", "any = \"text\""),
        ("jsonencode({ a = var.number })", "number = 2", "number = \"Inf\""),
        ("jsonencode([var.box])", "box = { size = 1 }", "box = { size = \"-inf\" }"),
        ("try(var.any.a, var.box.inner.id)", "any = { a = 1 }\nbox = {}", "any = 1\nbox = {}"),
        ("try(var.any.a, var.box.inner)", "any = 1\nbox = {}", ""),
        ("jsonencode(local.all)", "name = null", ""),
    ] {
        let module =
            format!("{DECLARED}resource \"x_b\" \"y\" {{\n  block {{\n    a = {expr}\n  }}\n}}\n");
        let lines = |values: &str| {
            let system = MemorySystem::new().file("m/main.tf", &module);
            terraschema(&system, "check --fix");
            found(&system.file("m/terraform.tfvars.example", values)).1
        };
        assert_eq!(lines(&format!("{sound}\n")), [""; 0], "{expr}");
        if !failing.is_empty() {
            let lines = lines(&format!("{failing}\n"));
            assert!(lines.iter().any(|it| it.contains("stale-example")), "{expr}: {lines:?}");
        }
    }
}
