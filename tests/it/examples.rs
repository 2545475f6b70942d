//! Every directory in `examples/` gives what `tests/spec/examples/` shows; `UPDATE=1` rewrites that.
#![allow(clippy::disallowed_methods)] // It reads the examples behind the layers' backs.

use std::{fs, path::Path};

use terraschema::{diagnostic::RULES, system::MemorySystem};

use crate::transcript::transcript;

/// Rules of which `examples/broken` has no case: they hide others, or need what a repository cannot
/// hold. Their pages have examples.
const NOT_SHOWN: &[&str] = &[
    "backtracking-pattern",
    "rule-never-holds",
    "budget-exceeded",
    "failed-condition",
    "failed-evaluation",
    "foreign-schema",
    "invalid-configuration",
    "invalid-count",
    "invalid-for-each",
    "invalid-module",
    "invalid-move",
    "missing-argument",
    "missing-module",
    "orphan-input",
    "outside-root",
    "undeclared-output",
    "undeclared-reference",
    "unreadable-file",
    "unreadable-input",
    "unsupported-argument",
    "unsupported-version",
];

/// What the page of an example shows today.
fn replay(name: &str, page: &str) -> String {
    let mut system = MemorySystem::new().working_in("/example");
    for file in files(Path::new("examples").join(name).as_path()) {
        let inside = file.strip_prefix(Path::new("examples").join(name)).unwrap();
        system = system.file(Path::new("/example").join(inside), fs::read(&file).unwrap());
    }
    let mut out = String::new();
    let mut is_console = false;
    for line in page.lines() {
        match line {
            "```console" => is_console = true,
            "```" => is_console = false,
            _ if line.starts_with("$ ") && is_console => {
                out += &transcript(line, &system);
                continue;
            }
            _ if is_console => continue,
            _ => (),
        }
        out += &format!("{line}\n");
    }
    out
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn page(name: &str) -> String {
    format!("tests/spec/examples/{name}.md")
}

#[test]
fn examples_give_what_is_written_down() {
    let update = std::env::var_os("UPDATE").is_some();
    for entry in fs::read_dir("examples").unwrap() {
        let entry = entry.unwrap();
        if !entry.path().is_dir() {
            continue;
        }
        let name = entry.file_name().into_string().unwrap();
        let expected =
            fs::read_to_string(page(&name)).unwrap_or_else(|_| panic!("no {}", page(&name)));
        let actual = replay(&name, &expected);
        if update && actual != expected {
            fs::write(page(&name), &actual).unwrap();
        } else {
            assert_eq!(actual, expected, "UPDATE=1 rewrites {}", page(&name));
        }
    }
}

#[test]
fn the_broken_example_shows_every_rule_that_it_can() {
    let page = fs::read_to_string(page("broken")).unwrap();
    for rule in RULES {
        let is_shown = page.contains(&format!("[{}]", rule.id));
        assert_eq!(is_shown, !NOT_SHOWN.contains(&rule.id), "{}", rule.id);
    }
}
