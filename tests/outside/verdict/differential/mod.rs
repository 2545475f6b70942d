//! Random inputs of reduced modules, ours against a real Terraform: verdict, variables, rules.
//!
//! A short round over the recorded modules runs whenever there is a Terraform. A long one:
//! `TERRASCHEMA_VERDICTS=20000 TERRASCHEMA_MODULES=DIR cargo test --test outside
//! verdict::differential`, with `TERRASCHEMA_SEED` for the same or another one
//! and `ORACLE_TERRAFORM` for another release.
//! Every disagreement ever found is a case in `tests/data/verdicts`.

mod candidates;
mod inputs;
mod ours;
mod reduce;
mod sample;
mod terraform;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use diagnostics::Verdict;
use testkit::{
    missing::{MissingProgram, trials},
    unpacked::unpacked,
};

pub use self::{
    inputs::Generator,
    ours::{Reduced, blame},
    terraform::{OVERRIDES, Outcome, Terraform},
};

trials![random_inputs_are_judged_alike,];

const SHORT_ROUND: usize = 300;
/// Verdicts of one module in a round.
const PER_MODULE: usize = 10;

#[derive(Default)]
struct Tally {
    verdicts: usize,
    accepted: usize,
    failed_rules: usize,
    modules: usize,
    differences: Vec<String>,
}

fn random_inputs_are_judged_alike() -> Result<(), MissingProgram> {
    let terraform = Terraform::asked().ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_VERDICTS").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let release = terraform.release;
    eprintln!("{release}: {size} verdicts, seed {seed} (TERRASCHEMA_VERDICTS, TERRASCHEMA_SEED)");
    let root = env::var_os("TERRASCHEMA_MODULES").map(PathBuf::from);
    let root = root.unwrap_or_else(|| unpacked("oracle/cases"));
    let texts = reduced_modules(&root);
    assert!(!texts.is_empty(), "no modules in {}", root.display());

    let mut tally = Tally::default();
    let mut at = seed;
    while tally.verdicts < size && at < seed + 40 * texts.len() {
        // A step that is prime spreads a short round over the whole directory.
        let (path, text) = &texts[at * 7919 % texts.len()];
        compare(&terraform, path, text, at as u64, &mut tally);
        at += 1;
    }
    let percent = |part: usize| part * 100 / tally.verdicts.max(1);
    eprintln!(
        "{} verdicts on {} modules of {}: {} % accepted, {} % failing a rule, {} differ",
        tally.verdicts,
        tally.modules,
        texts.len(),
        percent(tally.accepted),
        percent(tally.failed_rules),
        tally.differences.len(),
    );
    assert!(tally.differences.is_empty(), "{}", tally.differences.join("\n"));
    assert!(tally.verdicts >= size, "only {} verdicts", tally.verdicts);
    assert!(percent(tally.accepted) >= 30 && percent(tally.failed_rules) >= 30);
    Ok(())
}

/// The reduced modules below a directory that have rules, with their paths, each text once.
fn reduced_modules(root: &Path) -> Vec<(PathBuf, String)> {
    let (mut found, mut pending) = (Vec::new(), vec![root.to_owned()]);
    let mut seen = std::collections::HashSet::new();
    while let Some(dir) = pending.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(&dir).unwrap().flatten().map(|it| it.path()).collect();
        entries.sort();
        pending.extend(entries.into_iter().filter(|it| it.is_dir() && !it.is_symlink()));
        let reduced = reduce::reduce(&dir).filter(|it| it.contains("validation"));
        found.extend(reduced.filter(|it| seen.insert(it.clone())).map(|it| (dir, it)));
    }
    found.sort();
    found
}

fn compare(terraform: &Terraform, path: &Path, text: &str, seed: u64, tally: &mut Tally) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().canonicalize().unwrap();
    let Some(reduced) = Reduced::new(&dir, text, terraform.release) else { return };
    let inputs = Generator::new(&reduced, text, seed).inputs(PER_MODULE);
    let outcomes = terraform.judge(&dir, &inputs);
    tally.modules += 1;
    for (input, theirs) in inputs.iter().zip(outcomes) {
        let Some(theirs) = theirs else { continue };
        tally.verdicts += 1;
        tally.accepted += usize::from(theirs.accepted);
        tally.failed_rules +=
            usize::from(theirs.said.iter().any(|it| it.starts_with("Invalid value for variable")));
        if let Some(difference) = difference(&reduced, input, &theirs) {
            tally.differences.push(format!("{}\n  {input}\n  {difference}", path.display()));
        }
    }
}

fn difference(reduced: &Reduced, input: &str, theirs: &Outcome) -> Option<String> {
    let ours = reduced.judge(input);
    let accepted = ours.verdict == Verdict::Accept;
    let blamed = blame(&ours.diagnostics);
    if ours.verdict != Verdict::Undecided && accepted == theirs.accepted && blamed == theirs.blame {
        return None;
    }
    let told: Vec<String> = ours
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| format!("{}: {}", it.rule, it.message()))
        .collect();
    let (verdict, accept) = (ours.verdict, theirs.accepted);
    Some(format!(
        "{verdict:?} {blamed:?} {told:?}\n  Terraform: {accept} {:?} {:?}",
        theirs.blame, theirs.said
    ))
}
