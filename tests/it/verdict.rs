//! Recorded verdicts of a real Terraform: ours are the same, down to the variables and rules that
//! are blamed.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use terraschema::{
    diagnostic::{Diagnostic, Verdict},
    inputs::{Argument, Request},
    module,
    system::{Entry, EntryKind, OsSystem, System},
    verdict::{Judgement, Setting, plan},
    version::Version,
};

use crate::oracle::{Case, Run, cases};

/// Runs that differ, with the reason. One that agrees after all fails the test.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    ("val-resource-input", "v00.tfvars.json", RESOURCE),
    ("val-resource-input", "v01.tfvars.json", RESOURCE),
    ("tfjson-validation-list", "list.tfvars.json", BRACKET),
    ("tfjson-validation-list", "set.tfvars.json", BRACKET),
    ("tfjson-validation-list", "unset.tfvars.json", BRACKET),
];

const RESOURCE: &str = "the rule reads an attribute of a resource, which only a provider knows";
const BRACKET: &str =
    "Terraform places rules in a JSON array at its bracket, which hides their index";

#[test]
fn recorded_verdicts_agree() {
    let (mut found, mut compared) = (Vec::new(), 0);
    let mut deviating: BTreeSet<(&str, &str)> =
        DEVIATIONS.iter().map(|(case, run, _)| (*case, *run)).collect();
    let cases = cases();
    for case in &cases {
        for run in &case.runs {
            compared += 1;
            let Some(difference) = difference(case, run) else { continue };
            if !deviating.remove(&(case.name.as_str(), run.name.as_str())) {
                found.push(format!("{}/{}: {difference}", case.name, run.name));
            }
        }
    }
    assert!(compared > 1000, "only {compared} runs were found");
    assert!(deviating.is_empty(), "these agree now: {deviating:?}");
    let listed = found.join("\n");
    assert!(found.is_empty(), "{} of {compared} runs differ:\n{listed}", found.len());
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
        return None;
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

fn judge(case: &Case, run: &Run) -> Judgement {
    let system = WithEnv { env: run.env.clone() };
    let version = Version::V1_11;
    let options = module::Options { version, ..module::Options::default() };
    let (mut module, loading) = module::load(&system, &case.dir, &options).unwrap();
    let files = run.var_files.iter().map(|it| Argument::File(PathBuf::from(it)));
    let request = Request {
        dir: case.dir.clone(),
        environment: true,
        auto_files: true,
        arguments: files.chain(run.args.iter().filter_map(|it| argument(it))).collect(),
    };
    let setting = Setting { system: &system, base_dir: &case.dir, version };
    plan(&mut module, loading, &request, setting)
}

fn argument(text: &str) -> Option<Argument> {
    let text = text.trim_start_matches('-');
    if let Some(file) = text.strip_prefix("var-file=") {
        return Some(Argument::File(PathBuf::from(file)));
    }
    text.strip_prefix("var=").map(|it| Argument::Value(it.to_owned()))
}

/// The real system with another environment.
struct WithEnv {
    env: BTreeMap<String, String>,
}

impl System for WithEnv {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        OsSystem.read(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        OsSystem.list(dir)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        OsSystem.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        OsSystem.canonicalize(path)
    }

    fn write_atomic(&self, path: &Path, _bytes: &[u8]) -> io::Result<()> {
        panic!("{} is not to be written", path.display());
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        panic!("{} is not to be made", dir.display());
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let all = self.env.iter().filter(|(name, _)| name.starts_with(prefix));
        all.map(|(name, text)| (name.clone(), text.clone())).collect()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        OsSystem.current_dir()
    }

    fn now(&self) -> SystemTime {
        OsSystem.now()
    }
}
