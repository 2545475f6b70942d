//! `given`, `each` and `modules`: values that a pipeline gives, and `input` blocks by pattern.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run};

const MODULE: &str = r#"
variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "No such environment."
  }
}
variable "image" {
  type = string
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size < 10
    error_message = "Too large."
  }
}
output "name" {
  value = "${var.env}-${var.image}-${var.size}"
}
"#;

const VALUES_ONLY: &str = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";

/// Exit code and both streams. What a finding keeps from being judged is the subject of other tests.
fn check(system: &MemorySystem, arguments: &str) -> (u8, String) {
    let words = format!("terraschema check --format concise {arguments}");
    let words = words.split_whitespace().map(OsString::from).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words, system, &mut console);
    drop(console);
    let text = String::from_utf8([stdout, stderr].concat()).unwrap();
    let lines = text.lines().filter(|it| !it.contains("note[not-judged]"));
    (exit.code(), lines.map(|it| format!("{it}\n")).collect())
}

fn configured(files: &[(&str, &str)], configuration: &str) -> MemorySystem {
    let text = format!("{VALUES_ONLY}{configuration}");
    let system = MemorySystem::new().file(".terraschema.hcl", text);
    files.iter().fold(system, |system, (path, text)| system.file(*path, *text))
}

/// The lines of the findings, without their messages.
fn places(text: &str) -> Vec<String> {
    let rule = |it: &str| it.split_once(']').map(|(place, _)| format!("{place}]"));
    text.lines().filter_map(rule).collect()
}

/// Each row: the configuration, the values, the findings.
#[test]
fn what_a_pipeline_gives_is_unknown_and_the_rest_is_judged() {
    let by_files = "input \"dev\" {\n  files = [\"dev.tfvars\"]\n";
    let cases: &[(&str, &str, &[&str])] = &[
        ("given = [\"env\", \"image\"]\n", "size = 2\n", &[]),
        ("given = [\"e*\", \"ima?e\"]\n", "size = 2\n", &[]),
        ("given = \"*\"\n", "size = 2\n", &[]),
        (
            "given = [\"env\", \"image\"]\n",
            "size = 20\n",
            &["dev.tfvars:1:8: error[failed-validation]"],
        ),
        (
            "given = [\"env\", \"image\"]\n",
            "size = []\n",
            &["dev.tfvars:1:8: error[type-mismatch]"],
        ),
        // A value that a file gives is judged like any other.
        (
            "given = [\"env\", \"image\"]\n",
            "env = \"x\"\n",
            &["dev.tfvars:1:7: error[failed-validation]"],
        ),
        ("given = [\"env\"]\n", "size = 2\n", &["dev.tfvars:1:1: warning[missing-variable]"]),
        // What has a default is unknown as well: the default does not count.
        ("given = [\"env\", \"image\", \"size\"]\n", "", &[]),
        (&format!("{by_files}  given = [\"env\", \"image\"]\n}}\n"), "size = 2\n", &[]),
        (
            &format!("{by_files}  given = \"env\"\n}}\n"),
            "size = 2\n",
            &["dev.tfvars:1:1: error[missing-variable]"],
        ),
        // The directory's names and the set's add up.
        (&format!("given = [\"image\"]\n{by_files}  given = [\"env\"]\n}}\n"), "size = 2\n", &[]),
    ];
    for (configuration, values, expected) in cases {
        let system = configured(&[("main.tf", MODULE), ("dev.tfvars", values)], configuration);
        let (code, text) = check(&system, "");
        assert_eq!(places(&text), *expected, "{configuration}{values}: {text}");
        assert_eq!(code == 0, expected.iter().all(|it| it.contains("warning")), "{text}");
    }
}

#[test]
fn a_nearer_file_says_anew_what_is_given() {
    let files = [
        ("a/main.tf", MODULE),
        ("a/dev.tfvars", "size = 1\n"),
        ("b/main.tf", MODULE),
        ("b/dev.tfvars", "size = 1\n"),
    ];
    let system = configured(&files, "given = [\"env\", \"image\"]\n");
    assert_eq!(check(&system, "").0, 0);
    let system = system.file("b/.terraschema.hcl", "given = []\n");
    let (_, text) = check(&system, "");
    assert_eq!(places(&text), ["b/dev.tfvars:1:1: warning[missing-variable]"], "{text}");
}

