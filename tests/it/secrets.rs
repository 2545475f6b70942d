//! Values of sensitive and ephemeral variables appear in nothing that the tool prints, whatever is
//! wrong with them and wherever they come from.

use report::Format;
use system::MemorySystem;
use terraschema::Console;

pub const SECRET: &str = "S3CR3T";

/// A sensitive and an ephemeral variable of every shape that something can be wrong with.
const MODULE: &str = r#"
variable "password" {
  type      = string
  sensitive = true

  validation {
    condition     = length(var.password) > 100
    error_message = "${var.password} is too short."
  }

  validation {
    condition     = tonumber(var.password) > 1 && regex("^x", var.password) == "x"
    error_message = "Not a number: ${var.password}."
  }

  validation {
    condition     = parseint(var.password, 10) > 1
    error_message = "Not a number."
  }

  validation {
    condition     = nonsensitive(var.password) == "x" && jsondecode(var.password) == 1
    error_message = "Clear: ${nonsensitive(var.password)}, ${substr(var.password, 0, 7)}."
  }

  validation {
    condition     = { (var.password) = 1 }["x"] == 1 || file(var.password) == ""
    error_message = jsonencode([upper(var.password), { (var.password) = 1 }])
  }
}

variable "token" {
  type      = string
  ephemeral = true
  default   = "S3CR3T default"

  validation {
    condition     = startswith(var.token, "x")
    error_message = "Not ${var.token}."
  }
}

variable "keys" {
  type = map(object({
    number = optional(number, 5)
    text   = optional(string, "S3CR3T inner default")
  }))
  sensitive = true
  default   = {}

  validation {
    condition     = alltrue([for key, it in var.keys : key == "a" && it.text == "b"])
    error_message = "Wrong: ${jsonencode(var.keys)}."
  }
}

variable "plain" {
  type    = string
  default = "x"

  validation {
    condition     = var.plain == var.password || var.plain == local.derived
    error_message = "Not the same as ${var.password}."
  }

  validation {
    condition     = var.plain == "" || tonumber(local.derived) == 1
    error_message = "Not the same as ${local.derived}."
  }

  validation {
    condition     = var.plain == nonsensitive(var.password) || var.plain == local.clear
    error_message = "Not the same as ${nonsensitive(var.password)} or ${local.clear}."
  }

  validation {
    condition     = var.plain == "" || tonumber(local.clear) == 1
    error_message = "Not a number: ${nonsensitive(var.token)}."
  }
}

locals {
  derived = "derived ${var.password}"
  number  = tonumber(var.password)
  index   = { a = 1 }[var.password]
  clear   = nonsensitive("clear ${var.password}")
  decoded = jsondecode(local.clear)
}

check "password" {
  assert {
    condition     = local.clear == "x"
    error_message = "Wrong: ${local.clear}."
  }
}

output "password" {
  value     = var.password
  sensitive = true

  precondition {
    condition     = var.password == "x"
    error_message = "Wrong: ${var.password}."
  }
}
"#;

