//! Texts with secrets, and the slips of those who write them: a character, a word or a line is gone, doubled or in the
//! wrong place. Shared by the tests of the command and of the tflint ruleset.

use crate::random::Random;

/// The beginnings and ends of secrets; a mutation may break one in two.
const SECRET: &str = "Zq7Kx9Wv2Jp4";
/// This many characters of a secret reveal something.
const TELLING: usize = 5;

/// Each line that says that something is sensitive stays as it is, since without it there is no secret.
pub const MODULES: &[(&str, &str)] = &[
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
pub const SOUND: &str = r#"
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

pub const VALUES: &[(&str, &str)] = &[
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
pub fn broken(text: &str, random: &mut Random) -> String {
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

pub fn leak(output: &str) -> Option<&str> {
    (0..=SECRET.len() - TELLING).map(|at| &SECRET[at..at + TELLING]).find(|it| output.contains(it))
}

pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|it| it.parse().unwrap())
}
