//! pre-commit passes names of files behind a hook's options. No name is an option.
#![cfg(unix)]

use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt as _};

use system::MemorySystem;
use terraschema::Exit;
use testkit::workspace::{Answer, Workspace, binary, isolated};

use crate::cli::terraschema;

/// Names that pre-commit passes: they end as the hook's `files` say.
const NAMES: &[&str] = &[
    "--config=evil.tf",
    "--exit-zero.tf",
    "--fix.tf",
    "--fix-inputs.tfvars",
    "--output=human=x.tf",
    "--no-calls.tf",
    "--root=m.tf",
    "--write-baseline=x.tfvars",
    "--shard=1/2.tf",
    "-rf.tfvars",
    "-q.tf",
    "-.tf",
    "@file.tf",
    "$(touch x).tf",
    "`touch x`.tf",
    "a\nb.tf",
    "::error::x.tf",
    "'\".tf",
    "é -x.tf",
];

/// A module with a missing schema and a wrong value, and a file of this name, all committed.
fn repository(name: &OsString) -> Workspace {
    let it = Workspace::repository();
    it.write("m/main.tf", "variable \"x\" {\n  type = number\n}\n");
    it.write("m/terraform.tfvars", "x = \"a\"\n");
    let silent =
        "rule \"missing-schema\" {\n  level = \"off\"\n}\nmodules {\n  exclude = [\"**\"]\n}\n";
    it.write("evil.tf", silent);
    let path = it.path("").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    it.commit("x");
    it
}

fn hook(it: &Workspace, options: &[&str], names: &[OsString]) -> Answer {
    let mut command = isolated(binary(), &it.path(""));
    command.args(["check", "--hook", "--force-exclude"]).args(options).args(names);
    Answer::new(command.output().unwrap())
}

#[test]
fn behind_two_dashes_every_name_is_a_name() {
    for name in NAMES {
        let name = OsString::from(name);
        let it = repository(&name);
        let names = [name.clone(), "m/main.tf".into(), "m/terraform.tfvars".into()];
        let answer = hook(&it, &["--"], &names);
        assert_eq!(answer.code, 1, "{name:?}: {}", answer.text());
        for rule in ["error[missing-schema]", "error[type-mismatch]"] {
            assert!(answer.stdout.contains(rule), "{name:?}: {}", answer.text());
        }
        assert!(!it.path("m/schema.json").exists() && !it.path("x").exists(), "{name:?}");
    }
}

/// An older configuration, or one with `args` of its own, has no `--`.
#[test]
fn without_them_a_name_with_a_dash_is_an_error() {
    for name in NAMES.iter().filter(|it| it.starts_with('-')) {
        let name = OsString::from(name);
        let it = repository(&name);
        let before = [name.clone(), "m/main.tf".into(), "m/terraform.tfvars".into()];
        let behind = ["m/main.tf".into(), "m/terraform.tfvars".into(), name.clone()];
        for names in [&before, &behind] {
            let answer = hook(&it, &[], names);
            assert_eq!(answer.code, 2, "{name:?}: {}", answer.text());
            let told = "may be an option or a file name, so nothing was checked";
            assert!(answer.stderr.contains(told), "{name:?}: {}", answer.text());
            assert!(!it.path("m/schema.json").exists(), "{name:?}");
        }
    }
}

#[test]
fn names_that_are_no_text_are_no_options() {
    let name = OsString::from_vec(b"--config=\xff.tf".to_vec());
    let it = repository(&name);
    let answer = hook(&it, &[], &[name.clone(), "m/main.tf".into()]);
    assert_eq!(answer.code, 2, "{}", answer.text());
    let answer = hook(&it, &["--"], &[name, "m/main.tf".into()]);
    assert_eq!(answer.code, 1, "{}", answer.text());
}

/// A link that leads to nothing is a name, too.
#[test]
fn a_link_to_nothing_is_a_name() {
    let it = repository(&"main.tf".into());
    std::os::unix::fs::symlink("nowhere", it.path("--exit-zero")).unwrap();
    it.commit("y");
    let answer = hook(&it, &["--exit-zero"], &["m/main.tf".into()]);
    assert_eq!(answer.code, 2, "{}", answer.text());
}

#[test]
fn options_of_a_user_stay_options() {
    let it = repository(&"main.tf".into());
    let names: [OsString; 2] = ["m/main.tf".into(), "m/terraform.tfvars".into()];
    for options in [&["--exit-zero"][..], &["--exit-zero", "--"], &["--config=evil.tf", "--"]] {
        let answer = hook(&it, options, &names);
        assert_eq!(answer.code, 0, "{options:?}: {}", answer.text());
    }
    let answer = hook(&it, &["--", "--exit-zero"], &names);
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stderr.contains("write options before the \"--\""), "{}", answer.text());
}

/// A person who types names knows which ones they are.
#[test]
fn outside_of_hooks_nothing_changes() {
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", "variable \"x\" {}\n");
    let system = system.file("/m/--exit-zero", "");
    assert_eq!(terraschema(&system, "check --exit-zero").0, Exit::Clean);
}

/// Each hook that passes names says where they begin.
#[test]
fn every_hook_ends_its_options() {
    for file in
        [".pre-commit-hooks.yaml", "hooks/pre-commit-values.yaml", "hooks/pre-commit-schemas.yaml"]
    {
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut seen = 0;
        for (at, line) in lines.iter().enumerate().filter(|it| it.1.contains("check --hook")) {
            assert_eq!(lines[at + 1], "args: ['--']", "{file}: {line}");
            seen += 1;
        }
        assert!(seen > 0, "{file}");
    }
    let action = fs::read_to_string("hooks/action.sh").unwrap();
    assert!(action.contains("set -- \"$@\" --\nwhile"), "names come behind two dashes");
    for flag in ["--config \"", "--fail-on \"", "--base \""] {
        assert!(!action.contains(flag), "{flag}: a value that begins with a dash is an option");
    }
}
