//! `terraschema skeleton`: values that pass, in each form; what is missing is named; secrets are not printed.

use system::{MemorySystem, System};
use terraschema::Exit;

use super::terraschema;

const MODULE: &str = r#"
variable "vpc_cidr" {
  description = "Range of the network."
  type        = string
  validation {
    condition     = can(cidrhost(var.vpc_cidr, 0))
    error_message = "Must be a CIDR block."
  }
}
variable "code" {
  type = string
  validation {
    condition     = can(regex("^zq[0-9]{4}$", var.code))
    error_message = "Two letters and four digits."
  }
}
variable "low" {
  type = number
  validation {
    condition     = var.low > 40 && var.low < var.high
    error_message = "Low is above 40 and below high."
  }
}
variable "high" {
  type = number
}
variable "listener" {
  type = object({
    # The port of the listener.
    port     = number
    protocol = optional(string, "tcp")
  })
  validation {
    condition     = var.listener.port >= 1024
    error_message = "A high port."
  }
}
variable "access_log" {
  type = object({
    bucket = string
    prefix = optional(string)
  })
  default = null
}
variable "size" {
  type    = number
  default = 1
}
"#;

const TFVARS: &str = r#"# Required

# Range of the network.
# Rule: a string that is an IPv4 or IPv6 prefix (CIDR).
vpc_cidr = "10.0.0.0/16"

# Rule: Two letters and four digits.
code = "zq0000"

# Rule: Low is above 40 and below high.
low = 60

high = 100

# Rule: an object in which `port` is a number from 1024.
listener = {
  # The port of the listener.
  port = 8080
  # protocol = "tcp"
}

# Optional, with defaults

# Default: null. For example:
# access_log = {
#   bucket = "example-bucket"
#   # prefix = null
# }

# size = 1
"#;

fn module(text: &str) -> MemorySystem {
    MemorySystem::new().file("m/main.tf", text)
}

#[test]
fn values_pass_the_rules_and_look_written_by_people() {
    let system = module(MODULE);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert_eq!(text, TFVARS);
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

#[test]
fn each_form_has_the_same_values() {
    let text = "variable \"name\" {\n  type = string\n}\n\
        terraform {\n  required_version = \">= 1.7\"\n  required_providers {\n    aws = {\n      \
        source                = \"hashicorp/aws\"\n      configuration_aliases = [aws.dns]\n    }\n  }\n}\n";
    let of = |form: &str| {
        let (exit, text) = terraschema(&module(text), &format!("skeleton m --as {form}"));
        assert_eq!(exit, Exit::Clean, "{text}");
        // Nobody passes aws.dns to a module that Terraform runs by itself.
        let is_run_alone = matches!(form, "tfvars" | "json");
        assert_eq!(text.contains("no provider configuration aws.dns"), is_run_alone, "{text}");
        assert!(is_run_alone || !text.contains("Info: "), "{text}");
        text.split_once("Warning: ").map_or(text.clone(), |it| it.0.to_owned())
    };
    assert_eq!(of("tfvars"), "name = \"example\"\n");
    assert_eq!(of("json"), "{\n  \"name\": \"example\"\n}\n");
    let passed = "  providers = {\n    aws     = aws\n    aws.dns = aws.dns\n  }\n";
    let call = |source: &str| {
        format!("module \"m\" {{\n  source = \"{source}\"\n\n{passed}\n  name = \"example\"\n}}\n")
    };
    assert_eq!(of("module"), call("./m"));
    assert_eq!(
        of("terragrunt"),
        "terraform {\n  source = \"./m\"\n}\n\ninputs = {\n  name = \"example\"\n}\n"
    );
    assert_eq!(
        of("tftest"),
        format!(
            "mock_provider \"aws\" {{}}\n\nmock_provider \"aws\" {{\n  alias = \"dns\"\n}}\n\n\
            variables {{\n  name = \"example\"\n}}\n\nrun \"plan\" {{\n  command = plan\n\n{passed}}}\n"
        )
    );
    let settings = "terraform {\n  required_version = \">= 1.7\"\n\n  required_providers {\n    aws = {\n      \
        source = \"hashicorp/aws\"\n    }\n  }\n}\n\nprovider \"aws\" {\n  region = \"us-east-1\"\n}\n\n\
        provider \"aws\" {\n  alias  = \"dns\"\n  region = \"us-east-1\"\n}\n\n";
    assert_eq!(of("example"), format!("{settings}{}", call("../..")));
}

#[test]
fn a_variable_without_a_passing_value_is_named_with_its_rule() {
    let text = "variable \"name\" {\n  type = string\n  validation {\n    \
        condition     = var.name == \"a\" && var.name == \"b\"\n    error_message = \"No.\"\n  }\n}\n\
        variable \"other\" {\n  type = string\n}\n";
    let (exit, text) = terraschema(&module(text), "skeleton m");
    assert_eq!(exit, Exit::Findings);
    assert_eq!(
        text,
        "# Rule: No.\n# No value was found that passes:\n#   var.name == \"a\" && var.name == \"b\"\n\
        # name = null\n\nother = \"example\"\n\
        Error: no value was found for \"name\" that passes: var.name == \"a\" && var.name == \"b\"\n"
    );
}

#[test]
fn a_called_module_may_refuse_what_the_variable_accepts() {
    let text = "variable \"mode\" {\n  type = string\n}\nmodule \"inner\" {\n  source = \"./inner\"\n  mode   = var.mode\n}\n";
    let inner = "variable \"mode\" {\n  type = string\n  validation {\n    \
        condition     = var.mode == \"10\"\n    error_message = \"No.\"\n  }\n}\n";
    let system = module(text).file("m/inner/main.tf", inner);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!((exit, text.as_str()), (Exit::Clean, "mode = \"10\"\n"));
}

#[test]
fn what_the_module_reads_decides_where_the_type_says_little() {
    let text = "variable \"network\" {\n  type = any\n}\n\
        variable \"zones\" {\n  type = map(string)\n}\n\
        output \"names\" {\n  value = [var.network[0].name, var.network[0].tags.env, var.zones[\"inner\"]]\n}\n";
    let (exit, text) = terraschema(&module(text), "skeleton m");
    let expected = "network = [\n  {\n    name = \"example\"\n    tags = {\n      env = \"dev\"\n    }\n  },\n]\n\n\
        zones = {\n  inner = \"example\"\n}\n";
    assert_eq!((exit, text.as_str()), (Exit::Clean, expected));
}

/// A rule that compares with the default would reveal it by its values.
#[test]
fn no_form_contains_a_hidden_default() {
    let text = "variable \"secret\" {\n  type      = string\n  default   = \"hunter2-hunter2\"\n  sensitive = true\n}\n\
        variable \"object\" {\n  type = object({\n    a = string\n    b = optional(string, \"hunter3-hunter3\")\n  })\n  \
        sensitive = true\n}\n\
        variable \"again\" {\n  type = string\n  validation {\n    condition     = var.again == var.secret\n    \
        error_message = \"Differs.\"\n  }\n}\n\
        variable \"known\" {\n  type        = string\n  description = \"Not hunter2-hunter2, e.g. \\\"hunter2-hunter2\\\".\"\n  \
        validation {\n    condition     = var.known == \"hunter2-hunter2\"\n    error_message = \"Not hunter2-hunter2.\"\n  }\n}\n\
        variable \"table\" {\n  type      = map(string)\n  default   = { hunter4 = \"hunter5\" }\n  sensitive = true\n}\n\
        variable \"size\" {\n  type = string\n}\nvariable \"any\" {}\n\
        locals {\n  size = nonsensitive(var.table)[var.size]\n  other = var.table[var.any[1]]\n}\n";
    for form in ["tfvars", "json", "module", "terragrunt", "tftest", "example"] {
        let (exit, text) = terraschema(&module(text), &format!("skeleton m --as {form}"));
        assert_eq!(exit, Exit::Findings, "{text}");
        assert!(!text.contains("hunter"), "{text}");
    }
}

#[test]
fn a_values_file_keeps_what_it_sets() {
    let system = module(MODULE).file("m/my.tfvars", "# Mine.\nhigh = 70 # high\n\nextra = 1\n");
    let (exit, text) = terraschema(&system, "skeleton m --from m/my.tfvars --only-required");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.starts_with("# Mine.\nhigh = 70 # high\n\nextra = 1\n\n# Range of"), "{text}");
    assert!(text.contains("the module declares no variable \"extra\"; kept"), "{text}");
    assert_eq!(text.matches("high = ").count(), 1, "{text}");
    let (_, text) =
        terraschema(&system, "skeleton m --as module --from m/my.tfvars --only-required");
    assert!(text.contains("\n  high = 70\n") && !text.contains("extra = "), "{text}");
}

