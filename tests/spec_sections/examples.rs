//! Every directory in `examples/` gives what `tests/spec/examples/` shows; `UPDATE=1` rewrites that.

use std::{fs, path::Path};

use diagnostics::{LINTS, lints::OF_COMPAT};
use libtest_mimic::{Failed, Trial};
use system::MemorySystem;
use testkit::transcript::transcript;

use crate::pages;

/// Rules without a case in `examples/broken`: they hide other rules, or need what a repository
/// cannot hold. Their pages have examples.
const NOT_SHOWN: &[&str] = &[
    "backtracking-pattern",
    "rule-never-holds",
    "stale-docs",
    "stale-example",
    "budget-exceeded",
    "deprecated-output",
    "deprecated-variable",
    "doubtful-policy",
    "expired-suppression",
    "failed-condition",
    "failed-evaluation",
    "foreign-schema",
    "incomplete-plan",
    "invalid-configuration",
    "invalid-count",
    "invalid-for-each",
    "invalid-module",
    "invalid-move",
    "missing-argument",
    "missing-module",
    "nothing-judged",
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

pub fn trials() -> Vec<Trial> {
    let entries = fs::read_dir("examples").unwrap().map(Result::unwrap);
    let directories = entries.filter(|it| it.path().is_dir());
    let names = directories.map(|it| it.file_name().into_string().unwrap());
    let trial = |name: String| Trial::test(page(&name), move || gives_what_is_written_down(&name));
    let shown = || shows_every_rule_that_it_can(&page("broken"));
    let shown = Trial::test(format!("{}: every rule that it can show", page("broken")), shown);
    names.map(trial).chain([shown]).collect()
}

fn page(name: &str) -> String {
    format!("examples/{name}.md")
}

fn gives_what_is_written_down(name: &str) -> Result<(), Failed> {
    let expected = pages::text(&page(name));
    let actual = replay(name, &expected);
    let Some(difference) = pages::difference(&expected, &actual) else { return Ok(()) };
    if !pages::is_update() {
        return Err(difference.into());
    }
    fs::write(pages::path(&page(name)), actual).unwrap();
    Ok(())
}

fn shows_every_rule_that_it_can(page: &str) -> Result<(), Failed> {
    let page = pages::text(page);
    for rule in LINTS {
        let is_shown = page.contains(&format!("[{}]", rule.id));
        // The example has one state.
        let can_be = !NOT_SHOWN.contains(&rule.id) && !OF_COMPAT.contains(rule);
        let id = rule.id;
        assert!(
            is_shown || !can_be,
            "show {id} in examples/broken, or list it in NOT_SHOWN ({})",
            file!()
        );
        assert!(
            can_be || !is_shown,
            "examples/broken shows {id}: take it out of NOT_SHOWN ({})",
            file!()
        );
    }
    Ok(())
}
