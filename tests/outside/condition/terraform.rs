//! Random conditions over random values, each tried in a real Terraform: the schema refuses nothing that Terraform
//! accepts, and an exact schema accepts nothing that Terraform refuses.
//!
//! A third of the schemas are of the draft 2020-12, half have `--nullable-all`.
//!
//! Two hundred variables are in one module, each with the condition and one value, so that one plan judges them all.
//! `TERRASCHEMA_CONDITIONS` is how many conditions are made (60), `TERRASCHEMA_SEED` makes other ones,
//! `ORACLE_TERRAFORM` names another release.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use projection::{condition::Fidelity, schema::Draft};
use rayon::prelude::*;
use release::Release;
use serde_json::Value as Json;
use testkit::{
    condition::{
        evidence::{Subject, has_exponent_of, has_long_exponent},
        random::{PROVIDERS, number, written},
    },
    eval::is_judged,
    missing::{MissingProgram, trials},
    modules::module_of,
    program::Program,
};
use tf_eval::functions;

trials![terraform_takes_what_schemas_of_random_conditions_take,];

/// How many variables are in one module.
const BATCH: usize = 200;

/// How many values of each condition are asked.
const VALUES: usize = 20;

/// Digits of an exponent with which Terraform compares a number for minutes: `4e-4044490`.
const SLOW: usize = 6;

/// Fails in every plan that comes to the rules of variables.
const CANARY: &str = "variable \"canary\" {\n  default = 1\n  validation {\n    condition     = var.canary == 2\n    error_message = \"No.\"\n  }\n}\n";

/// A condition, and what the schema says about some inputs.
struct Case {
    text: String,
    fidelity: Fidelity,
    /// Inputs, and whether the schema takes them.
    values: Vec<(Json, bool)>,
}

impl Case {
    fn new(text: String, release: Release, seed: u64) -> Case {
        let version = release.version();
        let pinned =
            format!("terraform {{\n  required_version = \"{version}\"\n}}\n{PROVIDERS}{text}");
        let module = module_of(&pinned, release);
        let mut subject = Subject::new(&module, &module.variables["x"], 0);
        if seed.is_multiple_of(3) {
            subject.draft = Draft::Draft202012;
        }
        let fidelity = subject.translation().fidelity();
        let [refused, accepted] = &subject.judge(150, seed, seed % 4 == 1).values;
        let [refused, accepted] = [refused, accepted].map(|it| {
            let quick = it.iter().filter(|(document, _)| !has_exponent_of(SLOW, document));
            quick.cloned().collect::<Vec<_>>()
        });
        // As many of each side as there are, up to all.
        let few = refused.len().min(VALUES / 2).max(VALUES.saturating_sub(accepted.len()));
        let values = refused.into_iter().take(few).chain(accepted).take(VALUES);
        Case { text, fidelity, values: values.collect() }
    }

    /// The variables of one value, by the names that they have in a batch.
    fn block(&self, index: usize) -> String {
        let (x, y) = self.text.split_once("\n\n").unwrap();
        let mut text = renamed(x, index);
        text.push('\n');
        if self.text.contains("var.y") {
            text.push_str(&renamed(y, index));
        }
        text
    }
}

fn renamed(text: &str, index: usize) -> String {
    let mut out = text.to_owned();
    for name in ["x", "y"] {
        let to = format!("{name}_{index}");
        out = out.replace(&format!("variable \"{name}\""), &format!("variable \"{to}\""));
        let mut rest = std::mem::take(&mut out);
        let used = format!("var.{name}");
        while let Some(at) = rest.find(&used) {
            let end = at + used.len();
            let is_whole = !rest[end..].starts_with(|it: char| it.is_ascii_alphanumeric());
            out.push_str(&rest[..at]);
            out.push_str(if is_whole { "var." } else { &used });
            if is_whole {
                out.push_str(&to);
            }
            rest.drain(..end);
        }
        out.push_str(&rest);
    }
    out
}

/// What a plan says about a module's variables.
enum Plan {
    /// It came to the rules: the items whose rules fail.
    Judged(BTreeSet<usize>),
    /// Terraform refuses the module before it judges inputs, for these items; there are some.
    Invalid(BTreeSet<usize>),
}

