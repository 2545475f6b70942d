//! A real Terraform as the judge of many inputs of one module, in one `terraform test` process.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use diagnostics::{FileId, SourceFile};
use hcl::{Block, parse_body};
use release::Release;
use serde_json::Value as Json;
use testkit::program::Program;

use super::reduce::blocks;

/// The file of a module.
pub const MODULE: &str = "main.tf";
/// Another, where there is one.
pub const OVERRIDES: &str = "override.tf";

/// A variable and the 0-based index of its rule.
pub type Blame = BTreeSet<(Option<String>, Option<usize>)>;

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub accepted: bool,
    pub blame: Blame,
    pub said: Vec<String>,
}

pub struct Terraform {
    program: PathBuf,
    /// As which it is judged.
    pub release: Release,
    home: tempfile::TempDir,
}

impl Terraform {
    /// The release whose behaviour is recorded, where it is installed.
    pub fn recorded() -> Option<Terraform> {
        Terraform::of(Program::recorded()?)
    }

    /// The program of `ORACLE_TERRAFORM`, or else the recorded release.
    pub fn asked() -> Option<Terraform> {
        Terraform::of(Program::asked()?)
    }

    fn of(program: Program) -> Option<Terraform> {
        let Program { path: program, release } = program;
        let home = tempfile::tempdir().ok()?;
        fs::write(home.path().join("rc"), "").ok()?;
        Some(Terraform { program, release, home })
    }

    /// The verdicts on the inputs, each a JSON object; `None` when Terraform gave no answer.
    pub fn judge(&self, dir: &Path, inputs: &[String]) -> Vec<Option<Outcome>> {
        let tests = dir.join("tests");
        fs::create_dir_all(&tests).unwrap();
        for (index, input) in inputs.iter().enumerate() {
            let input = input.replace("${", "$${").replace("%{", "%%{");
            let text = format!(r#"{{"run":{{"r":{{"command":"plan","variables":{input}}}}}}}"#);
            fs::write(tests.join(format!("b{index}.tftest.json")), text).unwrap();
        }
        let output = self.command(dir).args(["test", "-json"]).output().expect("terraform runs");
        fs::remove_dir_all(&tests).unwrap();
        let places = Places::of(dir);
        // Errors of a run are reported after it is complete.
        let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
        let mut complete = BTreeSet::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Json>(line) else { continue };
            let Some(index) = index_of(&message) else { continue };
            let outcome = outcomes.entry(index).or_default();
            if message["diagnostic"]["severity"] == "error" {
                outcome.note(&message["diagnostic"], &places);
            }
            if message["test_run"]["progress"] == "complete" {
                outcome.accepted = message["test_run"]["status"] == "pass";
                complete.insert(index);
            }
        }
        if complete.is_empty() {
            return inputs.iter().map(|it| Some(self.plan_of(dir, it))).collect();
        }
        let finished = |it| outcomes.remove(&it).filter(|_| complete.contains(&it));
        (0..inputs.len()).map(finished).collect()
    }

    /// The verdict of a plan, for a release whose `test` reads no such files.
    fn plan_of(&self, dir: &Path, input: &str) -> Outcome {
        let file = dir.join("given.tfvars.json");
        fs::write(&file, input).unwrap();
        let argument = format!("-var-file={}", file.display());
        let outcome = self.plan(dir, &[argument], &BTreeMap::new());
        fs::remove_file(file).unwrap();
        outcome
    }

    /// Whether a command ended well, and the errors that it reported. It must write JSON.
    pub fn told(
        &self,
        dir: &Path,
        arguments: &[String],
        env: &BTreeMap<String, String>,
    ) -> (bool, Vec<Json>) {
        let output = self.command(dir).args(arguments).envs(env).output().expect("terraform runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|it| serde_json::from_str::<Json>(it).ok());
        let told = messages.map(|mut it| it["diagnostic"].take());
        (output.status.success(), told.filter(|it| it["severity"] == "error").collect())
    }

    /// The verdict of a plan, with values from everywhere.
    pub fn plan(&self, dir: &Path, args: &[String], env: &BTreeMap<String, String>) -> Outcome {
        let output = self
            .command(dir)
            .args(["plan", "-json", "-input=false", "-lock=false"])
            .args(args)
            .envs(env)
            .output()
            .expect("terraform runs");
        let mut outcome = Outcome { accepted: output.status.success(), ..Outcome::default() };
        let places = Places::of(dir);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Json>(line) else { continue };
            if message["diagnostic"]["severity"] == "error" {
                outcome.note(&message["diagnostic"], &places);
            }
        }
        outcome
    }

    fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(dir)
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("TF_CLI_CONFIG_FILE", self.home.path().join("rc"))
            .env("CHECKPOINT_DISABLE", "1")
            .env("GOGC", "off")
            .env("GOMEMLIMIT", "1500MiB")
            .stdin(Stdio::null());
        command
    }
}

impl Outcome {
    fn note(&mut self, diagnostic: &Json, places: &Places) {
        let text = |key: &str| diagnostic[key].as_str().unwrap_or_default();
        let detail = text("detail");
        self.blame.insert(places.blamed(detail, &diagnostic["range"]));
        self.said.push(format!("{}: {detail}", text("summary")));
    }
}

fn index_of(message: &Json) -> Option<usize> {
    let named = message["@testfile"].as_str();
    let file = named.or_else(|| message["diagnostic"]["range"]["filename"].as_str())?;
    let file = file.strip_prefix("tests/").unwrap_or(file);
    file.strip_prefix('b')?.strip_suffix(".tftest.json")?.parse().ok()
}

/// Where variables and their rules are in the module.
struct Places {
    /// `MODULE`, which has all rules.
    source: SourceFile,
    /// By file: names with the places of the block and its rules.
    variables: BTreeMap<&'static str, Vec<Variable>>,
}

type Variable = (String, Range<usize>, Vec<Range<usize>>);

impl Places {
    fn of(dir: &Path) -> Places {
        let text = |file| fs::read_to_string(dir.join(file)).unwrap_or_default();
        let variables = |file| {
            let (body, _) = parse_body(FileId(0), text(file).as_bytes());
            let variable = |it: &Block| {
                let rules = blocks(&it.body, "validation").map(|it| it.span.range()).collect();
                (it.labels[0].text.to_string(), it.span.range(), rules)
            };
            (file, blocks(&body, "variable").map(variable).collect())
        };
        let source = SourceFile::new(MODULE, text(MODULE).as_bytes());
        Places { source, variables: [MODULE, OVERRIDES].map(variables).into() }
    }

    /// From the text where it names the variable or the rule, else from the place.
    fn blamed(&self, detail: &str, range: &Json) -> (Option<String>, Option<usize>) {
        if let Some((_, place)) = detail.split_once("checked by the validation rule at main.tf:") {
            let line = place.split(',').next().and_then(|it| it.parse().ok()).unwrap_or(0);
            return self.at(MODULE, self.line(line));
        }
        let byte = range["start"]["byte"].as_u64().unwrap_or(0);
        let file = range["filename"].as_str().unwrap_or_default();
        let here = self.at(file, usize::try_from(byte).unwrap());
        let named = ["suitable for var.", "suitable value for var."].iter().find_map(|before| {
            let rest = detail.split_once(before)?.1;
            let end = rest.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))?;
            Some(rest[..end].to_owned())
        });
        match named {
            Some(name) => (Some(name), None),
            None => here,
        }
    }

    /// The offset behind the first character of a line, counted from 1.
    fn line(&self, number: usize) -> usize {
        let text = self.source.text();
        let before: usize = text.split_inclusive('\n').take(number - 1).map(str::len).sum();
        let line = &text[before..];
        before + line.len() - line.trim_start().len()
    }

    fn at(&self, file: &str, offset: usize) -> (Option<String>, Option<usize>) {
        let mut all = self.variables.get(file).into_iter().flatten();
        let found = all.find(|(_, span, _)| span.contains(&offset));
        let Some((name, _, rules)) = found else { return (None, None) };
        (Some(name.clone()), rules.iter().position(|it| it.contains(&offset)))
    }
}
