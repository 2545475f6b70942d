//! Trees whose verdicts of a real Terraform are recorded (`tests/record-trees`).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use terraschema::diagnostic::Verdict;

use super::{
    answer::{Answer, Failed, Place, Places},
    judge,
};

/// Runs that differ, by the case and the run, with the reason. One that agrees after all fails the
/// test.
const DEVIATIONS: &[(&str, &str, &str)] = &[];

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
    /// Of the failed rule, where these can be told.
    module: Option<String>,
    variable: Option<String>,
    rule: Option<usize>,
}

#[test]
fn recorded_trees_are_judged_alike() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trees");
    let mut names: Vec<PathBuf> =
        fs::read_dir(&cases).into_iter().flatten().map(|it| it.unwrap().path()).collect();
    names.sort();
    let (mut runs, mut differing) = (0, BTreeMap::new());
    for dir in &names {
        let Ok(text) = fs::read_to_string(dir.join("expected.json")) else { continue };
        let case: Case = serde_json::from_str(&text).unwrap();
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        for run in &case.runs {
            runs += 1;
            let difference = difference(dir, run);
            differing.extend(difference.map(|it| ((name.clone(), run.name.clone()), it)));
        }
    }
    eprintln!("{runs} recorded runs, {} differ", differing.len());
    let agreeing: Vec<_> = DEVIATIONS
        .iter()
        .filter(|(case, run, _)| {
            differing.remove(&((*case).to_owned(), (*run).to_owned())).is_none()
        })
        .collect();
    let texts: Vec<String> = differing
        .into_iter()
        .map(|((case, run), difference)| format!("{case}/{run}: {difference}"))
        .collect();
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
