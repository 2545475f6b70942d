//! The questions of `cargo xtask ask`: the page lists them, and each asks a test that there is.
#![allow(clippy::disallowed_methods)] // It reads the sources of the tests.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

use xtask::QUESTIONS;

const PAGE: &str = "docs/contributing/testing.md";
const FIRST: &str = "### Questions about schemas\n";
const AFTER: &str = "## Notes on the questions\n";

/// Variables that a developer sets for something else than a question.
const OTHERS: &[(&str, &str)] = &[
    ("TERRASCHEMA_SEED", "`--seed` of every question"),
    ("TERRASCHEMA_REQUIRE", "makes a missing program a failure"),
    ("TERRASCHEMA_TEST_RUST_HOOK", "a part of the suite that builds the crate again"),
    ("TERRASCHEMA_VALUES", "a limit of the soundness test"),
    ("TERRASCHEMA_REASONS", "more output of the soundness test"),
    ("TERRASCHEMA_STEPS", "prints the steps of a test that failed"),
    ("TERRASCHEMA_SHOW", "prints what a random test made"),
    ("TERRASCHEMA_OPEN", "prints what stays undecided"),
    ("TERRASCHEMA_SECRET", "a value that no output may show"),
    ("TERRASCHEMA_EXPRESSIONS_DATA", "recordings of another place"),
    ("TERRASCHEMA_FUZZ_SEED", "the seed of the fuzz targets"),
];

#[test]
fn the_page_lists_every_question() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(FIRST).unwrap();
    let (_, after) = rest.split_once(AFTER).unwrap();
    let expected = format!("{before}{}{AFTER}{after}", xtask::page());
    if env::var_os("UPDATE").is_some() {
        fs::write(PAGE, &expected).unwrap();
    }
    let page = fs::read_to_string(PAGE).unwrap();
    assert!(page == expected, "UPDATE=1 cargo test --test it -- questions rewrites {PAGE}");
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = QUESTIONS.iter().map(|it| it.name).collect();
    assert_eq!(names.len(), QUESTIONS.len());
}

/// A filter that fits no test would ask nothing, and be green.
#[test]
fn a_question_to_this_target_asks_a_test() {
    let mut asked = 0;
    for question in QUESTIONS {
        let Some((_, rest)) = question.script.split_once("--test it ") else { continue };
        let filter = rest.split(' ').next().unwrap();
        let mut list = Command::new(env::current_exe().unwrap());
        let output = list.args(["--list", filter]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(": test\n"), "{}: no test has {filter:?} in its name", question.name);
        asked += 1;
    }
    assert!(asked >= 10, "only {asked} questions");
}

/// Every variable by which a test can be asked more belongs to a question.
#[test]
fn every_variable_of_the_tests_belongs_to_a_question() {
    let mut found = BTreeSet::new();
    variables(Path::new("tests"), &mut found);
    variables(Path::new("crates/testkit/src"), &mut found);
    for directory in fs::read_dir("crates").unwrap() {
        variables(&directory.unwrap().path().join("tests"), &mut found);
    }
    assert!(found.len() > 20, "{found:?}");
    for (name, _) in OTHERS {
        assert!(found.remove(*name), "no test reads {name}");
    }
    found.retain(|it| !QUESTIONS.iter().any(|question| question.script.contains(it.as_str())));
    assert_eq!(found, BTreeSet::new(), "no question sets these");
}

fn variables(directory: &Path, found: &mut BTreeSet<String>) {
    const PREFIX: &str = "\"TERRASCHEMA_";
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            variables(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("questions.rs") {
            let text = fs::read_to_string(&path).unwrap();
            for part in text.split(PREFIX).skip(1) {
                let name: String =
                    part.chars().take_while(|it| *it == '_' || it.is_ascii_uppercase()).collect();
                found.insert(format!("TERRASCHEMA_{name}"));
            }
        }
    }
}
