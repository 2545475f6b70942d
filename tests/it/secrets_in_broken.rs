//! Secrets of modules and values files that somebody broke: a character, a word or a line is gone, doubled or in the
//! wrong place. Whatever the errors are, no output shows a secret.
//!
//! `TERRASCHEMA_FUZZ=20000` tries more, `TERRASCHEMA_SEED` others.

use terraschema::{report::Format, system::MemorySystem};

use crate::{random::Random, secrets::run};

/// The beginnings and ends of secrets; a mutation may break one in two.
const SECRET: &str = "Zq7Kx9Wv2Jp4";
/// So many characters of a secret tell something.
const TELLING: usize = 5;

/// Each line that says that something is sensitive stays as it is, since without it there is no secret.
const MODULES: &[(&str, &str)] = &[
    (
        "main.tf",
        r#"variable "password" {
  description = "The password of the database."
  type        = string
  default     = "Zq7Kx9Wv2Jp4"
  sensitive = true
  validation {
    condition     = length(var.password) > 3
    error_message = "Too short."
  }
}

variable "settings" {
  sensitive = true
  type = object({
    name   = string
    secret = optional(string, "Zq7Kx9Wv2Jp4")
    nested = optional(object({ key = optional(string, "Zq7Kx9Wv2Jp4 2") }), { key = "Zq7Kx9Wv2Jp4" })
  })
  default = {
    name   = "Zq7Kx9Wv2Jp4"
    secret = "a-Zq7Kx9Wv2Jp4"
  }
}

variable "plain" {
  type    = list(string)
  default = ["a", "b"]
}
"#,
    ),
    (
        "main.tf",
        r#"variable "token" {
  default   = <<EOT
Zq7Kx9Wv2Jp4
second Zq7Kx9Wv2Jp4
EOT
  ephemeral = true
  nullable  = false
}
variable "one" { default = "x" }
variable "list" {
  type      = list(object({ a = optional(string, "Zq7Kx9Wv2Jp4"), b = optional(number, 1) }))
  default   = [{ a = "Zq7Kx9Wv2Jp4" }, { a = "Zq7Kx9Wv2Jp4", b = 2 }]
  sensitive = true
}
output "list" {
  value     = var.list
  sensitive = true
}
locals {
  both = [var.token, var.list]
}
"#,
    ),
    (
        "main.tf.json",
        r#"{
  "variable": {
    "password": {
      "type": "object({ a = optional(string, \"Zq7Kx9Wv2Jp4\") })",
      "default": { "a": "Zq7Kx9Wv2Jp4" },
      "sensitive": true
    },
    "plain": { "type": "string", "default": "x" }
  },
  "output": { "o": { "value": "${var.plain}" } }
}
"#,
    ),
];

/// A module without errors, for values files that have some.
const SOUND: &str = r#"
variable "password" {
  type      = string
  sensitive = true
}
variable "settings" {
  type      = object({ name = optional(string), keys = optional(map(string)) })
  ephemeral = true
}
variable "region" {
  type = string
}
variable "ports" {
  type = list(number)
}
"#;

const VALUES: &[(&str, &str)] = &[
    (
        "terraform.tfvars",
        "region = \"eu\"\npassword = \"Zq7Kx9Wv2Jp4\"\nports = [80, 443]\nsettings = {\n  name = \"Zq7Kx9Wv2Jp4\"\n  keys = { Zq7Kx9Wv2Jp4 = \"x\" }\n}\nunknown_one = \"Zq7Kx9Wv2Jp4\"\n",
    ),
    (
        "prod.tfvars",
        "ports = [\n  80,\n  443,\n]\npassword = <<-EOT\n  Zq7Kx9Wv2Jp4\n  EOT\nregion = \"eu\"\nunknown_one = [\"Zq7Kx9Wv2Jp4\"]\n",
    ),
    (
        "terraform.tfvars.json",
        "{\n  \"region\": \"eu\",\n  \"password\": \"Zq7Kx9Wv2Jp4\",\n  \"ports\": [80, 443],\n  \"settings\": {\"name\": \"Zq7Kx9Wv2Jp4\", \"keys\": {\"Zq7Kx9Wv2Jp4\": \"x\"}}\n}\n",
    ),
];

/// Lines that a mutation leaves alone.
fn is_kept(line: &str) -> bool {
    line.contains("sensitive") || line.contains("ephemeral")
}

