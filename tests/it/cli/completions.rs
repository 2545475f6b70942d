//! What shells get, and the man pages.
#![allow(clippy::disallowed_methods)] // It asks real shells.

use std::process::Command;

use diagnostics::LINTS;
use report::Format;
use testkit::workspace::Workspace;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn shells_know_formats_rules_and_levels() {
    let it = Workspace::new();
    for shell in ["bash", "fish", "zsh"] {
        let script = it.terraschema(&format!("completions {shell}")).stdout;
        let words = Format::ALL.iter().map(|it| it.0).chain(LINTS.iter().map(|it| it.id));
        for word in words.chain(["warning", "draft-07", "basic", "always"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    for shell in SHELLS {
        assert!(it.terraschema(&format!("completions {shell}")).stdout.contains("write-baseline"));
    }
}

/// What bash offers for the last of some words.
fn offered(it: &Workspace, words: &[&str]) -> Vec<String> {
    let script = r#"source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"
        COMP_POINT=${#COMP_LINE}; _terraschema terraschema "${@: -1}" "${@: -2:1}"; printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", script, "bash"]).args(words).current_dir(it.path(""));
    let output = String::from_utf8(bash.output().unwrap().stdout).unwrap();
    output.lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_words_and_files() {
    let it = Workspace::new();
    it.write("script", it.terraschema("completions bash").stdout);
    it.write("prod.tfvars", "").write("report-1.json", "");
    let formats: Vec<&str> = Format::ALL.iter().map(|it| it.0).collect();
    assert_eq!(offered(&it, &["terraschema", "check", "--format", ""]), formats);
    assert_eq!(offered(&it, &["terraschema", "check", "--format", "sa"]), ["sarif"]);
    assert_eq!(offered(&it, &["terraschema", "merge", "--fail-on", "w"]), ["warning"]);
    let rules = offered(&it, &["terraschema", "explain", "un"]);
    let expected: Vec<&str> =
        LINTS.iter().map(|it| it.id).filter(|it| it.starts_with("un")).collect();
    assert_eq!(rules, expected);
    for (words, file) in [
        (["check", "--config", "pro"], "prod.tfvars"),
        (["check", "--write-baseline", "repo"], "report-1.json"),
        (["validate", "--var-file", "prod"], "prod.tfvars"),
    ] {
        let words = [&["terraschema"], &words[..]].concat();
        assert_eq!(offered(&it, &words), [file], "{words:?}");
    }
}

#[test]
fn each_command_has_a_man_page_of_its_own() {
    let it = Workspace::new();
    let page = it.terraschema("man check");
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains(".TH TERRASCHEMA-CHECK 1"), "{}", page.stdout);
    assert!(page.stdout.contains("terraschema\\-check \\- Check the schemas"), "{}", page.stdout);
    assert!(page.stdout.contains("\\fBterraschema check\\fR"), "{}", page.stdout);
    assert!(page.stdout.contains("\\-\\-write\\-baseline"), "{}", page.stdout);
    let wrong = it.terraschema("man chek");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("unknown command; use"), "{}", wrong.stderr);
}
