//! A test for each file and section of `tests/spec`, named as they are: `cargo test --test spec -- conditions/regex`.
//!
//! `UPDATE=1` rewrites what they expect. Where the recorded Terraform is on the path, it is asked the transcripts, too.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "a test may look at the disk, and may panic"
)]

mod compat;
mod compat_answers;
mod conditions;
mod console;
mod examples;
mod pages;
mod reports;
mod schemas;
mod transcripts;

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = [
        compat::trials(),
        compat_answers::trials(),
        conditions::trials(),
        schemas::trials(),
        examples::trials(),
        reports::trials(),
        transcripts::trials(),
        console::trials(),
        // The two that take longest run side by side.
        console::replays(),
        compat::replays(),
        transcripts::replays(&arguments),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert_complete(&trials);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// How many tests each directory has at least.
const LEAST: [(&str, usize); 8] = [
    ("compat", 160),
    ("conditions", 250),
    ("console", 5),
    ("examples", 5),
    ("expressions", 20),
    ("functions", 200),
    ("report", 11),
    ("schema", 30),
];

/// A walk that finds nothing passes no test: every file has its tests, and each test a name of its own.
fn assert_complete(trials: &[Trial]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for trial in trials {
        assert!(names.insert(trial.name()), "two tests are named {:?}", trial.name());
        *counts.entry(trial.name().split('/').next().unwrap()).or_default() += 1;
    }
    for (directory, least) in LEAST {
        let count = counts.remove(directory).unwrap_or_default();
        assert!(count >= least, "{directory}: only {count} tests, not {least}");
    }
    assert!(counts.is_empty(), "of no directory: {counts:?}");
    for name in pages::names("") {
        let is_named = |it: &&str| {
            it.strip_prefix(&*name).is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
        };
        assert!(names.iter().any(is_named), "tests/spec/{name} has no test");
    }
}
