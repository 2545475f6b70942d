//! Random modules with inputs from every source, ours against a real Terraform: verdict, variables,
//! rules.
//!
//! A short round runs whenever there is a Terraform. A long one: `TERRASCHEMA_GENERATED=3000 cargo
//! test --test outside verdict::generated`, with `TERRASCHEMA_SEED` for the same or another one.

mod layers;
mod module;

use std::{env, fs, path::Path};

use ::module::{self as model, inputs::InputRequest};
use diagnostics::Verdict;
use release::Release;
use serde_json::{Map, Value as Json};
use system::OsSystem;
use testkit::{
    missing::{MissingProgram, trials},
    random::Random,
    verdict::system::TestSystem,
};
use tf_eval::Meter;
use verdict::{JudgeSetting, Judgement, Loaded, plan};

use self::layers::Given;
use super::differential::{Generator, OVERRIDES, Outcome, Reduced, Terraform, blame};

trials![random_modules_are_judged_alike,];

const SHORT_ROUND: usize = 60;
/// Runs of a module that loads.
const PER_MODULE: usize = 4;

#[derive(Default)]
struct Tally {
    verdicts: usize,
    accepted: usize,
    failed_rules: usize,
    differences: Vec<String>,
}

fn random_modules_are_judged_alike() -> Result<(), MissingProgram> {
    let terraform = Terraform::asked().ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_GENERATED").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1) as u64;
    let mut tally = Tally::default();
    for module in 0.. {
        if tally.verdicts >= size {
            break;
        }
        compare(&terraform, seed * 1_000_003 + module, &mut tally);
    }
    let Tally { verdicts, accepted, failed_rules, differences } = tally;
    let percent = |part: usize| part * 100 / verdicts;
    eprintln!(
        "{verdicts} verdicts, seed {seed}: {} % accepted, {} % failing a rule, {} differ",
        percent(accepted),
        percent(failed_rules),
        differences.len()
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(percent(accepted) >= 30 && percent(failed_rules) >= 20);
    Ok(())
}

fn compare(terraform: &Terraform, seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let (text, overrides) = module::module(&mut random);
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().canonicalize().unwrap();
    if let Some(overrides) = &overrides {
        fs::write(dir.join(OVERRIDES), overrides).unwrap();
    }
    let all = format!("{text}# override.tf\n{}", overrides.unwrap_or_default());
    let runs: Vec<Given> = match Reduced::new(&dir, &text, terraform.release) {
        Some(reduced) => {
            let inputs = Generator::new(&reduced, &text, seed).inputs(PER_MODULE);
            let values = inputs.iter().map(|it| serde_json::from_str(it).unwrap());
            let values: Vec<Map<String, Json>> = values.collect();
            values.iter().map(|it| layers::spread(it, &reduced.module, &mut random)).collect()
        }
        // One that does not load is refused whatever it is given.
        None => vec![Given::default()],
    };
    if runs.len() < PER_MODULE && random.chance(95) {
        return;
    }
    for given in runs {
        for (name, text) in &given.files {
            fs::write(dir.join(name), text).unwrap();
        }
        let theirs = terraform.plan(&dir, &given.args, &given.env);
        let ours = judge(&dir, &given, terraform.release);
        tally.verdicts += 1;
        tally.accepted += usize::from(theirs.accepted);
        let is_rule = |it: &String| it.starts_with("Invalid value for variable");
        tally.failed_rules += usize::from(theirs.said.iter().any(is_rule));
        if let Some(difference) = difference(&ours, &theirs) {
            tally.differences.push(format!("seed {seed}\n{all}\n{given:#?}\n{difference}\n"));
        }
        for name in given.files.keys() {
            fs::remove_file(dir.join(name)).unwrap();
        }
    }
}

fn judge(dir: &Path, given: &Given, release: Release) -> Judgement {
    let system = TestSystem::at(dir).with_env(&given.env);
    let options = model::LoadOptions { release, ..model::LoadOptions::default() };
    let (module, loading) = model::load(&OsSystem, dir, &options).unwrap();
    let request = InputRequest {
        dir: dir.to_owned(),
        environment: true,
        auto_files: true,
        arguments: given.arguments.clone(),
    };
    let meter = Meter::default();
    let setting = JudgeSetting::new(&system, dir, release, &meter);
    plan(&mut Loaded::new(module), loading, &request, setting)
}

fn difference(ours: &Judgement, theirs: &Outcome) -> Option<String> {
    let accepted = ours.verdict == Verdict::Accept;
    let blamed = blame(&ours.diagnostics);
    if ours.verdict != Verdict::Undecided && accepted == theirs.accepted && blamed == theirs.blame {
        return None;
    }
    let errors = ours.diagnostics.iter().filter(|it| it.is_error());
    let told: Vec<String> = errors.map(|it| format!("{}: {}", it.rule, it.message())).collect();
    let (verdict, blame, said) = (ours.verdict, &theirs.blame, &theirs.said);
    Some(format!(
        "{verdict:?} {blamed:?} {told:#?}\nTerraform: {} {blame:?} {said:#?}",
        theirs.accepted
    ))
}