/// The text with one to three slips in it.
fn broken(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let free: Vec<usize> = text
            .char_indices()
            .map(|it| it.0)
            .filter(|at| {
                let begin = text[..*at].rfind('\n').map_or(0, |it| it + 1);
                let end = text[*at..].find('\n').map_or(text.len(), |it| at + it);
                !is_kept(&text[begin..end])
            })
            .collect();
        let at = free[random.below(free.len())];
        let rest = &text[at..];
        let character = rest.chars().next().unwrap().len_utf8();
        let word = rest.find(|it: char| !it.is_alphanumeric()).unwrap_or(rest.len()).max(character);
        // To the end of the line; what makes a line is kept, since the next one may be such a line.
        let line = rest.find('\n').unwrap_or(rest.len());
        let signs = [
            "\"", "{", "}", "(", ")", "[", "]", "=", ",", "$", "${", "\n", "x", "\\", ".", "'",
            "é", "\0", "<<EOT\n",
        ];
        let sign = *random.pick(&signs);
        match random.below(7) {
            0 if &rest[..character] != "\n" => text.replace_range(at..at + character, ""),
            1 if &rest[..character] != "\n" => text.replace_range(at..at + character, sign),
            2 if !rest[..word].contains('\n') => text.replace_range(at..at + word, ""),
            3 => text.replace_range(at..at + line, ""),
            4 => {
                let doubled = rest[..line].to_owned();
                text.insert_str(at, &doubled);
            }
            _ => text.insert_str(at, sign),
        }
    }
    text
}

fn leak(output: &str) -> Option<&str> {
    (0..=SECRET.len() - TELLING).map(|at| &SECRET[at..at + TELLING]).find(|it| output.contains(it))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|it| it.parse().unwrap())
}

/// Breaks each text so often, and looks at what the commands say of it.
fn no_command_tells(texts: &[(&str, &str)], commands: &[&str], system: impl Fn() -> MemorySystem) {
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(250);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let mut broken_ones = 0;
    for (which, (name, text)) in texts.iter().enumerate() {
        for round in 0..count {
            let mut random =
                Random::new(seed.wrapping_mul(1_000_003).wrapping_add(round * 7 + which as u64));
            let text = broken(text, &mut random);
            let system = system().file(format!("/m/{name}"), &text);
            let turn = usize::try_from(round).unwrap();
            let (format, _) = Format::ALL[turn % Format::ALL.len()];
            let command = commands[turn % commands.len()];
            let command = command.replace("FORMAT", format);
            let arguments: Vec<&str> = command.split(' ').collect();
            let output = run(&arguments, &system);
            broken_ones += u64::from(output.contains("invalid") || output.contains("rror"));
            if let Some(part) = leak(&output) {
                panic!("{command} shows {part} of {name}:\n{text}\n--- round {round}\n{output}");
            }
        }
    }
    assert!(broken_ones * 3 > count * texts.len() as u64, "{broken_ones} are broken");
}

#[test]
fn a_broken_module_shows_no_secret() {
    let commands = [
        "check --verbose --format FORMAT",
        "check",
        "validate --verbose --format FORMAT",
        "generate --stdout",
        "generate --debug",
        "generate --export-variables --stdout",
        "init",
        "eval local.both",
        "policy --config . a.rules.hcl --format FORMAT",
    ];
    let rules = "rule \"r\" {\n  variable \"*\" {\n    description = \"x\"\n  }\n}\n";
    no_command_tells(MODULES, &commands, || {
        let system = MemorySystem::new().working_in("/m").file("/m/a.rules.hcl", rules);
        system.file("/m/schema.json", "{\"properties\": {}}\n")
    });
}

#[test]
fn a_broken_values_file_shows_no_secret() {
    let commands = [
        "check --verbose --format FORMAT",
        "check",
        "validate --verbose --format FORMAT",
        "eval var.region",
    ];
    no_command_tells(VALUES, &commands, || {
        MemorySystem::new().working_in("/m").file("/m/main.tf", SOUND)
    });
}

/// A caller reads the broken module, and is told so.
#[test]
fn a_broken_module_shows_no_secret_to_its_caller() {
    let main = "module \"a\" {\n  source = \"./a\"\n  plain  = [\"x\"]\n}\n";
    let texts: Vec<(String, &str)> =
        MODULES.iter().map(|(name, text)| (format!("a/{name}"), *text)).collect();
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let commands = ["check --verbose --format FORMAT", "validate --verbose --format FORMAT"];
    no_command_tells(&texts, &commands, || {
        MemorySystem::new().working_in("/m").file("/m/main.tf", main)
    });
}