#[test]
fn names_that_no_module_declares_are_told() {
    let files = [("main.tf", MODULE), ("dev.tfvars", "env = \"dev\"\nimage = \"x\"\n")];
    let system = configured(&files, "given = [\"imag\", \"env\", \"zone_*\"]\n");
    let (code, text) = check(&system, "");
    assert_eq!((code, text.lines().count()), (0, 2), "{text}");
    assert!(
        text.contains("given lists \"imag\"") && text.contains("Did you mean \"image\"?"),
        "{text}"
    );
    assert!(text.contains("given lists \"zone_*\""), "{text}");
    assert_eq!(check(&system, "dev.tfvars").1, "", "a part of the tree does not tell");
}

/// Each row: the `ignore` and `rule` blocks, the findings.
#[test]
fn an_ignored_variable_is_taken_out_of_the_finding() {
    let ignore = |variable: &str| {
        format!("ignore \"missing-variable\" {{\n  reason = \"r\"\n  variable = {variable}\n}}\n")
    };
    let level = |variable: &str, level: &str| {
        format!(
            "rule \"missing-variable\" {{\n  level = \"{level}\"\n  variable = {variable}\n}}\n"
        )
    };
    let whole =
        "warning[missing-variable] No values for 2 required variables: \"env\", \"image\" have";
    let env = "warning[missing-variable] No value for the required variable \"env\"";
    let image = "warning[missing-variable] No value for the required variable \"image\"";
    let unused = "An ignore block of missing-variable has no effect";
    let cases: &[(String, &[&str])] = &[
        (String::new(), &[whole]),
        (ignore("\"image\""), &[env]),
        (ignore("\"image\"") + &ignore("\"env\""), &[]),
        (ignore("[\"image\", \"env\"]"), &[]),
        (ignore("\"i*\""), &[env]),
        (ignore("\"*\""), &[]),
        (ignore("\"other\""), &[whole, unused]),
        (ignore("\"image\"") + &ignore("\"size\""), &[env, unused]),
        ("ignore \"missing-variable\" {\n  reason = \"r\"\n}\n".to_owned(), &[]),
        (
            "ignore \"missing-variable\" {\n  reason = \"r\"\n  variable = \"env\"\n  paths = [\"prod.*\"]\n}\n".to_owned(),
            &[whole, unused],
        ),
        (level("\"env\"", "off"), &[image]),
        (level("\"env\"", "error"), &["error[missing-variable] No value for the required variable \"env\"", image]),
        (level("\"*\"", "note"), &[]),
    ];
    for (configuration, expected) in cases {
        let system =
            configured(&[("main.tf", MODULE), ("dev.tfvars", "size = 1\n")], configuration);
        let (_, text) = check(&system, "");
        assert_eq!(text.lines().count(), expected.len(), "{configuration}: {text}");
        for it in *expected {
            assert!(text.contains(it), "{configuration}: {it}: {text}");
        }
    }
}

#[test]
fn a_baseline_lists_what_is_left_of_a_finding() {
    let ignore = "ignore \"missing-variable\" {\n  reason = \"r\"\n  variable = \"image\"\n}\n";
    let files = [("main.tf", MODULE), ("dev.tfvars", "size = 1\n")];
    let system = configured(&files, &format!("{ignore}baseline = \"known.jsonl\"\n"));
    check(&system, "--write-baseline known.jsonl");
    assert_eq!(check(&system, ""), (0, String::new()));
}

const PATTERN: &str = "input \"dev\" {\n  module = \"app\"\n  each = \"envs/*.tfvars\"\n  given = [\"env\", \"image\"]\n}\n";

