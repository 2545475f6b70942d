//! Recorded verdicts of a real Terraform: ours are the same, down to the variables and rules that
//! are blamed, and to the values that an accepted variable has.
//!
//! `TERRASCHEMA_CASES_DATA=DIR` compares the cases of another directory of the same form instead of ours.

#![allow(clippy::disallowed_methods)] // Modules stand in files.

mod again;
mod arguments;
mod asked;
pub mod doubt;
mod imports;
mod json_syntax;
mod providers;
mod references;
mod removed;
mod said;
mod sources;
mod trees;
mod tree_release;
mod triggers;
mod working_directory;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use diagnostics::{Diagnostic, Verdict};
use module::inputs::{InputArgument, InputRequest};
use release::Release;
use testkit::{
    unpacked::unpacked,
    verdict::system::{TestSystem, arguments},
};
use tf_eval::Meter;
use tf_value::json;
use verdict::{JudgeSetting, Judgement, Loaded, plan};

use crate::oracle::{Case, Run, TypedValue, cases, cases_in};

/// Runs that differ, with the reason. One that agrees after all fails the test.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    ("json-number-from-string", "v18.tfvars.json", NEGATIVE_ZERO),
    ("json-set-number", "v04.tfvars.json", NEGATIVE_ZERO),
    ("jsyn-numbers", "minus0.tfvars.json", NEGATIVE_ZERO),
];

const NEGATIVE_ZERO: &str = "the record is of an applied plan, which turns a negative zero into 0";

#[test]
fn recorded_verdicts_agree() {
    let (compared, mut differing) = compare(&cases());
    assert!(compared > 1000, "only {compared} runs were found");
    for (case, run, _) in DEVIATIONS {
        let run = format!("{case}/{run}");
        assert!(differing.remove(&run).is_some(), "{run} agrees now");
    }
    assert_none(compared, &differing);
}

/// Cases of our own, most of them once a disagreement, or those of the given directory.
#[test]
fn other_recorded_verdicts_agree() {
    let given = std::env::var_os("TERRASCHEMA_CASES_DATA").map(PathBuf::from);
    let least = if given.is_some() { 0 } else { 50 };
    let root = given.unwrap_or_else(|| unpacked("verdicts"));
    let (compared, differing) = compare(&cases_in(&root));
    assert!(compared > least, "only {compared} runs below {}", root.display());
    assert_none(compared, &differing);
}

/// How many runs there are, and those that differ, as `CASE/RUN`, with the difference.
fn compare(cases: &[Case]) -> (usize, BTreeMap<String, String>) {
    let (mut compared, mut differing) = (0, BTreeMap::new());
    for case in cases {
        for run in &case.runs {
            compared += 1;
            let difference = difference(case, run);
            differing.extend(difference.map(|it| (format!("{}/{}", case.name, run.name), it)));
        }
    }
    (compared, differing)
}

fn assert_none(compared: usize, differing: &BTreeMap<String, String>) {
    let listed: Vec<String> =
        differing.iter().map(|(run, difference)| format!("{run}: {difference}")).collect();
    assert!(
        differing.is_empty(),
        "{} of {compared} runs differ:\n{}",
        differing.len(),
        listed.join("\n")
    );
}

type Blame = BTreeSet<(Option<String>, Option<usize>)>;

fn difference(case: &Case, run: &Run) -> Option<String> {
    let judgement = judge(case, run);
    let verdict = match judgement.verdict {
        Verdict::Accept => "accept",
        Verdict::Reject => "reject",
        Verdict::Undecided => "undecided",
    };
    let errors: Vec<&Diagnostic> =
        judgement.diagnostics.iter().filter(|it| it.is_error()).collect();
    let ours: Blame = errors
        .iter()
        .map(|it| (it.variable.as_ref().map(ToString::to_string), it.validation))
        .collect();
    let theirs: Blame =
        run.expected.errors.iter().map(|it| (it.variable.clone(), it.rule)).collect();
    if verdict == run.expected.verdict && ours == theirs {
        return run.expected.values.as_ref().and_then(|it| other_value(it, &judgement));
    }
    let told: Vec<String> =
        errors.iter().map(|it| format!("{}: {}", it.rule, it.message())).collect();
    let wanted: Vec<String> =
        run.expected.errors.iter().map(|it| format!("{}: {}", it.summary, it.detail)).collect();
    Some(format!(
        "{verdict} {ours:?} {told:?}\n    Terraform: {} {theirs:?} {wanted:?}",
        run.expected.verdict
    ))
}

/// A variable whose value or type is not the recorded one.
fn other_value(recorded: &BTreeMap<String, TypedValue>, judgement: &Judgement) -> Option<String> {
    recorded.iter().find_map(|(name, expected)| {
        let ours = judgement.values.get(name.as_str());
        let text = |it| json::value_to_json(it).ok().map(|it| unescaped(&it));
        let ours = ours.map(|it| (json::type_to_json(it.ty()), text(it)));
        let theirs = (expected.ty.clone(), Some(expected.value.clone()));
        (ours.as_ref() != Some(&theirs)).then(|| format!("var.{name} is {ours:?}, not {theirs:?}"))
    })
}

fn judge(case: &Case, run: &Run) -> Judgement {
    let system = TestSystem::at(&case.dir).with_env(&run.env);
    let release = Release::V1_11;
    let options = module::LoadOptions { release, ..module::LoadOptions::default() };
    let (module, loading) = module::load(&system, &case.dir, &options).unwrap();
    let files = run.var_files.iter().map(|it| InputArgument::File(PathBuf::from(it)));
    let request = InputRequest {
        dir: case.dir.clone(),
        environment: true,
        auto_files: true,
        arguments: files.chain(arguments(&run.args)).collect(),
    };
    let meter = Meter::default();
    let setting = JudgeSetting::new(&system, &case.dir, release, &meter);
    plan(&mut Loaded::new(module), loading, &request, setting)
}

/// The records hold plain characters where Terraform writes them escaped for a browser.
pub fn unescaped(json: &str) -> String {
    json.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\u0026", "&")
}
