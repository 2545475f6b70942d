//! Real programs that read schemas compile every schema that is generated, and give our verdict on
//! the same values.
//!
//! `TERRASCHEMA_MODULES=DIR cargo test --test outside consumers` has them read the schemas
//! of every module below a directory instead.

pub mod backtracking;
pub mod form;
pub mod patterns;
mod subjects;
pub mod vscode;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace},
};

use self::subjects::{Form, Subject, subjects};
use crate::tools;

trials![ajv_gives_our_verdicts, check_jsonschema_gives_our_verdicts, jv_gives_our_verdicts,];

/// Where a program's verdict is not ours, and why. One that has vanished fails the test.
const DIFFERENCES: [(&str, &str, &str); 2] = [
    ("Ajv", "A number that no double holds", "JavaScript's numbers are doubles"),
    ("VS Code", "A number that no double holds", "JavaScript's numbers are doubles"),
];

/// What a program logs of schemas that it takes, and why that stays; all else is a fault.
const COMPLAINTS: [(&str, &str, &str); 3] = [
    (
        "Ajv",
        "(strictTypes)",
        "no type at the root, as in the Go tool; a rule says nothing of other types",
    ),
    ("Ajv", "-tuple, but minItems or maxItems", "a rule about the first elements of a list"),
    ("VS Code", "Value is deprecated", "the module says so, and the editor strikes it through"),
];

/// What a program said about one schema and its values.
#[derive(Default, Deserialize)]
struct Judgement {
    /// Why the schema does not compile.
    error: Option<String>,
    #[serde(default)]
    verdicts: Vec<bool>,
    /// What the program says about a schema that it takes.
    #[serde(default)]
    complaints: Vec<String>,
}