#[test]
fn each_match_of_a_pattern_is_a_set() {
    let files = [
        ("app/main.tf", MODULE),
        ("envs/dev.tfvars", "size = 20\n"),
        ("envs/prod.tfvars", "size = \"x\"\n"),
        ("envs/README.md", "# Not values.\n"),
    ];
    let (_, text) = check(&configured(&files, PATTERN), "");
    let expected = [
        "envs/dev.tfvars:1:8: error[failed-validation]",
        "envs/prod.tfvars:1:8: error[type-mismatch]",
    ];
    assert_eq!(places(&text), expected, "{text}");
    // A pattern of all files takes the values files.
    let (_, text) = check(&configured(&files, &PATTERN.replace("*.tfvars", "*")), "");
    assert_eq!(places(&text), expected, "{text}");
    // A new environment is judged without a change of the configuration.
    let system = configured(&files, PATTERN).file("envs/new.tfvars", "size = 30\n");
    let (_, text) = check(&system, "");
    assert!(text.contains("envs/new.tfvars:1:8: error[failed-validation]"), "{text}");
    // A file on the command line leads to its module.
    let (_, text) = check(&system, "envs/new.tfvars");
    assert!(text.contains("envs/new.tfvars:1:8: error[failed-validation]"), "{text}");
}

#[test]
fn shared_files_come_below_each_match() {
    let files = [
        ("app/main.tf", MODULE),
        ("envs/base.tfvars", "env = \"dev\"\n"),
        ("envs/a.tfvars", "image = \"a\"\n"),
        ("envs/b.tfvars", "size = 1\n"),
    ];
    let base = "input \"all\" {\n  module = \"app\"\n  files = [\"envs/base.tfvars\"]\n  each = \"envs/*.tfvars\"\n}\n";
    let (_, text) = check(&configured(&files, base), "");
    // The shared file is not a set of its own.
    assert_eq!(places(&text), ["envs/b.tfvars:1:1: error[missing-variable]"], "{text}");
    assert!(text.contains("\"image\""), "{text}");
    // A block that says how a file is used takes it out of every pattern for the module.
    let exception =
        "input \"b\" {\n  module = \"app\"\n  files = [\"envs/b.tfvars\"]\n  partial = true\n}\n";
    let (code, text) = check(&configured(&files, &format!("{base}{exception}")), "");
    assert_eq!((code, text.as_str()), (0, ""));
}

#[test]
fn a_file_that_two_patterns_match_is_judged_by_both() {
    let files = [("app/main.tf", MODULE), ("envs/dev.tfvars", "size = 20\n")];
    let second = PATTERN.replace("\"dev\"", "\"second\"").replace("envs/*", "envs/d*");
    let (_, text) = check(&configured(&files, &format!("{PATTERN}{second}")), "");
    assert_eq!(
        places(&text),
        ["envs/dev.tfvars:1:8: error[failed-validation]"],
        "told once: {text}"
    );
    let without = second.replace("given = [\"env\", \"image\"]", "given = [\"env\"]");
    let (_, text) = check(&configured(&files, &format!("{PATTERN}{without}")), "");
    assert!(text.contains("error[missing-variable]"), "{text}");
}

#[test]
fn one_set_is_for_several_modules() {
    let files = [
        ("components/a/main.tf", MODULE),
        ("components/b/main.tf", MODULE),
        ("components/b/deep/main.tf", MODULE),
        ("components/none/main.tf", "locals {\n  a = 1\n}\n"),
        ("envs/dev.tfvars", "size = 20\n"),
    ];
    let text = PATTERN.replace("module = \"app\"", "modules = [\"components/*\"]");
    let system = configured(&files, &text);
    let (_, text) = check(&system, "");
    let found = "envs/dev.tfvars:1:8: error[failed-validation]";
    assert_eq!(places(&text), [found, found], "{text}");
    let (_, text) = check(&system, "components/a");
    assert_eq!(places(&text), [found], "{text}");
    let (_, text) = check(&system, "envs/dev.tfvars");
    assert_eq!(places(&text), [found, found], "{text}");
}

#[test]
fn a_value_of_a_shared_file_is_undeclared_if_no_module_declares_it() {
    let more = format!("{MODULE}variable \"zone\" {{\n  default = 1\n}}\n");
    let files = [
        ("components/a/main.tf", MODULE),
        ("components/b/main.tf", more.as_str()),
        ("envs/dev.tfvars", "zone = 2\nzoen = 3\n"),
    ];
    let text = PATTERN.replace("module = \"app\"", "modules = [\"components/*\"]");
    let system = configured(&files, &text);
    let (_, text) = check(&system, "");
    assert_eq!(places(&text), ["envs/dev.tfvars:2:1: warning[undeclared-variable]"], "{text}");
    // A run over one of them does not know the others.
    assert_eq!(check(&system, "components/a"), (0, String::new()));
}