#[test]
fn sensitive_values_of_a_file_stay_in_files() {
    let text = "variable \"token\" {\n  type      = string\n  sensitive = true\n}\nvariable \"name\" {\n  type = string\n}\n";
    let values = "token = <<EOT\nhunter2\nEOT\n";
    let system = module(text).file("my.tfvars", values);
    for form in ["tfvars", "json", "module", "terragrunt", "tftest", "example"] {
        let (exit, text) =
            terraschema(&system, &format!("skeleton m --from my.tfvars --as {form}"));
        assert_eq!(exit, Exit::Clean, "{text}");
        assert!(!text.contains("hunter") && text.contains("name"), "{text}");
    }
    let (exit, text) = terraschema(&system, "skeleton m --from my.tfvars --output my.tfvars");
    assert_eq!((exit, text.as_str()), (Exit::Clean, "Info: wrote my.tfvars\n"));
    let written = String::from_utf8(system.read("my.tfvars".as_ref()).unwrap()).unwrap();
    assert_eq!(written, format!("{values}\nname = \"example\"\n"));
}

#[test]
fn no_file_is_written_over_that_nobody_named() {
    let system = module(MODULE).file("my.tfvars", "high = 70\n");
    for arguments in ["--output my.tfvars", "--from my.tfvars --output my.tfvars --as module"] {
        let (exit, text) = terraschema(&system, &format!("skeleton m {arguments}"));
        assert_eq!(exit, Exit::Failure, "{text}");
        assert_eq!(system.read("my.tfvars".as_ref()).unwrap(), b"high = 70\n");
    }
}