/// Values files, each with something wrong in it.
const FILES: &[(&str, &str)] = &[
    ("rules.tfvars", "password = \"S3CR3T\"\nplain = \"y\"\n"),
    ("rules.tfvars.json", r#"{"password": "S3CR3T", "plain": "y", "token": "S3CR3T"}"#),
    ("types.tfvars", "password = [\"S3CR3T\"]\nkeys = { S3CR3T = { number = \"S3CR3T\" } }\n"),
    ("types.tfvars.json", r#"{"password": {"S3CR3T": 1}, "keys": {"S3CR3T": "S3CR3T"}}"#),
    (
        "keys.tfvars",
        "password = \"x\"\nkeys = {\n  S3CR3T = { S3CR3T = 1, texd = \"S3CR3T\" }\n}\n",
    ),
    ("keys.tfvars.json", r#"{"password": "x", "keys": {"S3CR3T": {"S3CR3T": 1, "number": "1"}}}"#),
    ("syntax.tfvars", "password = \"S3CR3T\" \"S3CR3T\"\n"),
    ("unclosed.tfvars", "password = \"S3CR3T\nplain = 1\n"),
    ("heredoc.tfvars", "password = <<EOT\nS3CR3T\nplain = S3CR3T\n"),
    ("keyword.tfvars.json", r#"{"password": S3CR3T}"#),
    ("string.tfvars.json", "{\"password\": \"S3CR3T\\q\"}"),
    ("list.tfvars.json", "[\"S3CR3T\"]"),
    ("text.tfvars.json", "\"S3CR3T\""),
    ("rest.tfvars.json", r#"{"password": "S3CR3T"} S3CR3T"#),
    ("reference.tfvars", "password = S3CR3T\n"),
    ("call.tfvars", "password = S3CR3T(\"S3CR3T\")\n"),
    ("twice.tfvars", "password = \"S3CR3T\"\npassword = \"S3CR3T\"\n"),
    ("twice.tfvars.json", r#"{"password": "S3CR3T", "password": "S3CR3T"}"#),
    (
        "nested.tfvars.json",
        r#"{"password": "x", "keys": {"a": {"text": "S3CR3T", "text": "S3CR3T"}}}"#,
    ),
    ("mistyped.tfvars", "pasword = \"S3CR3T\"\n"),
    ("capitals.tfvars", "PASSWORD = \"S3CR3T\"\n"),
    ("nested.tfvars", "plain = []\nothers = { password = \"S3CR3T\" }\n"),
    (
        "one-line.tfvars.json",
        r#"{"keys": {"S3CR3T": null}, "undeclared": 1, "password": "S3CR3T"}"#,
    ),
];

const SCHEMA: &str = r#"{
	"properties": {
		"password": {"default": "S3CR3T", "type": "number"},
		"token": {"default": "S3CR3T old default", "type": "string"}
	}
}
"#;

fn system() -> MemorySystem {
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE);
    let system = system.file("/m/schema.json", SCHEMA);
    FILES.iter().fold(system, |system, (name, text)| system.file(format!("/m/{name}"), text))
}

/// Runs a command line and gives everything it printed.
pub fn run(arguments: &[&str], system: &MemorySystem) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let all = std::iter::once("terraschema").chain(arguments.iter().copied());
    terraschema::run(
        all.map(Into::into).collect(),
        system,
        &mut Console::to(&mut stdout, &mut stderr),
    );
    String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
}

pub fn assert_hidden(what: &str, output: &str) {
    assert!(!output.is_empty(), "{what} says nothing");
    assert!(!output.contains(SECRET), "{what} shows a secret:\n{output}");
}

#[test]
fn check_shows_no_secret_in_any_format() {
    let system = system();
    for (format, _) in Format::ALL {
        let output = run(&["check", "--verbose", "--format", format], &system);
        assert_hidden(&format!("check --format {format}"), &output);
    }
}

/// Otherwise nothing would be tried.
#[test]
fn the_module_loads_and_every_kind_of_finding_is_there() {
    let output = run(&["check", "--format", "concise"], &system());
    let rules = [
        "failed-validation",
        "type-mismatch",
        "invalid-input-syntax",
        "stale-schema",
        "unknown-attribute",
        "undeclared-variable",
        "default-fails-validation",
    ];
    for rule in rules {
        assert!(output.contains(&format!("[{rule}]")), "{rule}:\n{output}");
    }
    assert!(!output.contains("[invalid-variable]"), "{output}");
}

#[test]
fn validate_shows_no_secret_of_a_file_in_any_format() {
    let system = system();
    for (format, _) in Format::ALL {
        for (file, _) in FILES {
            let file = format!("-var-file={file}");
            let output = run(&["validate", "--verbose", "--format", format, &file], &system);
            assert_hidden(&format!("validate --format {format} {file}"), &output);
        }
    }
}

#[test]
fn validate_shows_no_secret_of_the_command_line_or_the_environment() {
    let texts = [
        "S3CR3T",
        "[S3CR3T",
        "{ S3CR3T = 1 }",
        "{ a = { text = 1, S3CR3T = S3CR3T } }",
        "S3CR3T()",
    ];
    for text in texts {
        for name in ["password", "token", "keys", "pasword"] {
            let flag = format!("-var={name}={text}");
            let output = run(&["validate", &flag], &system());
            assert_hidden(&flag, &output);
            let system = system().with_env(format!("TF_VAR_{name}"), text);
            assert_hidden(&format!("TF_{flag}"), &run(&["validate"], &system));
        }
    }
    assert_hidden("no equals sign", &run(&["validate", "-var", "password S3CR3T"], &system()));
}

#[test]
fn drift_of_a_default_shows_no_secret() {
    let module = MODULE
        .replace("variable \"password\" {", "variable \"password\" {\n  default = \"S3CR3T new\"");
    let system = MemorySystem::new().working_in("/m").file("/m/variables.tf", module);
    let system = system.file("/m/schema.json", SCHEMA);
    for (format, _) in Format::ALL {
        let output = run(&["check", "--verbose", "--format", format], &system);
        assert_hidden(&format!("check --format {format}"), &output);
    }
}

/// In a file that does not parse, nothing shows which value belongs to which variable. The text after the first
/// undeclared name may be a secret that was mistyped. The text before it is shown.
#[test]
fn a_file_that_does_not_parse_hides_what_stands_behind_an_undeclared_name() {
    let hidden = [
        ("v.tfvars", "pasword = \"S3CR3T\" x\n"),
        ("v.tfvars", "region = \"a\"\npasword = { x = \"S3CR3T\" ( }\n"),
        ("v.tfvars", "region = [\n  { a = [1] },\n]\npasword = \"S3CR3T\" x\n"),
        ("v.tfvars", "region = f(1)\npasword = {\n  region = \"S3CR3T\" (\n}\n"),
        // What is not a value any more is hidden by its line alone.
        ("v.tfvars", "region = \"a\"\npasword = \"x\" S3CR3T\n"),
        ("v.tfvars", "region = \"a\"\npassword = \"x\" S3CR3T\n"),
        ("v.tfvars.json", "{\"region\": \"a\", \"pasword\": \"S3CR3T\" x}"),
        ("v.tfvars.json", "{\"region\": {\"a\": [1]},\n  \"pasword\" : \"S3CR3T\" x}"),
        ("v.tfvars.json", " \"S3CR3T\" x"),
        ("v.tfvars.json", "[\"S3CR3T\" x"),
    ];
    let shown = [
        ("v.tfvars", "region = {\n  other = \"SHOWN\" (\n}\n"),
        ("v.tfvars", "region = \"x\" == \"SHOWN\" x\n"),
        ("v.tfvars", "region = \"SHOWN\" x\npasword = 1\n"),
        ("v.tfvars.json", "{\"region\": {\"other\": \"SHOWN\" x}}"),
        ("v.tfvars.json", "{\"region\": [{\"other\": \"SHOWN\"}] x}"),
        ("v.tfvars.json", "{\"region\": \"SHOWN\", \"pasword\": 1 x}"),
    ];
    let output = |(name, text): (&str, &str)| {
        let system = MemorySystem::new().working_in("/m");
        let module = "variable \"region\" {}\nvariable \"password\" {\n  sensitive = true\n}\n";
        let system = system.file("/m/main.tf", module);
        let flag = format!("-var-file={name}");
        run(&["validate", &flag], &system.file(format!("/m/{name}"), text))
    };
    for file in hidden {
        let output = output(file);
        assert!(output.contains("invalid-input-syntax"), "{file:?}:\n{output}");
        assert_hidden(file.1, &output);
    }
    for file in shown {
        assert!(output(file).contains("SHOWN"), "{file:?}:\n{}", output(file));
    }
}

/// Hiding ends with the secret: a problem elsewhere is reported with its detail and its line.
#[test]
fn a_secret_hides_nothing_but_itself() {
    let module = "variable \"region\" {}\nvariable \"password\" {\n  sensitive = true\n  default = \"S3CR3T\" # S3CR3T\n  validation {\n    condition = length(var.password) > 20\n    error_message = \"Too short.\"\n  }\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", module);
    let output = run(&["check"], &system);
    assert_hidden("a default", &output);
    assert!(output.contains("condition = length(var.password) > 20"), "{output}");
    let system = system.file("/m/a.tfvars", "password = \"S3CR3T\" S3CR3T\n");
    let system = system.file("/m/b.tfvars", "region = \"SHOWN\" x\n");
    let output = run(&["validate", "-var-file=a.tfvars", "-var-file=b.tfvars"], &system);
    assert_hidden("a file", &output);
    assert!(output.contains("SHOWN"), "{output}");
    let details = output.matches("Missing line end after an argument: ").count();
    assert_eq!(details, 1, "{output}");
}

/// Some releases take a called module's sensitive output for a value that may be shown; its author does not.
#[test]
fn a_sensitive_output_of_a_called_module_is_shown_in_no_release() {
    let child = "output \"o\" {\n  value = \"S3CR3T\"\n  sensitive = true\n}\n";
    let main = "module \"m\" {\n  source = \"./m\"\n}\nvariable \"v\" {\n  default = 1\n  validation {\n    condition = var.v == 2 || module.m.o == \"x\"\n    error_message = \"It is ${module.m.o}.\"\n  }\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", main);
    let system = system.file("/m/m/main.tf", child);
    for release in ["1.9", "1.11", "1.12", "1.13", "1.15"] {
        let output = run(&["validate", "--terraform-version", release], &system);
        assert!(output.contains("failed-validation"), "{release}: {output}");
        assert_hidden(release, &output);
    }
}