/// Counts, and what is wrong.
#[derive(Default)]
struct Tally {
    program: &'static str,
    /// Headings of `DIFFERENCES` that were met.
    met: BTreeSet<&'static str>,
    schemas: usize,
    accepted: usize,
    refused: usize,
    /// Complaints by their kind.
    complaints: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, subject: &Subject, form: &Form, judgement: Judgement) {
        let name = format!("{} ({}, {})", subject.name, form.draft.as_str(), form.annotated);
        self.schemas += 1;
        if let Some(error) = judgement.error {
            return self.wrong.push(format!("{name}: {error}"));
        }
        assert_eq!(judgement.verdicts.len(), subject.values.len(), "{name}");
        let both = form.verdicts.iter().zip(judgement.verdicts);
        for (value, (ours, theirs)) in subject.values.iter().zip(both) {
            *(if *ours { &mut self.accepted } else { &mut self.refused }) += 1;
            if *ours == theirs {
                continue;
            }
            let mut listed = DIFFERENCES.iter().filter(|it| it.0 == self.program);
            match listed.find(|it| subject.name.ends_with(it.1)) {
                Some(it) => _ = self.met.insert(it.1),
                None => self.wrong.push(format!("{name}: {value}: {theirs}, not {ours}")),
            }
        }
        for complaint in judgement.complaints {
            let mut listed = COMPLAINTS.iter().filter(|it| it.0 == self.program);
            match listed.find(|it| complaint.contains(it.1)) {
                Some(it) => *self.complaints.entry(it.1).or_default() += 1,
                None => self.wrong.push(format!("{name}: {complaint}")),
            }
        }
    }

    fn finish(self) {
        let Tally { program, met, schemas, accepted, refused, complaints, wrong } = self;
        eprintln!(
            "{program}: {schemas} schemas, {accepted} values accepted, {refused} refused, {} wrong",
            wrong.len()
        );
        for (complaint, count) in &complaints {
            eprintln!("{program}: {count} × {complaint}");
        }
        assert!(accepted > 500 && refused > 500, "too few values");
        if std::env::var_os("TERRASCHEMA_MODULES").is_none() {
            let listed = DIFFERENCES.iter().filter(|it| it.0 == program).map(|it| it.1);
            assert_eq!(met, listed.collect(), "a listed difference has vanished");
            let expected = COMPLAINTS.iter().filter(|it| it.0 == program).count();
            assert_eq!(complaints.len(), expected, "a listed complaint has vanished");
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Every subject in each of its forms.
fn forms() -> impl Iterator<Item = (&'static Subject, &'static Form)> {
    subjects().iter().flat_map(|it| it.forms.iter().map(move |form| (it, form)))
}

/// Has a script answer jobs, a line each.
fn answers<T: DeserializeOwned>(
    command: &mut Command,
    jobs: &[Value],
    workspace: &Workspace,
) -> Vec<T> {
    // Some readers take these for ends of lines.
    let line =
        |it: &Value| it.to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let lines: Vec<String> = jobs.iter().map(line).collect();
    workspace.write("jobs", lines.join("\n"));
    let answer = Answer::new(command.arg(workspace.path("jobs")).output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let answers: Vec<T> =
        answer.stdout.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(answers.len(), jobs.len());
    answers
}

fn ajv_gives_our_verdicts() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let job = |(subject, form): (&Subject, &Form)| json!({ "schema": form.schema, "annotated": form.annotated, "values": subject.values });
    let jobs: Vec<Value> = forms().map(job).collect();
    let mut node = Command::new("node");
    let answers = answers(node.arg(dir.join("ajv.mjs")), &jobs, &Workspace::new());
    tally("Ajv", answers);
    Ok(())
}

fn check_jsonschema_gives_our_verdicts() -> Result<(), MissingProgram> {
    let python = tools::python()?;
    let workspace = Workspace::new();
    let jobs: Vec<Value> = files(&workspace)
        .iter()
        .map(|(schema, values)| json!({ "schema": schema, "values": values }))
        .collect();
    let mut command = Command::new(python);
    command.arg("tests/consumers/check.py");
    let answers = answers(&mut command, &jobs, &workspace);
    tally("check-jsonschema", answers);
    Ok(())
}

fn jv_gives_our_verdicts() -> Result<(), MissingProgram> {
    let jv = tools::jv()?;
    let workspace = Workspace::new();
    let judgement = |(schema, values): (PathBuf, Vec<PathBuf>)| {
        let mut command = Command::new(&jv);
        let output = command.arg(&schema).args(&values).output().unwrap();
        let answer = Answer::new(output).stdout;
        let is_compiled = answer.starts_with(&format!("schema {}: ok\n", schema.display()));
        let is_valid = |it: &PathBuf| answer.contains(&format!("instance {}: ok\n", it.display()));
        Judgement {
            error: (!is_compiled).then(|| answer.clone()),
            verdicts: values.iter().map(is_valid).collect(),
            complaints: Vec::new(),
        }
    };
    tally("jv", files(&workspace).into_iter().map(judgement).collect());
    Ok(())
}

/// Holds a program's judgements of all forms against ours.
fn tally(program: &'static str, judgements: Vec<Judgement>) {
    let mut tally = Tally { program, ..Tally::default() };
    for ((subject, form), judgement) in forms().zip(judgements) {
        tally.add(subject, form, judgement);
    }
    tally.finish();
}

/// Writes each form's schema and the values of its subject; gives their paths.
fn files(workspace: &Workspace) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut out = Vec::new();
    for (number, subject) in subjects().iter().enumerate() {
        let dir = workspace.path(&number.to_string());
        fs::create_dir_all(&dir).unwrap();
        let values: Vec<PathBuf> =
            (0..subject.values.len()).map(|it| dir.join(format!("{it}.json"))).collect();
        for (path, value) in values.iter().zip(&subject.values) {
            write(path, value);
        }
        for (index, form) in subject.forms.iter().enumerate() {
            let schema = dir.join(format!("schema-{index}.json"));
            write(&schema, &form.schema);
            out.push((schema, values.clone()));
        }
    }
    out
}

fn write(path: &Path, json: &Value) {
    fs::write(path, json.to_string()).unwrap();
}