#[test]
fn hostile_texts_stay_in_their_comments_and_strings() {
    let text = "variable \"name\" {\n  type        = string\n  description = \"a\\n::error::b\\r\\u001b[31m ##[error]c ${\"$\"}{d}\"\n  \
        validation {\n    condition     = var.name == \"##[x] \\u001b $${a}\"\n    error_message = \"No.\"\n  }\n}\n";
    let (exit, text) = terraschema(&module(&text.replace("${\"$\"}", "$$")), "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
    assert!(text.lines().all(|it| it.starts_with("# ") || it.starts_with("name = ")), "{text}");
    assert!(text.ends_with("name = \"\\u0023#[x] \\u001b $${a}\"\n"), "{text}");
}

#[test]
fn a_module_that_cannot_be_read_fails() {
    for (text, said) in [
        ("variable \"x\" {", "main.tf"),
        ("variable \"x\" {\n  type = strin\n}\n", "not a valid type"),
    ] {
        let (exit, text) = terraschema(&module(text), "skeleton m");
        assert_eq!(exit, Exit::Failure, "{text}");
        assert!(text.contains(said), "{text}");
    }
    let (exit, text) = terraschema(&MemorySystem::new().file("m/a.txt", ""), "skeleton m");
    assert_eq!((exit, text.as_str()), (Exit::Failure, "Error: m contains no .tf files\n"));
}

/// What a module fails without, though it has a default, gets a value, and is listed with what must be set.
#[test]
fn optional_variables_get_values_if_the_module_fails_without() {
    let root = "variable \"name\" {\n  type = string\n}\nvariable \"prefix\" {\n  type    = string\n  default = null\n}\n\
        variable \"label\" {\n  type    = string\n  default = null\n}\nvariable \"other\" {\n  type    = string\n  default = null\n}\n\
        locals {\n  label = var.label\n}\n\
        resource \"terraform_data\" \"x\" {\n  input = var.name\n  lifecycle {\n    precondition {\n      \
        condition     = var.prefix != null\n      error_message = \"Set `var.prefix`.\"\n    }\n  }\n}\n\
        module \"child\" {\n  source = \"./child\"\n  label  = local.label\n}\n";
    let child = "variable \"label\" {\n  type    = string\n  default = null\n}\n\
        output \"x\" {\n  value = \"${var.label}-x\"\n}\n";
    let system = module(root).file("m/child/main.tf", child);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for name in ["prefix", "label"] {
        let entry = format!("# The module rejects the default.\n{name} = \"");
        assert!(text.contains(&entry), "{name}: {text}");
    }
    assert!(text.contains("\n# other = null\n"), "{text}");
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

/// The rules and the types of a called module's variables decide about values that are handed on as they are.
#[test]
fn called_modules_decide_about_values_that_are_handed_on() {
    let root = "variable \"key\" {\n  type = string\n}\nvariable \"settings\" {\n  type = any\n}\n\
        module \"child\" {\n  source   = \"./child\"\n  key      = var.key\n  settings = var.settings\n}\n";
    let child = "variable \"key\" {\n  type = string\n  validation {\n    \
        condition     = can(regex(\"^zq-[0-9]{4}/[a-f]{3}$\", var.key))\n    error_message = \"A key.\"\n  }\n}\n\
        variable \"settings\" {\n  type = object({\n    name  = string\n    ports = list(number)\n    \
        tags  = map(string)\n    extra = optional(bool)\n  })\n}\n";
    let system = module(root).file("m/child/main.tf", child);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("key = \"zq-") && text.contains("ports = ["), "{text}");
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

/// Where a type says nothing, every form of a use decides.
#[test]
fn each_form_of_a_use_decides() {
    let root = "variable \"looked_up\" {}\nvariable \"splat\" {\n  type = any\n}\nvariable \"merged\" {\n  type = any\n}\n\
        variable \"keyed\" {\n  type = any\n}\nvariable \"tried\" {\n  type = any\n}\n\
        output \"a\" {\n  value = lookup(var.looked_up, \"shape\")\n}\n\
        output \"b\" {\n  value = var.splat[*].id\n}\n\
        output \"c\" {\n  value = merge(var.merged, { a = 1 })\n}\n\
        resource \"terraform_data\" \"d\" {\n  for_each = var.keyed\n}\n\
        resource \"terraform_data\" \"e\" {\n  for_each = try(var.tried.all, {})\n  input    = each.value.name\n}\n";
    let system = module(root);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for part in ["shape = ", "splat = [\n", "merged = {\n", "keyed = {\n", "    name = "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

/// An operator or a function that needs a type decides where the declaration has none.
#[test]
fn the_operand_of_an_operator_has_its_type() {
    let root = "variable \"public_subnet_index\" {}\nvariable \"ghes\" {\n  type = any\n}\nvariable \"frontends\" {}\n\
        locals {\n  net = cidrsubnet(\"10.0.0.0/8\", 8, var.public_subnet_index)\n  \
        off = !var.ghes.ssl_verify ? 0 : 1\n  \
        apps = [for k, v in var.frontends : k if lookup(v, \"shutter_app\", true)]\n}\n";
    let system = module(root);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for part in ["public_subnet_index = 1\n", "ssl_verify = true\n", "shutter_app = true\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

#[test]
fn a_text_that_is_split_has_the_parts_that_are_taken() {
    let root = "variable \"capacity_id\" {\n  type = string\n}\nvariable \"display_name\" {\n  type = string\n}\n\
        variable \"host_port\" {\n  type = string\n}\n\
        locals {\n  capacity = split(\"/\", var.capacity_id)[8]\n  last = split(\" \", var.display_name)[1]\n  \
        port = split(\":\", var.host_port)[99999]\n}\n";
    let (exit, text) = terraschema(&module(root), "skeleton m");
    let value = |name: &str| {
        let line = text.lines().find(|it| it.starts_with(name)).unwrap_or_default();
        line.split('"').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(value("capacity_id").split('/').count(), 9, "{text}");
    assert_eq!(value("display_name").split(' ').count(), 2, "{text}");
    // Nobody would write so many parts; the module rejects the values, and this is reported.
    assert_eq!(exit, Exit::Findings, "{text}");
    assert!(value("host_port").len() < 100, "{text}");
}

/// What is taken out by a place, by a key of a table or by several separators is there.
#[test]
fn values_have_what_is_taken_out_by_places_keys_and_separators() {
    let root = "variable \"names\" {\n  type = list(string)\n}\nvariable \"size\" {\n  type = string\n}\n\
        variable \"tier\" {\n  type = string\n}\nvariable \"tiers\" {\n  type = map(string)\n}\n\
        variable \"role\" {\n  type = string\n}\nvariable \"flag\" {\n  type = string\n}\nvariable \"rules\" {}\n\
        variable \"vnet\" {}\nvariable \"bits\" {\n  type = string\n}\n\
        locals {\n  third = var.names[2]\n  sizes = { s = { cpu = 1 }, m = { cpu = 2 } }\n  \
        cpu = local.sizes[var.size].cpu\n  tier = lookup(var.tiers, var.tier)\n  \
        parts = split(\":\", var.role)\n  name = split(\"/\", local.parts[5])[2]\n  \
        on = var.flag ? 1 : 0\n  \
        servers = concat(lookup(var.vnet, \"dns_servers\", []), [])\n  \
        net = cidrsubnet(\"10.0.0.0/8\", var.bits, 0)\n}\n\
        resource \"terraform_data\" \"a\" {\n  dynamic \"provisioner\" {\n    for_each = var.rules\n    iterator = rule\n    \
        content {\n      command = rule.value.command\n    }\n  }\n  input = [for it in var.rules : it.port]\n}\n";
    let root = root.replace("resource \"terraform_data\"", "resource \"example_thing\"");
    let system = module(&root);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for part in ["size = \"s\"\n", "tier = \"example\"\n", "flag = \"true\"\n", "bits = \"1\"\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in ["command = ", "port    = ", "dns_servers = ["] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

/// Several optional variables get values if the module fails without any one of them.
#[test]
fn optional_variables_that_are_needed_together_get_values() {
    let optional =
        |name: &str| format!("variable \"{name}\" {{\n  type    = string\n  default = null\n}}\n");
    let root = ["vault_id", "secret_name", "blob", "other"].map(optional).concat()
        + "resource \"terraform_data\" \"x\" {\n  lifecycle {\n    precondition {\n      \
        condition     = var.vault_id != null\n      error_message = \"Set `var.vault_id`.\"\n    }\n    \
        precondition {\n      condition     = var.vault_id == null || var.secret_name != null\n      \
        error_message = \"Set `var.secret_name`.\"\n    }\n  }\n}\n";
    let system = module(&root);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for name in ["vault_id", "secret_name"] {
        assert!(
            text.contains(&format!("# The module rejects the default.\n{name} = \"")),
            "{text}"
        );
    }
    assert!(text.contains("\n# blob = null\n") && text.contains("\n# other = null\n"), "{text}");
    let system = system.file("m/terraform.tfvars", &text);
    assert_eq!(terraschema(&system, "validate m").0, Exit::Clean);
}

/// A skeleton with all of its examples uncommented, without those that are alternatives.
fn uncommented(text: &str) -> String {
    let (mut out, mut is_example) = (String::new(), false);
    for line in text.lines() {
        if line.ends_with("For example:") {
            is_example = true;
        } else if line.is_empty() {
            is_example = false;
        } else if is_example {
            out += line.trim_start_matches("# ");
            out.push('\n');
        } else if !line.starts_with('#') {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// All examples together are accepted by the rules and by the module, or they are called alternatives.
#[test]
fn examples_go_together() {
    let optional = |name: &str, rules: &str| {
        format!(
            "variable \"{name}\" {{\n  type    = object({{ name = string }})\n  default = null\n{rules}}}\n"
        )
    };
    let not_with = |name: &str, other: &str| {
        let condition = format!("var.{name} == null || var.{other} == null");
        optional(
            name,
            &format!(
                "  validation {{\n    condition     = {condition}\n    error_message = \"Set one.\"\n  }}\n"
            ),
        )
    };
    let child = "variable \"a\" {\n  type    = any\n  default = null\n}\nvariable \"b\" {\n  type    = any\n  default = null\n}\n\
        resource \"terraform_data\" \"x\" {\n  lifecycle {\n    precondition {\n      \
        condition     = var.a == null || var.b == null\n      error_message = \"Set a or b.\"\n    }\n  }\n}\n";
    let root = [
        optional("free", ""),
        optional("first", ""),
        not_with("second", "first"),
        optional("in_child", ""),
        optional("other_in_child", ""),
    ]
    .concat()
        + "module \"child\" {\n  source = \"./child\"\n  a      = var.in_child\n  b      = var.other_in_child\n}\n";
    let system = module(&root).file("m/child/main.tf", child);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for (name, other) in [("second", "first"), ("other_in_child", "in_child")] {
        let said = format!(
            "# Default: null. For example, but not together with \"{other}\":\n# {name} = {{\n"
        );
        assert!(text.contains(&said), "{name}: {text}");
    }
    for name in ["free", "first", "in_child"] {
        assert!(
            text.contains(&format!("# Default: null. For example:\n# {name} = {{\n")),
            "{text}"
        );
    }
    let all = uncommented(&text);
    assert_eq!(all.matches(" = {\n").count(), 3, "{all}");
    let together = module(&root).file("m/child/main.tf", child).file("m/terraform.tfvars", &all);
    assert_eq!(terraschema(&together, "validate m").0, Exit::Clean, "{all}");
    let others = text.replace("For example, but not together with", "For example:\n# Not with");
    let all = uncommented(&others);
    assert_eq!(all.matches(" = {\n").count(), 5, "{all}");
    let both = module(&root).file("m/child/main.tf", child).file("m/terraform.tfvars", &all);
    assert_eq!(terraschema(&both, "validate m").0, Exit::Findings, "{all}");
}

/// No values repair what is wrong with the module itself, so it is a warning.
#[test]
fn an_error_of_reading_is_one_that_no_values_change() {
    let root =
        "terraform {\n  required_version = \"x.x.x\"\n}\nvariable \"name\" {\n  type = string\n}\n";
    let (exit, text) = terraschema(&module(root), "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("name = \"example\"\n"), "{text}");
    assert!(text.contains("Warning: the module has an error whatever the values are"), "{text}");
}

/// What an error of the whole module is about is changed in the values: enumerations in preconditions and called
/// modules, optional attributes, keys of tables, texts that a pattern matches.
#[test]
fn single_parts_are_repaired_by_what_errors_are_about() {
    let root = "variable \"database\" {\n  type = object({\n    name = string\n    type = optional(string)\n    \
        place = optional(string)\n  })\n}\n\
        variable \"items\" {\n  type = map(object({\n    kind = string\n    ranges = optional(list(string))\n  }))\n}\n\
        variable \"regions\" {\n  type = map(string)\n}\nvariable \"home\" {\n  type = string\n}\n\
        variable \"subnet\" {\n  type = string\n}\n\
        locals {\n  place = regex(\"^projects/([^/]+)/subnets/[^/]+$\", var.subnet)[0]\n  \
        region = var.regions[var.home]\n}\n\
        resource \"terraform_data\" \"x\" {\n  lifecycle {\n    precondition {\n      \
        condition     = contains([\"NATIVE\", \"STORE\"], coalesce(var.database.type, \"none\"))\n      \
        error_message = \"Possible values: NATIVE, STORE\"\n    }\n    precondition {\n      \
        condition     = var.database.place != null\n      error_message = \"place must be set.\"\n    }\n  }\n}\n\
        module \"item\" {\n  source   = \"./item\"\n  for_each = var.items\n  kind     = each.value.kind\n  \
        ranges   = each.value.ranges\n}\n";
    let item = "variable \"kind\" {\n  type = string\n  validation {\n    \
        condition     = contains([\"vnet\", \"vwan\"], var.kind)\n    \
        error_message = \"The `kind` must be either \\\"vnet\\\" or \\\"vwan\\\".\"\n  }\n}\n\
        variable \"ranges\" {\n  type    = list(string)\n  default = null\n}\n\
        resource \"terraform_data\" \"x\" {\n  lifecycle {\n    precondition {\n      \
        condition     = length(coalesce(var.ranges, [])) > 0\n      \
        error_message = \"The `var.ranges` property is required.\"\n    }\n  }\n}\n";
    let system = module(root).file("m/item/main.tf", item);
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    for part in ["kind   = \"vnet\"\n", "type  = \"NATIVE\"\n", "subnet = \"projects/"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let system = system.file("m/terraform.tfvars", &text);
    let (exit, said) = terraschema(&system, "validate m");
    assert_eq!(exit, Exit::Clean, "{said}");
}

#[test]
fn a_file_keeps_its_line_ends_and_errors_have_places() {
    let module = "variable \"name\" {}\nvariable \"size\" {\n  type = number\n}\nvariable \"long_name\" {}\n";
    let system = MemorySystem::new()
        .file("m/main.tf", module)
        .file("crlf.tfvars", "# Mine.\r\nname   = \"x\"\r\n")
        .file("twice.tfvars", "name = 1\nname = 2\n")
        .file("refers.tfvars", "name = 1\nsize = var.x\n")
        .working_in("/");
    let (exit, text) = terraschema(&system, "skeleton m --from crlf.tfvars --output crlf.tfvars");
    assert_eq!(exit, Exit::Clean, "{text}");
    let text = String::from_utf8(system.read("crlf.tfvars".as_ref()).unwrap()).unwrap();
    // Neighbours are aligned, as `terraform fmt` does it.
    let whole = "# Mine.\r\nname   = \"x\"\r\n\r\nsize      = 20\r\nlong_name = \"example\"\r\n";
    assert_eq!(text, whole);
    for (file, said) in [
        ("twice.tfvars", "Error: twice.tfvars:2:1: Argument \"name\" is set twice"),
        ("refers.tfvars", "Error: refers.tfvars:2:8: "),
        ("missing.tfvars", "Error: missing.tfvars: "),
    ] {
        let (exit, text) = terraschema(&system, &format!("skeleton m --from {file}"));
        assert!(exit == Exit::Failure && text.contains(said), "{text}");
    }
    let (exit, text) = terraschema(&system, "skeleton m --output m");
    assert!(exit == Exit::Failure && text.contains("m is a directory; name a file"), "{text}");
}

#[test]
fn a_value_names_a_file_a_list_or_a_text_of_another_value() {
    let module = "variable \"template\" {}\nvariable \"kind\" {}\nvariable \"disks\" {}\nvariable \"pools\" {}\n\
        variable \"names\" {\n  type    = list(string)\n  default = [\"left\", \"right\"]\n}\nvariable \"chosen\" {}\n\
        locals {\n  text = templatefile(var.template, {})\n  data = jsondecode(file(\"${path.module}/data/${var.kind}.json\"))\n\
        \x20 at = index(var.names, var.chosen)\n  many = [for key, it in var.disks : it.size]\n  most = var.pools.first.most\n}\n\
        resource \"terraform_data\" \"disk\" {\n  count = length(var.disks)\n  input = var.disks[count.index].size\n}\n\
        resource \"terraform_data\" \"pool\" {\n  for_each = var.pools\n  input    = each.value.least\n}\n";
    let system = MemorySystem::new()
        .file("m/main.tf", module)
        .file("m/page.tftpl", "text")
        .file("m/data/blue.json", "{}")
        .working_in("/");
    let (exit, text) = terraschema(&system, "skeleton m --only-required");
    assert_eq!(exit, Exit::Clean, "{text}");
    for part in
        ["= \"page.tftpl\"", "= \"blue\"", "= \"left\"", "disks = [\n", "least = ", "most  = "]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn an_error_that_no_value_changes_is_named_as_one_also_through_calls() {
    let system = MemorySystem::new()
        .file(
            "m/main.tf",
            "variable \"a\" {}\nmodule \"c\" {\n  source = \"./c\"\n  name   = \"none.txt\"\n}\n",
        )
        .file(
            "m/c/main.tf",
            "variable \"name\" {}\nlocals {\n  path = \"${path.module}/${var.name}\"\n}\n\
            resource \"terraform_data\" \"x\" {\n  input = filemd5(local.path)\n}\n",
        )
        .working_in("/");
    let (exit, text) = terraschema(&system, "skeleton m");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("the module has an error whatever the values are"), "{text}");
}

/// A module for each thing that functions, operators and repetitions need from a value, and a part of its skeleton.
const NEEDS: [(&str, &str); 42] = [
    (
        "variable \"cert\" {\n  sensitive = true\n}\noutput \"x\" {\n  sensitive = true\n  value = base64decode(var.cert)\n}\n",
        "cert = \"ZXhhbXBsZQ==\"",
    ),
    (
        "variable \"network\" {}\nlocals {\n  x = cidrhost(var.network, 5)\n}\n",
        "network = \"10.0.0.0/16\"",
    ),
    (
        "variable \"defs\" {\n  type = string\n}\noutput \"x\" {\n  value = [for it in jsondecode(var.defs) : it.size]\n}\n",
        r#"defs = "[{\"size\":"#,
    ),
    (
        "variable \"instance\" {\n  type = string\n}\noutput \"x\" {\n  value = tonumber(\"62${var.instance}\")\n}\n",
        "instance = \"1\"",
    ),
    (
        "variable \"place\" {\n  type = string\n}\noutput \"x\" {\n  value = format(\"%s-%02d\", \"a\", var.place)\n}\n",
        "place = \"1\"",
    ),
    (
        "variable \"ranges\" {\n  type = list(string)\n}\nresource \"terraform_data\" \"x\" {\n  count = 3\n  input = var.ranges[count.index]\n}\n",
        "ranges = [",
    ),
    (
        "variable \"groups\" {\n  type = map(string)\n}\nresource \"terraform_data\" \"x\" {\n  for_each = var.groups\n  input = each.value\n}\n\
        output \"x\" {\n  value = terraform_data.x[\"mgmt\"].id\n}\n",
        "  mgmt",
    ),
    (
        "variable \"basis\" {\n  type = map(string)\n}\nvariable \"config\" {\n  type    = map(string)\n  default = {}\n}\n\
        locals {\n  all = merge(var.basis, var.config)\n}\noutput \"x\" {\n  value = local.all[\"image_url\"]\n}\n",
        "image_url = ",
    ),
    (
        "variable \"clusters\" {\n  default = {}\n}\noutput \"x\" {\n  value = [lookup(var.clusters, \"c1\"), lookup(var.clusters, \"c2\")]\n}\n",
        "c1 = ",
    ),
    (
        "variable \"workers\" {}\nresource \"terraform_data\" \"x\" {\n  count = var.workers\n}\n",
        "workers = 1",
    ),
    (
        "variable \"names\" {}\noutput \"x\" {\n  value = \"${var.names}-x\"\n}\n",
        "names = \"example\"",
    ),
    (
        "variable \"network_id\" {\n  type = string\n}\nlocals {\n  form = \"^net/([a-z]+)/([0-9]+)$\"\n}\n\
        output \"x\" {\n  value = regex(local.form, var.network_id)\n}\n",
        "network_id = \"net/",
    ),
    (
        "variable \"info\" {\n  type    = list(object({ value = string }))\n  default = []\n}\noutput \"x\" {\n  value = var.info[1].value\n}\n",
        "info = [",
    ),
    (
        "variable \"at\" {}\noutput \"x\" {\n  value = formatdate(\"YYYY\", var.at)\n}\n",
        "at = \"2030-01-01T00:00:00Z\"",
    ),
    (
        "variable \"settings\" {}\noutput \"x\" {\n  value = merge(var.settings, { a = 1 })\n}\n",
        "settings = {",
    ),
    (
        "variable \"folder\" {\n  type = string\n}\noutput \"x\" {\n  value = file(\"${path.module}/${var.folder}/a.txt\")\n}\n",
        "folder = \"texts\"",
    ),
    (
        "variable \"users\" {\n  type    = list(object({ name = string }))\n  default = []\n}\n\
        locals {\n  users = { for it in var.users : it.name => it }\n}\nresource \"terraform_data\" \"x\" {\n  for_each = local.users\n}\n\
        output \"x\" {\n  value = [terraform_data.x[\"first\"].id, terraform_data.x[\"second\"].id]\n}\n",
        "name = \"second\"",
    ),
    (
        "variable \"names\" {\n  type = list(string)\n}\nresource \"terraform_data\" \"x\" {\n  for_each = toset(var.names)\n}\n\
        output \"x\" {\n  value = [terraform_data.x[\"first\"].id, terraform_data.x[\"second\"].id]\n}\n",
        "\"first\", \"second\"",
    ),
    // What a called module takes out of a part of an argument.
    (
        "variable \"networks\" {\n  type = any\n}\nlocals {\n  first = merge(var.networks[\"first\"], { hub = \"h\" })\n}\n\
        module \"c\" {\n  source = \"./c\"\n  all    = { first = local.first }\n}\n",
        "first = { space = ",
    ),
    (
        "variable \"networks\" {\n  type = any\n}\nmodule \"c\" {\n  source = \"./c\"\n  \
        all    = { for k, v in var.networks : k => v if v.is_on }\n}\n",
        "example = { is_on = true space = ",
    ),
    (
        "variable \"key\" {\n  type      = list(object({ value = string }))\n  default   = []\n  sensitive = true\n}\n\
        output \"x\" {\n  sensitive = true\n  value     = var.key[0].value\n}\n",
        "value = \"example\"",
    ),
    (
        "variable \"use_it\" {\n  default = true\n}\nvariable \"text\" {\n  default = null\n}\n\
        output \"x\" {\n  value = \"${var.text}-${var.use_it && length(var.text) > 0 ? 1 : 0}\"\n}\n",
        "text = \"example\"",
    ),
    (
        "variable \"on\" {\n  default = true\n}\nresource \"terraform_data\" \"x\" {\n  count = var.on\n}\n",
        "on = 1",
    ),
    // Its default says another type than its use.
    (
        "variable \"zone\" {\n  default = \"\"\n}\noutput \"x\" {\n  value = var.zone.key\n}\n",
        "zone = { key = ",
    ),
    // One time is before the other.
    (
        "variable \"period\" {\n  type = object({ start_date = string, end_date = string })\n  validation {\n    \
        condition = timecmp(var.period.start_date, var.period.end_date) == -1\n    error_message = \"Order.\"\n  }\n}\n",
        "end_date = \"2031-01-01T00:00:00Z\"",
    ),
    // The object says more about its attribute.
    (
        "data \"google_project\" \"p\" {}\nvariable \"service_account\" {\n  type = object({ email = string })\n  \
        validation {\n    condition = can(regex(\"^[a-z-]+@[a-z-]+[.]iam[.]gserviceaccount[.]com$\", \
        var.service_account.email))\n    error_message = \"Email.\"\n  }\n}\n",
        "email = \"example@example-project.iam.gserviceaccount.com\"",
    ),
    // One of the attributes is set, and no other.
    (
        "variable \"format\" {\n  type = object({\n    npm = optional(object({ name = string }))\n    apt = \
        optional(object({ name = string }))\n  })\n  validation {\n    condition = length([for it in \
        var.format : it if it != null]) == 1\n    error_message = \"One.\"\n  }\n}\n",
        "format = { apt = { name = \"example\" } }",
    ),
    // What is taken out of the output of a called module is taken out of the argument.
    (
        "variable \"groups\" {}\nmodule \"d\" {\n  source = \"./d\"\n  list   = var.groups\n}\n\
        output \"x\" {\n  value = [for it in module.d.value : it.size * 2]\n}\n",
        "groups = [ { name = \"example\" size = 20 }, ]",
    ),
    (
        "variable \"groups\" {}\nvariable \"on\" {\n  type = set(string)\n}\nmodule \"d\" {\n  source   = \"./d\"\n  \
        for_each = var.on\n  list     = [for it in var.groups : merge(it, { region = \"r\" })]\n}\n\
        output \"x\" {\n  value = [for k, d in module.d : [for it in d.value : \"${it.region}-${it.size + 1}\"]]\n}\n\
        output \"y\" {\n  value = [for it in module.d[\"example\"].value : it.part.range]\n}\n",
        "groups = [ { name = \"example\" part = { range = \"example\" } size = 20 }, ]",
    ),
    // Parts of objects that locals make.
    (
        "variable \"nets\" {\n  type = any\n}\nlocals {\n  subnets = flatten([for k, v in var.nets : [for s in v.subnets : \
        { net = k, cidr = s.range }]])\n  by      = { for it in local.subnets : it.net => it }\n}\n\
        output \"x\" {\n  value = [for k, it in local.by : cidrhost(it.cidr, 1)]\n}\n",
        "nets = { example = { subnets = [ { range = \"10.0.0.0/16\" }, ] } }",
    ),
    // The last of several must be there, if nothing else is.
    (
        "variable \"settings\" {}\noutput \"x\" {\n  value = try(var.settings.region, var.settings.location)\n}\n",
        "settings = { location = \"us-east-1\" }",
    ),
    (
        "variable \"settings\" {}\noutput \"x\" {\n  value = coalesce(try(var.settings.a, null), try(var.settings.b, \"\"))\n}\n",
        "settings = { a = \"example\" }",
    ),
    (
        "variable \"hosts\" {}\nresource \"terraform_data\" \"x\" {\n  for_each = toset(jsondecode(var.hosts))\n}\n",
        r#"hosts = "[\"app.example.com\"]""#,
    ),
    (
        "variable \"names\" {\n  type = object({ prefix = string })\n}\noutput \"x\" {\n  value = \
        join(\"-\", slice(split(\"-\", var.names.prefix), 2, 4))\n}\n",
        "prefix = \"example-example-example-example\"",
    ),
    // Two elements are in the same place and have different names.
    (
        "variable \"nets\" {\n  type = map(object({ name = string, cidr = string, region = string }))\n  validation {\n    \
        condition = length(var.nets) > 1 && length(distinct([for it in var.nets : it.region])) == 1 && \
        length(distinct([for it in var.nets : it.cidr])) == length(var.nets)\n    error_message = \"Two.\"\n  }\n}\n",
        "name = \"example-2\" cidr = \"10.1.0.0/16\" region = \"us-east-1\"",
    ),
    // Keys that would be the same.
    (
        "variable \"first\" {\n  type = string\n}\nvariable \"second\" {\n  type = string\n}\nlocals {\n  all = \
        { for it in [{ id = var.first }, { id = var.second }] : it.id => it }\n}\n",
        "second = \"example-2\"",
    ),
    // Two variables that only help together.
    (
        "variable \"key\" {\n  default = null\n}\nvariable \"bucket\" {\n  default = null\n}\nvariable \"other\" {\n  default = null\n}\n\
        resource \"terraform_data\" \"x\" {\n  input = var.other\n  lifecycle {\n    precondition {\n      condition     = \
        var.key != null && var.bucket != null\n      error_message = \"Both.\"\n    }\n  }\n}\n",
        "key = \"example\" # The module rejects the default. bucket = \"",
    ),
    // A text in one place and a number in another one.
    (
        "variable \"storage\" {\n  type = string\n}\noutput \"x\" {\n  value = coalesce(var.storage, \"none\")\n}\n\
        output \"y\" {\n  value = var.storage + 1\n}\n",
        "storage = \"1\"",
    ),
    // The type of a called module does not have everything that is taken out.
    (
        "variable \"nets\" {}\nmodule \"c\" {\n  source = \"./c\"\n  all    = { for k, v in var.nets : k => v if v.set == \"a\" }\n}\n",
        "nets = { example = { set = \"example\" space = ",
    ),
    // What that type has and does not need is left out.
    (
        "variable \"nets\" {}\nmodule \"e\" {\n  source = \"./e\"\n  one    = var.nets\n}\n\
        output \"x\" {\n  value = \"${var.nets.set}\"\n}\n",
        "nets = { name = \"example\" set = \"example\" }",
    ),
    (
        "variable \"settings\" {}\nvariable \"client\" {}\noutput \"x\" {\n  value = can(var.settings.backup) ? \
        { a = \"b\" }[try(var.settings.backup.key, var.client.key)] : \"none\"\n}\n",
        "client = { key = ",
    ),
    // Each element of a default lacks the same attribute.
    (
        "variable \"clusters\" {\n  type    = map(any)\n  default = {\n    c1 = { region = \"a\" }\n    c2 = { region = \"b\" }\n  }\n}\n\
        output \"x\" {\n  value = [for c in var.clusters : lookup(c, \"title\")]\n}\n",
        "title = \"",
    ),
];

#[test]
fn a_value_has_what_functions_and_repetitions_need() {
    for (root, part) in NEEDS {
        let called = "variable \"all\" {\n  type = map(object({ space = string }))\n}\n";
        let mapped = "variable \"list\" {}\nvariable \"key\" {\n  default = \"name\"\n}\n\
            output \"value\" {\n  value = { for it in var.list : \"${it[var.key]}\" => it }\n}\n";
        let system = module(root).file("m/texts/a.txt", "text").file("m/c/main.tf", called);
        let system = system.file("m/d/main.tf", mapped);
        let typed = "variable \"one\" {\n  type = object({ name = string, size = optional(number) })\n}\n\
            output \"x\" {\n  value = var.one.size\n}\n";
        let system = system.file("m/e/main.tf", typed);
        let (exit, text) = terraschema(&system, "skeleton m --only-required");
        assert_eq!(exit, Exit::Clean, "{root}\n{text}");
        let spaced = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(spaced(&text).contains(&spaced(part)), "{root}\n{text}");
        let system = system.file("m/terraform.tfvars", &text);
        let (exit, said) = terraschema(&system, "validate m");
        assert_eq!(exit, Exit::Clean, "{root}\n{text}\n{said}");
    }
}

#[test]
fn values_look_written_by_a_person() {
    for (declaration, value) in [
        ("\"public_key_path\" {\n  type = string", "\"./example\""),
        ("\"request_path\" {\n  type = string", "\"/example\""),
        ("\"health_check_path\" {\n  type = string", "\"/health\""),
        ("\"subnet_set_name\" {\n  type = string", "\"example\""),
        ("\"resource_group_region\" {\n  type = string", "\"us-east-1\""),
        ("\"engine_mode\" {\n  type = string", "\"example\""),
        ("\"server_port\" {\n  type = string", "\"443\""),
        ("\"storage_class_id\" {", "\"example\""),
        ("\"ssh_port\" {\n  type = number", "22"),
        ("\"availability_zone1\" {\n  type = string", "\"us-east-1a\""),
        ("\"sns_alert_arn\" {\n  type = string", "\"arn:aws:sns:us-east-1:123456789012:example\""),
        ("\"private_ipv4\" {\n  type = string", "\"10.0.0.10\""),
        ("\"location\" {\n  description = \"The region, e.g. West US\"", "\"West US\""),
        (
            "\"location\" {\n  type = string\n}\nresource \"hcloud_server\" \"x\" {\n  name = \"x\"",
            "\"nbg1\"",
        ),
        (
            "\"vpc_cidr\" {\n  default = \"10.0.0.0/8\"\n}\nvariable \"private_subnets\" {\n  type = list(string)",
            "[\"10.0.1.0/24\"]",
        ),
        (
            "\"key_vault_id\" {\n  type = string\n}\ndata \"azurerm_client_config\" \"x\" {",
            "\"/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-example/providers/Microsoft.KeyVault/vaults/kv-example\"",
        ),
        ("\"subnetId\" {\n  type = string", "\"subnet-0123456789abcdef0\""),
        ("\"use_slug\" {", "true"),
        (
            "\"network\" {\n  type = string\n  description = \"For example `projects/<project>/networks/<name>`.\"",
            "\"projects/example/networks/example\"",
        ),
    ] {
        let (exit, text) =
            terraschema(&module(&format!("variable {declaration}\n}}\n")), "skeleton m");
        assert_eq!(exit, Exit::Clean, "{text}");
        assert!(text.contains(&format!(" = {value}\n")), "{declaration}: {text}");
    }
}