fn planned(program: &Program, items: &[(&Case, &Json)]) -> Plan {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("canary.tf", &format!("{PROVIDERS}{CANARY}"));
    let mut inputs = serde_json::Map::new();
    for (index, (case, document)) in items.iter().enumerate() {
        // A file for each: Terraform reads the whole file again for every error in it.
        write(&format!("{index}.tf"), &case.block(index));
        for (name, value) in document.as_object().unwrap() {
            if name == "x" || case.text.contains("var.y") {
                inputs.insert(format!("{name}_{index}"), value.clone());
            }
        }
    }
    write("terraform.tfvars.json", &serde_json::to_string(&inputs).unwrap());
    write("settings", "");
    write("k.txt", "a");
    let log = log_of(program, directory.path());
    let files = files_with_errors(&log);
    let refused = files.iter().filter_map(|it| it.parse().ok()).collect();
    if files.contains("canary") {
        return Plan::Judged(refused);
    }
    if !refused.is_empty() {
        return Plan::Invalid(refused);
    }
    // One of them crashes Terraform: `indent` by 111,111,111,111 characters takes more memory than there is.
    assert!(
        log.contains("goroutine "),
        "Terraform says of no variable why it refuses them:\n{log}"
    );
    if items.len() == 1 {
        return Plan::Judged([0].into());
    }
    let (first, second) = items.split_at(items.len() / 2);
    match (planned(program, first), planned(program, second)) {
        (Plan::Judged(one), Plan::Judged(other)) => {
            let other = other.into_iter().map(|it| it + first.len());
            Plan::Judged(one.into_iter().chain(other).collect())
        }
        (Plan::Invalid(one), _) => Plan::Invalid(one),
        (_, Plan::Invalid(other)) => {
            Plan::Invalid(other.into_iter().map(|it| it + first.len()).collect())
        }
    }
}

fn log_of(program: &Program, directory: &Path) -> String {
    let output = Command::new(&program.path)
        .args(["plan", "-json", "-input=false", "-lock=false", "-refresh=false"])
        .current_dir(directory)
        .env("TF_CLI_CONFIG_FILE", directory.join("settings"))
        .env("CHECKPOINT_DISABLE", "1")
        // Half of a plan's time is the collector's.
        .env("GOGC", "off")
        .output()
        .expect("terraform runs");
    // A crash is reported on standard error.
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    stdout + &stderr
}

/// The configuration files, without `.tf`, with rules that fail or whose evaluation does.
fn files_with_errors(log: &str) -> BTreeSet<String> {
    let file = |line: &str| {
        let message: Json = serde_json::from_str(line).ok()?;
        let error = message.get("diagnostic").filter(|it| it["severity"] == "error")?;
        let place = error["range"]["filename"].as_str().unwrap_or_default();
        if let Some(name) = place.strip_suffix(".tf") {
            return Some(name.to_owned());
        }
        // "This was checked by the validation rule at 7.tf:3,3-13."
        let (before, _) = error["detail"].as_str()?.rsplit_once(".tf:")?;
        before.rsplit(' ').next().map(str::to_owned)
    };
    log.lines().filter_map(file).collect()
}

/// What Terraform makes of each value of the cases: whether it takes it. A case that it refuses as
/// configuration has none.
fn verdicts(program: &Program, cases: &[Case]) -> BTreeMap<usize, Vec<bool>> {
    let valid = valid(program, cases);
    let mut out: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for indexes in valid.chunks(BATCH / VALUES) {
        let items = indexes.iter().flat_map(|index| {
            let values = cases[*index].values.iter();
            values.map(|(document, _)| (*index, document))
        });
        let items: Vec<(usize, &Json)> = items.collect();
        let refused = refused(program, cases, &items);
        for (at, (index, _)) in items.iter().enumerate() {
            out.entry(*index).or_default().push(!refused.contains(&at));
        }
    }
    out
}

/// The places of the values that Terraform does not take. Some it refuses before it comes to any rule, as
/// those that it cannot convert; the others are asked again without them.
fn refused(program: &Program, cases: &[Case], items: &[(usize, &Json)]) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    loop {
        let left: Vec<usize> = (0..items.len()).filter(|it| !out.contains(it)).collect();
        let asked: Vec<_> = left.iter().map(|it| (&cases[items[*it].0], items[*it].1)).collect();
        match planned(program, &asked) {
            Plan::Judged(refused) => {
                out.extend(refused.iter().map(|it| left[*it]));
                return out;
            }
            Plan::Invalid(refused) => {
                out.extend(refused.iter().map(|it| left[*it]));
            }
        }
    }
}

/// The cases that Terraform does not refuse as configuration, asked with one value of each: a plan
/// that is refused says nothing of the values in it.
fn valid(program: &Program, cases: &[Case]) -> Vec<usize> {
    let mut valid: Vec<usize> =
        (0..cases.len()).filter(|it| !cases[*it].values.is_empty()).collect();
    loop {
        let items: Vec<_> = valid.iter().map(|it| (&cases[*it], &cases[*it].values[0].0)).collect();
        match planned(program, &items) {
            Plan::Judged(_) => return valid,
            Plan::Invalid(refused) => {
                let mut at = 0..;
                valid.retain(|_| !refused.contains(&at.next().unwrap()));
            }
        }
    }
}

