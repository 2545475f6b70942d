//! Secrets of modules and values files that somebody broke. Whatever the errors are, no output shows a secret.
//!
//! `TERRASCHEMA_FUZZ=20000` tries more, `TERRASCHEMA_SEED` others.

use report::Format;
use system::MemorySystem;
use testkit::{
    random::Random,
    slips::{MODULES, SOUND, VALUES, broken, leak, number},
};

use crate::secrets::run;

/// An earlier release of the modules, with secrets of its own.
const OLD: &str = r#"
variable "password" {
  type      = string
  default   = "Zq7Kx9Wv2Jp4 old"
  sensitive = true
}
variable "settings" {
  sensitive = true
  type      = object({ name = optional(string, "Zq7Kx9Wv2Jp4 old") })
  default   = { name = "Zq7Kx9Wv2Jp4" }
}
variable "gone" {
  default   = { Zq7Kx9Wv2Jp4 = ["Zq7Kx9Wv2Jp4"] }
  ephemeral = true
}
"#;

/// A committed schema with annotations, and the default of a variable that is a secret now.
const SCHEMA: &str = r#"{
  "properties": {
    "password": { "type": "string", "default": "Zq7Kx9Wv2Jp4" },
    "gone": { "default": "Zq7Kx9Wv2Jp4 gone" }
  }
}
"#;

/// Breaks each text many times, and looks at what the commands say about it.
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
        "generate --stdout --annotations --error-messages --descriptions-from-comments --report",
        "generate --stdout --inline --require-all --draft 2020-12 --report=json",
        "generate --export-variables --stdout",
        "init",
        "eval local.both",
        "eval keys(var.settings)",
        "eval [var.one,var.plain,local.both]",
        "eval jsonencode(local.both) --format json",
        "compat ../old . --verbose --format FORMAT",
        "compat . ../old --verbose --format FORMAT",
        "compat schema.json . --verbose --format FORMAT",
        "compat ../old . --callers .. --verbose --format FORMAT",
        "policy --config . a.rules.hcl --format FORMAT",
    ];
    let rules = "rule \"r\" {\n  variable \"*\" {\n    description = \"x\"\n  }\n}\n";
    no_command_tells(MODULES, &commands, || {
        let system = MemorySystem::new().working_in("/m").file("/m/a.rules.hcl", rules);
        let caller = "module \"m\" {\n  source = \"./m\"\n  plain  = [\"x\"]\n}\n";
        let system = system.file("/m/schema.json", SCHEMA).file("/main.tf", caller);
        // Another secret under the same names, and one that is gone.
        system.file("/old/main.tf", OLD)
    });
}

#[test]
fn a_broken_values_file_shows_no_secret() {
    let commands = [
        "check --verbose --format FORMAT",
        "check",
        "validate --verbose --format FORMAT",
        "validate -var-file prod.tfvars --all --verbose",
        "eval var.region",
        "eval [var.region,var.ports,var.password]",
        "eval var.settings -var-file prod.tfvars",
        "generate --stdout",
        "compat ../old . --callers . --verbose --format FORMAT",
        "policy --config . a.rules.hcl -var-file prod.tfvars --format FORMAT",
    ];
    let rules = "rule \"r\" {\n  variable \"*\" {\n    default = \"x\"\n  }\n}\n";
    no_command_tells(VALUES, &commands, || {
        let system = MemorySystem::new().working_in("/m").file("/m/main.tf", SOUND);
        system.file("/m/a.rules.hcl", rules).file("/old/main.tf", OLD)
    });
}

/// A caller reads the broken module, and the report says so.
#[test]
fn a_broken_module_shows_no_secret_to_its_caller() {
    let main = "module \"a\" {\n  source = \"./a\"\n  plain  = [\"x\"]\n}\n";
    let texts: Vec<(String, &str)> =
        MODULES.iter().map(|(name, text)| (format!("a/{name}"), *text)).collect();
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let commands = [
        "check --verbose --format FORMAT",
        "validate --verbose --format FORMAT",
        "compat ../old . --verbose --format FORMAT",
        "compat . ../old --verbose --format FORMAT",
        "generate --stdout",
        "eval module.a",
    ];
    no_command_tells(&texts, &commands, || {
        let system = MemorySystem::new().working_in("/m").file("/m/main.tf", main);
        system.file("/old/main.tf", main).file("/old/a/main.tf", OLD)
    });
}
