//! Whatever a nearer file says, an outer policy judges what the command line or CI would apply.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run};

const ZONES: &str = "rule \"zones\" {\n  resource \"t\" {\n    zone = \"eu\"\n  }\n}\n";
const DEMAND: &str =
    "policy {\n  rules = [\"rules\"]\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n";
const WRONG: &str = "resource \"t\" \"a\" {\n  zone = \"us\"\n}\n";
const FINE: &str = "resource \"t\" \"a\" {\n  zone = \"eu\"\n}\n";
const BY_VARIABLE: &str =
    "variable \"zone\" {\n  type    = string\n}\nresource \"t\" \"a\" {\n  zone = var.zone\n}\n";

/// The exit code and the text of a command over files below the usual demand.
pub fn said(files: &[(&str, &str)], arguments: &str) -> (u8, String) {
    let usual = [(".terraschema.hcl", DEMAND), ("rules/a.rules.hcl", ZONES)];
    let is_new = |it: &&(&str, &str)| files.iter().all(|file| file.0 != it.0);
    let mut system = MemorySystem::new();
    for (path, text) in files.iter().chain(usual.iter().filter(is_new)) {
        system = system.file(path, *text);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let exit = run(words.map(OsString::from).collect(), &system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

/// Each is a nearer file that tries to hide the wrong zone of a module from the policy of the root.
#[test]
fn no_nearer_file_hides_anything_from_an_outer_policy() {
    let values = ("m/prod.tfvars", "zone = \"us\"\n");
    let stolen = "input \"a\" {\n  module = \"n\"\n  files  = [\"prod.tfvars\"]\n}\n";
    let by_variable = ("m/main.tf", BY_VARIABLE);
    let other = ("m/n/main.tf", "variable \"zone\" {}\n");
    let called = "module \"c\" {\n  source = \"org/c/provider\"\n}\n";
    let outer_contract = format!(
        "{DEMAND}modules {{\n  exclude = [\"contracts\", \"m/fake\"]\n}}\ncontract \"org/c/provider\" {{\n  path = \"contracts/c\"\n}}\n"
    );
    let nearer_contract = "contract \"org/c/provider\" {\n  path = \"fake\"\n}\n";
    for (what, files) in [
        ("inputs", vec![by_variable, values, other, ("m/.terraschema.hcl", stolen)]),
        (
            "inputs of its own that are never used alone",
            vec![
                by_variable,
                values,
                (
                    "m/.terraschema.hcl",
                    "input \"a\" {\n  files   = [\"prod.tfvars\"]\n  partial = true\n}\n",
                ),
            ],
        ),
        (
            "other inputs of its own",
            vec![
                by_variable,
                values,
                ("m/dev.tfvars", "zone = \"eu\"\n"),
                ("m/.terraschema.hcl", "input \"a\" {\n  files = [\"dev.tfvars\"]\n}\n"),
            ],
        ),
        (
            "an input of the same name",
            vec![
                by_variable,
                ("envs/prod.tfvars", "zone = \"us\"\n"),
                ("m/dev.tfvars", "zone = \"eu\"\n"),
                (
                    ".terraschema.hcl",
                    "policy {\n  rules = [\"rules\"]\n}\ninput \"prod\" {\n  module = \"m\"\n  files  = [\"envs/prod.tfvars\"]\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n",
                ),
                ("m/.terraschema.hcl", "input \"prod\" {\n  files = [\"dev.tfvars\"]\n}\n"),
            ],
        ),
        (
            "OpenTofu",
            vec![
                ("m/main.tf", WRONG),
                ("m/main.tofu", FINE),
                ("m/.terraschema.hcl", "opentofu = true\n"),
            ],
        ),
        (
            "a release of OpenTofu",
            vec![
                ("m/main.tf", WRONG),
                ("m/main.tofu", FINE),
                ("m/.terraschema.hcl", "opentofu = \"1.10\"\n"),
            ],
        ),
        (
            "OpenTofu, which alone reads the file",
            vec![
                ("m/main.tf", FINE),
                ("m/main.tofu", WRONG),
                ("m/.terraschema.hcl", "opentofu = true\n"),
            ],
        ),
        (
            "a release that lacks a function",
            vec![
                (
                    "m/main.tf",
                    "resource \"t\" \"a\" {\n  zone = templatestring(local.t, { a = \"us\" })\n}\nlocals {\n  t = \"$${a}\"\n}\n",
                ),
                ("m/.terraschema.hcl", "terraform_version = \"1.8\"\n"),
            ],
        ),
        (
            "no calls",
            vec![
                ("m/main.tf", "module \"n\" {\n  source = \"./n\"\n  zone   = \"us\"\n}\n"),
                ("m/n/main.tf", BY_VARIABLE),
                ("m/.terraschema.hcl", "calls = false\n"),
            ],
        ),
        (
            "a contract",
            vec![
                ("m/main.tf", called),
                (".terraschema.hcl", &*outer_contract),
                ("contracts/c/main.tf", WRONG),
                ("m/fake/main.tf", FINE),
                ("m/.terraschema.hcl", nearer_contract),
            ],
        ),
        (
            "excluded",
            vec![
                ("m/main.tf", WRONG),
                ("m/.terraschema.hcl", "modules {\n  exclude = [\".\", \"**\"]\n}\n"),
            ],
        ),
        (
            "limits",
            vec![("m/main.tf", WRONG), ("m/.terraschema.hcl", "limits {\n  max_work = 1\n}\n")],
        ),
        (
            "levels and exceptions",
            vec![
                ("m/main.tf", WRONG),
                (
                    "m/.terraschema.hcl",
                    "rule \"policy/zones\" {\n  level = \"off\"\n}\nignore \"policy/zones\" {\n  reason = \"no\"\n}\n",
                ),
            ],
        ),
        (
            "a comment",
            vec![(
                "m/main.tf",
                "resource \"t\" \"a\" {\n  # terraschema:ignore policy/zones no\n  zone = \"us\"\n}\n",
            )],
        ),
        (
            "schema options",
            vec![
                ("m/main.tf", WRONG),
                ("m/.terraschema.hcl", "schema {\n  file = \"other.json\"\n}\n"),
            ],
        ),
    ] {
        let (code, out) = said(&files, "check --format concise -v");
        // The budget of the nearer file is exceeded, and that is reported as well.
        assert!(code == 1 || what == "limits" && code == 2, "{what}: {out}");
        assert!(out.contains("error[policy/zones]"), "{what}: {out}");
    }
}

/// The same by `policy --config`, whose rules the root's file or the command line demands.
#[test]
fn no_nearer_file_hides_anything_from_the_policy_command() {
    let tofu = vec![
        ("m/main.tf", WRONG),
        ("m/main.tofu", FINE),
        ("m/.terraschema.hcl", "opentofu = true\n"),
    ];
    let older = vec![
        (
            "m/main.tf",
            "resource \"t\" \"a\" {\n  zone = templatestring(local.t, { a = \"us\" })\n}\nlocals {\n  t = \"$${a}\"\n}\n",
        ),
        ("m/.terraschema.hcl", "terraform_version = \"1.8\"\n"),
    ];
    for files in [tofu, older] {
        for arguments in
            ["policy --config m", "policy --config m rules", "policy --config m --confined rules"]
        {
            let (code, out) = said(&files, arguments);
            assert_eq!(code, 1, "{arguments}: {out}");
            assert!(out.contains("error[policy/zones]"), "{arguments}: {out}");
        }
    }
    // What only one engine reads is judged by it, and is not an error of the other one.
    let files = [("m/main.tofu", WRONG), ("m/.terraschema.hcl", "opentofu = true\n")];
    assert_eq!(said(&files, "policy --config m").0, 1);
    let files = [("m/main.tofu", FINE), ("m/.terraschema.hcl", "opentofu = true\n")];
    let (code, out) = said(&files, "policy --config m");
    assert_eq!(code, 0, "{out}");
}

/// Where the outer file itself says all that, it counts.
#[test]
fn the_file_that_demands_a_policy_says_what_is_judged() {
    let files = [
        ("m/main.tf", WRONG),
        ("m/main.tofu", FINE),
        (
            ".terraschema.hcl",
            "opentofu = true\npolicy {\n  rules = [\"rules\"]\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n",
        ),
    ];
    let (code, out) = said(&files, "check -v");
    assert_eq!(code, 0, "{out}");
    let files = [
        ("m/main.tf", BY_VARIABLE),
        ("m/n/main.tf", "variable \"zone\" {}\n"),
        ("m/prod.tfvars", "zone = \"us\"\n"),
        (
            ".terraschema.hcl",
            "policy {\n  rules = [\"rules\"]\n}\ninput \"a\" {\n  module = \"m/n\"\n  files  = [\"m/prod.tfvars\"]\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n",
        ),
    ];
    let (code, out) = said(&files, "check -v");
    assert_eq!(code, 0, "{out}");
}