fn terraform_takes_what_schemas_of_random_conditions_take() -> Result<(), MissingProgram> {
    let program = Program::asked().ok_or_else(MissingProgram::terraform)?;
    let count = number("TERRASCHEMA_CONDITIONS").unwrap_or(60);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let seeds: Vec<u64> =
        (0..count).map(|it| (seed << 32 | it).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).collect();
    let report = seeds
        .par_chunks(BATCH)
        .map(|seeds| {
            let case = |seed: &u64| Case::new(written(*seed), program.release, *seed);
            let cases: Vec<Case> = seeds.iter().map(case).collect();
            Report::of(&cases, &verdicts(&program, &cases))
        })
        .reduce(Report::default, Report::and);
    eprintln!("seed {seed}, {}: {}", program.release, report.summary());
    // One value for each condition.
    let mut seen = BTreeSet::new();
    let first = report.wrong.iter().filter(|it| seen.insert(&it.0)).take(12);
    let first: Vec<_> = first.map(|(text, wrong)| format!("{text}{wrong}\n")).collect();
    assert!(report.wrong.is_empty(), "{} wrong\n{}", report.wrong.len(), first.join("\n"));
    assert!(report.values[0] * 4 >= report.values[1], "too few values that Terraform refuses");
    let judged = functions::all().iter().filter(|it| is_judged(it)).map(|it| it.name);
    let seldom = |it: &&str| report.functions.get(it).is_none_or(|[refused, _]| *refused < 50);
    let rare: Vec<_> = judged.filter(seldom).collect();
    assert!(count < 20_000 || rare.is_empty(), "seldom called: {rare:?}");
    Ok(())
}

/// Whether a condition calls the function. `strcontains(` is not a call of `contains`.
fn calls(text: &str, name: &str) -> bool {
    let call = format!("{name}(");
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices(&call).any(|(at, _)| !text[..at].ends_with(is_word))
}

/// Counts, and what is wrong.
#[derive(Default)]
struct Report {
    fidelities: [usize; 3],
    /// Values that Terraform refuses, and that it takes.
    values: [usize; 2],
    /// Conditions that Terraform refuses as configuration, whatever the value is.
    invalid: usize,
    /// Conditions without a value to ask of, such as those that no value can be made for.
    unasked: usize,
    /// How many values of conditions that call each function Terraform refuses, and how many it takes.
    functions: BTreeMap<&'static str, [usize; 2]>,
    /// A condition, and a value that is judged wrongly.
    wrong: Vec<(String, String)>,
}

impl Report {
    fn of(cases: &[Case], verdicts: &BTreeMap<usize, Vec<bool>>) -> Report {
        let mut out = Report::default();
        for (index, case) in cases.iter().enumerate() {
            // A rule that Terraform refuses as configuration takes nothing.
            let verdicts = verdicts.get(&index).cloned().unwrap_or_else(|| {
                out.invalid += usize::from(!case.values.is_empty());
                out.unasked += usize::from(case.values.is_empty());
                vec![false; case.values.len()]
            });
            out.fidelities[case.fidelity as usize] += 1;
            for name in functions::all().iter().map(|it| it.name) {
                if calls(&case.text, name) {
                    let sides = out.functions.entry(name).or_default();
                    verdicts.iter().for_each(|taken| sides[usize::from(*taken)] += 1);
                }
            }
            for ((document, valid), taken) in case.values.iter().zip(&verdicts) {
                out.values[usize::from(*taken)] += 1;
                let is_canonical = !has_long_exponent(document);
                let is_claimed =
                    case.fidelity == Fidelity::Exact && document.get("x").is_some() && is_canonical;
                let wrong = match (taken, valid) {
                    (true, false) if is_canonical => "Terraform takes it, the schema does not",
                    (false, true) if is_claimed => {
                        "Terraform refuses it, the exact schema does not"
                    }
                    _ => continue,
                };
                out.wrong.push((case.text.clone(), format!("{document}: {wrong}")));
            }
        }
        out
    }

    fn and(mut self, other: Report) -> Report {
        (0..3).for_each(|it| self.fidelities[it] += other.fidelities[it]);
        (0..2).for_each(|it| self.values[it] += other.values[it]);
        self.invalid += other.invalid;
        self.unasked += other.unasked;
        for (name, sides) in other.functions {
            let all = self.functions.entry(name).or_default();
            (0..2).for_each(|it| all[it] += sides[it]);
        }
        self.wrong.extend(other.wrong);
        self
    }

    fn summary(&self) -> String {
        let [exact, necessary, untranslated] = self.fidelities;
        let [refused, taken] = self.values;
        format!(
            "{exact} exact, {necessary} necessary, {untranslated} untranslated, {} refused as \
             configuration, {} without a value; {taken} values taken, {refused} refused, {} wrong",
            self.invalid,
            self.unasked,
            self.wrong.len()
        )
    }
}
