//! Trees whose verdicts of a real Terraform are recorded (`tests/record-trees`).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use diagnostics::Verdict;
use serde::Deserialize;
use testkit::{
    unpacked::unpacked,
    verdict::{
        answer::{Answer, Failed, Place, Places},
        trees::judge,
    },
};

/// Runs that differ, as `CASE/RUN`, by the reason. One that agrees after all fails the test.
const DEVIATIONS: &[(&str, &[&str])] = &[
    (
        "It hangs on what a resource or data source says: a first plan does not know it, a later one does.",
        &[
            "call-argument-from-unknown-try/no arguments",
            "call-depends-on-data/no arguments",
            "call-for-each-unknown-keys/no arguments",
            "call-module-unknown-output/no arguments",
            "call-unknown-decides-part/no arguments",
            "call-unknown-with-rule/no arguments",
            "count-unknown/no arguments",
            "count-unknown-number/no arguments",
            "for-each-resource-unknown/no arguments",
            "for-each-set-unknown-element/no arguments",
            "for-each-unknown-key/no arguments",
            "import-unknown/no arguments",
            "output-precondition-unknown/no arguments",
            "own-trigger-data-later/no arguments",
            "own-trigger-of-data-terraform-remote-state-d/no arguments",
            "postcondition-unknown/no arguments",
            "precondition-module-unknown/no arguments",
            "precondition-unknown-and-false/no arguments",
            "precondition-unknown-and-false/q=2",
            "rule-reads-resource/no arguments",
            "tree-condition-unknown-in-instance/b=good",
            "tree-count-from-unknown-output/no arguments",
        ],
    ),
    (
        "What is not installed is not judged, and said to be so.",
        &[
            "manifest-directory-missing/no arguments",
            "manifest-missing/no arguments",
            "manifest-not-json/no arguments",
            "manifest-source-changed/no arguments",
            "manifest-version-changed/no arguments",
        ],
    ),
    (
        "`terraform test` is not what is judged.",
        &["test-file-broken-in-root/no arguments", "test-file-calls-missing-module/no arguments"],
    ),
];

#[derive(Deserialize)]
struct Case {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    name: String,
    args: Vec<String>,
    /// The root module's directory in the case.
    #[serde(default)]
    dir: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    verdict: String,
    errors: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    summary: String,
    detail: String,
    at: Option<String>,
    /// These belong to the failed rule, where they are known.
    module: Option<String>,
    variable: Option<String>,
    rule: Option<usize>,
}

#[test]
fn recorded_trees_are_judged_alike() {
    // The second directory has what only 1.11.4 was asked about, so that it says nothing of other releases.
    let directories = ["trees", "trees-1.11"].map(|it| fs::read_dir(unpacked(it)).unwrap());
    let mut names: Vec<PathBuf> =
        directories.into_iter().flatten().map(|it| it.unwrap().path()).collect();
    names.sort();
    let (mut runs, mut differing) = (0, BTreeMap::new());
    for dir in &names {
        let Ok(text) = fs::read_to_string(dir.join("expected.json")) else { continue };
        let case: Case = serde_json::from_str(&text).unwrap();
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        for run in &case.runs {
            runs += 1;
            let difference = difference(dir, run);
            differing.extend(difference.map(|it| (format!("{name}/{}", run.name), it)));
        }
    }
    eprintln!("{runs} recorded runs, {} differ", differing.len());
    let known = DEVIATIONS.iter().flat_map(|it| it.1);
    let agreeing: Vec<_> = known.filter(|it| differing.remove(**it).is_none()).collect();
    let differing = differing.iter();
    let texts: Vec<String> = differing.map(|(run, it)| format!("{run}: {it}")).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
    assert!(agreeing.is_empty(), "these agree now: {agreeing:#?}");
    assert!(runs >= 300, "only {runs} runs were found");
}

fn difference(case: &Path, run: &Run) -> Option<String> {
    let root = if run.dir.is_empty() { case.to_owned() } else { case.join(&run.dir) };
    let told = run.errors.iter().map(|it| {
        let place = it.at.as_deref().and_then(Place::parse);
        (it.summary.clone(), it.detail.clone(), place)
    });
    let mut theirs = Answer::told(run.verdict == "accept", told, &Places::of(case, &run.dir));
    let rules = run.errors.iter().filter(|it| it.detail.contains("checked by the validation rule"));
    theirs.failed.extend(rules.filter_map(|it| {
        let addresses = it.module.iter().cloned().collect();
        Some(Failed { addresses, variable: it.variable.clone()?, rule: it.rule })
    }));
    // Terraform reads these before its other arguments.
    let variables = ["TF_CLI_ARGS", "TF_CLI_ARGS_plan"];
    let given = variables.iter().filter_map(|it| run.env.get(*it));
    let given = given.flat_map(|it| it.split_whitespace()).map(str::to_owned);
    let args: Vec<String> = given.chain(run.args.iter().cloned()).collect();
    let ours = judge(case, &root, &args, &run.env);
    if ours.verdict == Verdict::Undecided {
        return Some(format!("undecided, not {}: {:#?}", run.verdict, ours.said));
    }
    let difference = ours.differs(&theirs)?;
    Some(format!("{difference}\n  ours: {:#?}\n  Terraform: {:#?}", ours.said, theirs.said))
}
