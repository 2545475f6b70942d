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

// What this target has in common with `it` and `outside`; each of them uses a part.
#[allow(dead_code)]
#[path = "../it/eval"]
mod eval {
    pub mod json;
    pub mod ours;
    #[path = "../../outside/eval/terraform.rs"]
    pub mod terraform;
    pub mod transcripts;
}
#[allow(dead_code)]
#[path = "../it/compat/ours.rs"]
mod ours;
#[allow(dead_code)]
#[path = "../it/report"]
mod report {
    pub mod sample;
}
#[allow(dead_code)]
#[path = "../it/schema"]
mod schema {
    pub mod modules;
    #[path = "../../outside/validator.rs"]
    pub mod validator;
}

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use libtest_mimic::{Arguments, Trial};
use testkit::{missing, program, transcript};

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