/// Each row: the blocks, what the run says.
#[test]
fn what_matches_nothing_is_said() {
    let files = [("app/main.tf", MODULE), ("envs/dev.tfvars", "size = 1\n")];
    let with = |from: &str, to: &str| PATTERN.replace(from, to);
    let each = |to: &str| with("each = \"envs/*.tfvars\"", to);
    let cases = [
        (
            each("each = \"env/*.tfvars\""),
            "error[unreadable-input] The input \"dev\" matches no file",
        ),
        (
            each("each = [\"envs/*.tfvars\", \"envs/*.json\"]"),
            "warning[unreadable-input] \"envs/*.json\" in each of the input \"dev\" matches no file",
        ),
        (
            each("each = \"envs/*.tfvars\"\n  files = [\"envs/*.json\"]"),
            "warning[unreadable-input] \"envs/*.json\" in files of the input \"dev\" matches no file",
        ),
        (each("each = \"envs/gone.tfvars\""), "envs/gone.tfvars"),
        (
            with("module = \"app\"", "modules = [\"apps/*\"]"),
            "error[unreadable-input] \"apps/*\" in modules matches no module that is checked",
        ),
        (
            with("module = \"app\"", "modules = [\"app\", \"apps/*\"]"),
            "warning[unreadable-input] \"apps/*\" in modules matches no module that is checked",
        ),
    ];
    for (configuration, expected) in cases {
        let (_, text) = check(&configured(&files, &configuration), "");
        assert_eq!(text.matches(expected).count(), 1, "{configuration}: {text}");
    }
}

#[test]
fn wrong_settings_are_errors() {
    let files = [("app/main.tf", MODULE), ("envs/dev.tfvars", "size = 1\n")];
    let block = |inside: &str| format!("input \"x\" {{\n{inside}\n}}\n");
    let cases = [
        (block("module = \"app\""), "The block \"input\" needs \"files\""),
        (block("module = \"app\"\nmodules = [\"app\"]\nfiles = [\"a\"]"), "remove one"),
        (block("module = \"components/*\"\nfiles = [\"a\"]"), "write patterns in `modules`"),
        (block("modules = []\nfiles = [\"a\"]"), "at least one directory"),
        (
            block("modules = [\"../*\"]\nfiles = [\"a\"]"),
            "a path inside the directory of the configuration",
        ),
        (block("each = \"/etc/*\""), "a relative path is expected"),
        (block("each = \".git/*\""), "a path inside .git is not allowed"),
        (block("each = \"a[\""), "is not a valid pattern"),
        (block("each = 1\nfiles = [\"a\"]\ngiven = [\"a b\"]"), "is not the name of a variable"),
        ("given = [\"\"]\n".to_owned(), "is not the name of a variable"),
        ("given = { a = 1 }\n".to_owned(), "Unsuitable value for \"given\""),
    ];
    for (configuration, expected) in cases {
        let (code, text) = check(&configured(&files, &configuration), "");
        assert_eq!((code, text.contains(expected)), (2, true), "{configuration}: {text}");
    }
}

#[test]
fn files_that_no_block_names_are_counted() {
    let files = [
        ("app/main.tf", MODULE),
        ("app/own.tfvars", "size = []\n"),
        ("envs/dev.tfvars", "env = \"dev\"\nimage = \"x\"\n"),
    ];
    let (code, text) = check(&configured(&files, PATTERN), "--format human -v");
    assert_eq!((code, text.contains("app/own.tfvars")), (0, true), "{text}");
    assert!(text.contains("no `input` block of its module lists it"), "{text}");
}

#[test]
fn automatic_files_that_lack_a_value_are_a_warning() {
    let files = [("main.tf", MODULE), ("terraform.tfvars", "size = 1\n")];
    let (code, text) = check(&configured(&files, ""), "");
    assert_eq!(
        (code, places(&text)),
        (0, vec!["terraform.tfvars:1:1: warning[missing-variable]".to_owned()])
    );
    // A file on top of them gives the rest.
    let files = [files[0], files[1], ("dev.tfvars", "env = \"dev\"\nimage = \"x\"\n")];
    assert_eq!(check(&configured(&files, ""), ""), (0, String::new()), "{text}");
}
