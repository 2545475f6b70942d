//! Tests of the `config` layer: what a file says, and what it governs.

use std::ffi::OsString;

use diagnostics::Sources;
use system::{MemorySystem, System};
use terraschema::{Console, run};

const STRING: &str = "variable \"x\" {\n  type = string\n}\n";

/// Exit code and both streams.
fn check(system: &MemorySystem, arguments: &str) -> (u8, String) {
    terraschema(system, &format!("check --format concise {arguments}"))
}

fn terraschema(system: &MemorySystem, arguments: &str) -> (u8, String) {
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let words = words.map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words.collect(), system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

fn exists(system: &MemorySystem, path: &str) -> bool {
    system.kind(path.as_ref()).is_ok()
}

/// The messages of a file's problems with their help.
fn problems(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let id = sources.add(".terraschema.hcl", text.as_bytes());
    let (_, found) = config::read(id, text.as_bytes());
    found.iter().map(|it| it.message() + " | " + it.help.as_deref().unwrap_or("")).collect()
}

#[test]
fn every_setting_is_understood() {
    let text = r#"
        terraform_version = "1.11.4"
        opentofu          = false
        modules {
          include = ["modules/**"]
          exclude = ["**/examples"]
        }
        schema {
          file                           = "schema.json"
          disallow_additional_properties = true
          nullable_all                   = true
          require_all                    = true
          escape_json                    = true
          conditions                     = "basic"
          annotations                    = true
          draft                          = "2020-12"
          ignore_variables               = ["secret"]
          properties                     = { title = "Inputs" }
        }
        input "prod" {
          module  = "modules/a"
          files   = ["envs/base.tfvars", "envs/prod.tfvars"]
          partial = false
        }
        rule "unknown-attribute" {
          level = "warning"
          paths = ["legacy/**"]
        }
        ignore "undeclared-variable" {
          reason   = "read by another tool"
          paths    = ["envs/*.json"]
          variable = "owner"
        }
    "#;
    assert_eq!(problems(text), Vec::<String>::new());
}

#[test]
fn what_is_not_known_is_an_error_with_the_nearest_name() {
    let cases = [
        ("terraform_verson = \"1.1\"", "terraform_verson", "terraform_version"),
        ("schma {}", "schma", "schema"),
        ("schema {\n nullable_al = true\n}", "nullable_al", "nullable_all"),
        ("modules {\n excludes = []\n}", "excludes", "exclude"),
        ("input \"x\" {\n file = []\n files = [\"a\"]\n}", "file", "files"),
        ("rule \"stale-shema\" {\n level = \"off\"\n}", "stale-shema", "stale-schema"),
        ("rule \"stale-schema\" {\n levle = \"off\"\n level = \"off\"\n}", "levle", "level"),
        ("ignore \"stale-schema\" {\n reson = \"\"\n reason = \"x\"\n}", "reson", "reason"),
    ];
    for (text, wrong, near) in cases {
        let found = problems(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains(&format!("\"{wrong}\"")), "{found:?}");
        assert!(found[0].ends_with(&format!("did you mean \"{near}\"?")), "{found:?}");
    }
}

#[test]
fn values_that_will_not_do_are_errors() {
    let cases = [
        ("terraform_version = \"new\"", "terraform_version"),
        ("opentofu = 7", "opentofu"),
        ("modules {\n include = [\"a[\"]\n}", "is not a valid pattern"),
        ("schema {\n conditions = \"some\"\n}", "full, basic, none"),
        ("schema {\n draft = \"draft-04\"\n}", "draft-07, 2020-12"),
        ("schema {\n file = \"../schema.json\"\n}", "inside the directory of the module"),
        ("schema {\n file = \"main.tf\"\n}", "is not a file name for a schema"),
        ("schema {\n file = \"x.auto.tfvars.json\"\n}", "is not a file name for a schema"),
        ("schema {\n file = \".terraschema.hcl\"\n}", "without hidden names"),
        ("schema {\n file = \"schema\"\n}", "ends in .json"),
        ("schema {\n file = \"/schema.json\"\n}", "a relative path"),
        ("schema {\n file = \".GIT/schema.json\"\n}", "a path inside .git is not allowed"),
        ("modules {\n include = [\"../a\", \"/b\"]\n}", "a relative path"),
        ("input \"x\" {\n files = [\".git/config\"]\n}", "a path inside .git is not allowed"),
        ("schema {\n file = \".\"\n}", "is not a file name for a schema"),
        ("schema {}\nschema {}", "a file can have only one"),
        ("terraform_version = 1.10", "in quotes"),
        ("ignore \"stale-schema\" {\n reason = \" \"\n}", "needs \"reason\""),
        ("schema {\n file = var.x\n}", ""),
        ("schema \"x\" {}", "takes no label"),
        ("input {\n files = [\"a\"]\n}", "takes one label"),
        ("input \"x\" {}", "needs \"files\""),
        ("input \"x\" {\n files = [\"a[\"]\n}", "is not a valid pattern"),
        (
            "input \"x\" {\n files = [\"a\"]\n module = \"../a\"\n}",
            "inside the directory of the configuration",
        ),
        ("rule \"stale-schema\" {}", "needs \"level\""),
        ("rule \"stale-schema\" {\n level = \"fatal\"\n}", "error, warning, note, off"),
        ("ignore \"stale-schema\" {}", "needs \"reason\""),
        ("schema {", ""),
    ];
    for (text, part) in cases {
        let found = problems(text);
        assert!(!found.is_empty(), "{text}");
        assert!(found[0].contains(part), "{text}: {found:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_a_failure() {
    let system = MemorySystem::new().file("a/main.tf", STRING).file("a/.terraschema.hcl/x", "");
    let (code, text) = check(&system, "--fix");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("a/.terraschema.hcl cannot be read"), "{text}");
    assert!(!exists(&system, "a/schema.json"));
}

#[test]
fn with_an_invalid_file_nothing_is_checked_or_written() {
    let system = MemorySystem::new()
        .file("a/main.tf", STRING)
        .file("a/.terraschema.hcl", "schema {\n  nullabel_all = true\n}\n");
    let (code, text) = check(&system, "--fix");
    assert_eq!(code, 2);
    assert!(text.starts_with("a/.terraschema.hcl:2:3: error[invalid-configuration]"), "{text}");
    assert!(!exists(&system, "a/schema.json"));
}

#[test]
fn a_nearer_file_overrides_setting_by_setting_and_flags_override_all() {
    let system = MemorySystem::new()
        .file(".terraschema.hcl", "schema {\n file = \"s.json\"\n require_all = true\n}\n")
        .file("a/.terraschema.hcl", "schema {\n require_all = false\n}\n")
        .file("a/main.tf", "variable \"x\" {\n  type = string\n  default = \"\"\n}\n")
        .file("b/main.tf", "variable \"x\" {\n  type = string\n  default = \"\"\n}\n");
    assert_eq!(check(&system, "--fix").0, 0);
    let schema = |path: &str| String::from_utf8(system.read(path.as_ref()).unwrap()).unwrap();
    assert!(!schema("a/s.json").contains("\"x\"\n"), "not required: {}", schema("a/s.json"));
    assert!(schema("b/s.json").contains("\"required\": [\n\t\t\"x\"\n"), "{}", schema("b/s.json"));
    assert_eq!(check(&system, "").0, 0);
    assert_eq!(check(&system, "--require-all=false").0, 1);
    assert_eq!(check(&system, "--require-all a").0, 1);
}

#[test]
fn a_file_stops_at_the_repository() {
    let system = MemorySystem::new()
        .file(".terraschema.hcl", "schema {\n file = \"s.json\"\n}\n")
        .file("repo/.git/HEAD", "")
        .file("repo/a/main.tf", STRING)
        .working_in("/repo");
    assert_eq!(check(&system, "--fix").0, 0);
    assert!(exists(&system, "/repo/a/schema.json"));
}

#[test]
fn a_star_matches_the_directory_of_the_file_too() {
    for (pattern, own, below) in
        [("*", false, false), ("**", false, false), (".", false, true), ("m", true, false)]
    {
        let config = format!("modules {{\n  exclude = [\"{pattern}\"]\n}}\n");
        let system = MemorySystem::new()
            .file("repo/.terraschema.hcl", &config)
            .file("repo/main.tf", STRING)
            .file("repo/m/main.tf", STRING)
            .working_in("/repo");
        check(&system, "--fix");
        let written = ["/repo/schema.json", "/repo/m/schema.json"].map(|it| exists(&system, it));
        assert_eq!(written, [own, below], "{pattern}");
    }
}

#[test]
fn modules_are_included_and_excluded() {
    let system = MemorySystem::new()
        .file(
            ".terraschema.hcl",
            "modules {\n include = [\"modules/*\"]\n exclude = [\"**/examples\"]\n}\n",
        )
        .file("main.tf", STRING)
        .file("modules/a/main.tf", STRING)
        .file("modules/a/inner/main.tf", STRING)
        .file("modules/a/examples/one/main.tf", STRING);
    assert_eq!(check(&system, "--fix").0, 0);
    assert!(exists(&system, "modules/a/schema.json"));
    assert!(exists(&system, "modules/a/inner/schema.json"), "below what a pattern matches");
    assert!(!exists(&system, "schema.json"));
    assert!(!exists(&system, "modules/a/examples/one/schema.json"));
    // A named file is checked anyway, unless nobody chose the names.
    let named = "modules/a/examples/one/main.tf";
    let (code, text) = check(&system, named);
    assert_eq!((code, text.contains("[missing-schema]")), (1, true), "{text}");
    let (code, text) = check(&system, &format!("--force-exclude {named}"));
    assert_eq!((code, text.contains("no schema to check")), (0, true), "{text}");
    let (code, text) = check(&system, "modules/a/examples");
    assert_eq!((code, text.contains("[missing-schema]")), (1, true), "{text}");
    assert_eq!(check(&system, "--force-exclude modules/a/examples").0, 0);
    // Of this one something is left without the excluded ones.
    let (code, text) = check(&system, "modules/a");
    assert_eq!((code, text.contains("examples")), (0, false), "{text}");
}

#[test]
fn levels_change_by_rule_and_path() {
    let system = MemorySystem::new()
        .file(
            ".terraschema.hcl",
            "rule \"missing-schema\" {\n level = \"warning\"\n}\n\
             rule \"missing-schema\" {\n level = \"off\"\n paths = [\"legacy\"]\n}\n",
        )
        .file("legacy/a/main.tf", STRING)
        .file("new/main.tf", STRING);
    let (code, text) = check(&system, "");
    assert_eq!(code, 0);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("new/main.tf:1:1: warning[missing-schema]"), "{text}");
    assert_eq!(check(&system, "--fail-on warning").0, 1);
}

#[test]
fn that_a_module_cannot_be_read_is_always_told() {
    let system = MemorySystem::new().file("m/main.tf", "nonsense {").file(
        ".terraschema.hcl",
        "rule \"invalid-syntax\" {\n level = \"off\"\n}\n\
         ignore \"invalid-syntax\" {\n reason = \"x\"\n}\n",
    );
    let (code, text) = check(&system, "");
    assert_eq!((code, text.contains("error[invalid-syntax]")), (2, true), "{text}");
}

#[test]
fn findings_are_ignored_by_path_and_variable() {
    let system = MemorySystem::new()
        .file("main.tf", STRING)
        .file("a.tfvars", "x = \"\"\nowner = 1\nother = 2\n")
        .file("b.tfvars", "x = \"\"\nowner = 1\n")
        .file(
            ".terraschema.hcl",
            "ignore \"undeclared-variable\" {\n reason = \"ours\"\n variable = \"owner\"\n \
             paths = [\"a.*\"]\n}\n",
        );
    check(&system, "--fix");
    let (_, text) = check(&system, "");
    let places: Vec<&str> = text.lines().map(|it| it.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["a.tfvars:3:1", "b.tfvars:2:1"], "{text}");
}

#[test]
fn inputs_are_those_that_the_file_names() {
    let system = MemorySystem::new()
        .file("modules/a/main.tf", "variable \"x\" {\n type = string\n}\nvariable \"y\" {\n type = number\n}\n")
        .file("modules/a/ignored.tfvars", "x = []\n")
        .file("envs/base.tfvars", "x = \"\"\n")
        .file("envs/prod.tfvars", "y = 1\n")
        .file("envs/deep/one.tfvars", "y = true\n")
        .file(
            ".terraschema.hcl",
            "input \"prod\" {\n module = \"modules/a\"\n files = [\"envs/base.tfvars\", \"envs/prod.tfvars\"]\n}\n\
             input \"base\" {\n module = \"modules/a\"\n files = [\"envs/base.tfvars\"]\n partial = true\n}\n",
        );
    let written = "Info: wrote modules/a/schema.json\n".to_owned();
    assert_eq!(check(&system, "--fix"), (0, written));
    let nearer = system.file(
        "modules/a/.terraschema.hcl",
        "input \"prod\" {\n files = [\"ignored.tfvars\"]\n partial = true\n}\n",
    );
    let (code, text) = check(&nearer, "");
    assert_eq!(code, 1);
    assert!(text.starts_with("modules/a/ignored.tfvars:1:5: error[type-mismatch]"), "{text}");
    let pattern = nearer.file(
        "modules/a/.terraschema.hcl",
        "input \"prod\" {\n files = [\"../../envs/**/o*.tfvars\"]\n partial = true\n}\n",
    );
    let (code, text) = check(&pattern, "");
    assert_eq!((code, text.contains("envs/deep/one.tfvars:1:5")), (1, true), "{text}");
    let none =
        pattern.file("modules/a/.terraschema.hcl", "input \"prod\" {\n files = [\"*.x\"]\n}\n");
    let (code, text) = check(&none, "");
    let place =
        "modules/a/.terraschema.hcl:1:1: error[unreadable-input] The input \"prod\" matches";
    assert_eq!((code, text.contains(place)), (1, true), "{text}");
}

#[test]
fn what_matches_nothing_is_told_by_a_run_that_sees_everything() {
    let system = MemorySystem::new()
        .file("modules/a/main.tf", STRING)
        .file("modules/a/a.tfvars", "x = \"\"\nowner = 1\n")
        .file(
            ".terraschema.hcl",
            "schema {\n ignore_variables = [\"x\", \"gone\"]\n}\n\
             ignore \"undeclared-variable\" {\n reason = \"ours\"\n variable = \"owner\"\n}\n\
             ignore \"type-mismatch\" {\n reason = \"ours\"\n}\n\
             input \"prod\" {\n module = \"modules/b\"\n files = [\"modules/a/a.tfvars\"]\n}\n\
             input \"dev\" {\n module = \"modules/a\"\n files = [\"modules/a/a.tfvars\"]\n}\n",
        );
    check(&system, "--fix");
    let expected = [
        ".terraschema.hcl:2:21: warning[unused-suppression] ignore_variables lists \"gone\"",
        ".terraschema.hcl:8:1: warning[unused-suppression] An ignore block of type-mismatch",
        ".terraschema.hcl:11:1: error[unreadable-input] The input \"prod\" belongs to no module",
    ];
    for arguments in ["", "."] {
        let (_, text) = check(&system, arguments);
        assert_eq!(text.lines().count(), expected.len(), "{text}");
        assert!(text.lines().zip(expected).all(|(it, start)| it.starts_with(start)), "{text}");
    }
    // Other runs do not see everything.
    for arguments in ["--fix", "modules/a", "modules/a/a.tfvars", "--shard 1/1"] {
        assert_eq!(check(&system, arguments), (0, String::new()), "{arguments}");
    }
}

#[test]
fn a_values_file_leads_to_the_module_that_names_it() {
    let system = MemorySystem::new()
        .file("modules/a/main.tf", STRING)
        .file("envs/main.tf", "variable \"z\" {\n type = string\n}\n")
        .file("envs/prod.tfvars", "x = []\n")
        .file(
            ".terraschema.hcl",
            "input \"prod\" {\n module = \"modules/a\"\n files = [\"envs/prod.tfvars\"]\n}\n",
        );
    check(&system, "--fix");
    let (code, text) = check(&system, "envs/prod.tfvars");
    assert_eq!(code, 1);
    assert!(text.starts_with("envs/prod.tfvars:1:5: error[type-mismatch]"), "{text}");
    assert_eq!(text.lines().count(), 1, "not judged for its neighbour too: {text}");
    let (_, text) = check(&system, "");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_schema_elsewhere_leads_to_its_module() {
    let system = MemorySystem::new()
        .file("a/main.tf", STRING)
        .file("a/docs/inputs.json", "{}")
        .file("b/main.tf", STRING)
        .file(".terraschema.hcl", "schema {\n file = \"docs/inputs.json\"\n}\n");
    let (code, text) = check(&system, "a/docs/inputs.json");
    assert_eq!((code, text.contains("error[stale-schema]"), text.contains("b/")), (1, true, false));
}

#[test]
fn validate_takes_the_version_from_the_configuration() {
    let rule = "validation {\n condition = var.x == null || length(var.x) > 1\n error_message = \"No.\"\n}\n";
    let system = MemorySystem::new()
        .file(
            "m/main.tf",
            format!("variable \"x\" {{\n type = string\n default = null\n{rule}}}\n"),
        )
        .file("m/.terraschema.hcl", "terraform_version = \"1.11\"\n");
    let validate = |flags: &str| terraschema(&system, &format!("validate -i m {flags}"));
    assert_eq!(validate("").0, 1, "operators did not short-circuit then");
    assert_eq!(validate("--terraform-version 1.12").0, 0);
    let (code, text) =
        terraschema(&system.file(".terraschema.hcl", "nonsense = 1\n"), "validate -i m");
    assert_eq!((code, text.contains("invalid-configuration")), (2, true), "{text}");
}

#[test]
fn one_file_can_be_named_for_everything() {
    let system = MemorySystem::new()
        .file("ci/strict.hcl", "modules {\n include = [\"a\"]\n}\n")
        .file("a/.terraschema.hcl", "nonsense = true")
        .file("a/main.tf", STRING)
        .file("b/main.tf", STRING);
    let (code, text) = check(&system, "--config ci/strict.hcl");
    assert_eq!((code, text.lines().count()), (1, 1), "{text}");
    let (code, text) = check(&system, "--config ci/missing.hcl");
    assert_eq!((code, text.contains("ci/missing.hcl")), (2, true), "{text}");
}
