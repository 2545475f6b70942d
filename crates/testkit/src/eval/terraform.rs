//! A real Terraform as the judge of many expressions at once.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use release::Release;

use super::{
    json::Json,
    ours::{ApplyOutcome, files},
};
use crate::program::Program;

/// How many expressions one process evaluates.
pub const CHUNK: usize = 400;
/// A round removes what failed; more rounds than there are stages of errors mean a bug here.
const MAX_ROUNDS: usize = 100;

/// Makes the functions of the built-in provider callable.
pub const BUILT_IN_PROVIDER: &str = "terraform {
  required_providers {
    terraform = { source = \"terraform.io/builtin/terraform\" }
  }
}
";

pub struct Terraform {
    program: Program,
    /// Holds the module and its state.
    root: tempfile::TempDir,
}

impl Terraform {
    /// The release whose behaviour is recorded, where it is installed.
    pub fn recorded(prelude: &str) -> Option<Terraform> {
        Terraform::of(Program::recorded()?, prelude)
    }

    /// The program of `ORACLE_TERRAFORM`, or else the recorded release.
    pub fn asked(prelude: &str) -> Option<Terraform> {
        Terraform::of(Program::asked()?, prelude)
    }

    fn of(program: Program, prelude: &str) -> Option<Terraform> {
        let root = tempfile::tempdir().ok()?;
        fs::write(root.path().join("rc"), "").ok()?;
        let terraform = Terraform { program, root };
        copy(&files(), &terraform.directory());
        fs::write(terraform.directory().join("zz_prelude.tf"), prelude).ok()?;
        fs::write(terraform.directory().join("zz_provider.tf"), BUILT_IN_PROVIDER).ok()?;
        Some(terraform)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// As which it is judged.
    pub fn release(&self) -> Release {
        self.program.release
    }

    /// The working directory of all expressions; it holds what file functions read.
    pub fn directory(&self) -> PathBuf {
        self.root.path().join("module")
    }

    /// What each expression gives, in order.
    pub fn evaluate(&self, expressions: &[String]) -> Vec<ApplyOutcome> {
        expressions.chunks(CHUNK).flat_map(|it| self.chunk(it)).collect()
    }

    /// What the console of a module prints for an expression.
    pub fn console(&self, module: &str, expression: &str) -> String {
        let directory = tempfile::tempdir_in(self.root.path()).expect("a directory");
        fs::write(directory.path().join("main.tf"), module).expect("a module");
        let mut child = command(self, directory.path())
            .arg("console")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("terraform runs");
        let mut stdin = child.stdin.take().expect("an input");
        writeln!(stdin, "{expression}").expect("an input");
        drop(stdin);
        let output = child.wait_with_output().expect("terraform ends");
        String::from_utf8(output.stdout).expect("text")
    }

    /// A directory for a root module of its own.
    pub fn plan_directory(&self) -> PathBuf {
        let directory = self.root.path().join("plan");
        copy(&files(), &directory);
        directory
    }

    /// Makes the plan of that module; the expressions that fail in it.
    pub fn plan(&self) -> BTreeSet<usize> {
        let output = command(self, &self.root.path().join("plan"))
            .args(["plan", "-json", "-input=false", "-lock=false", "-refresh=false", "-out=p"])
            .output()
            .expect("terraform runs");
        let log = String::from_utf8_lossy(&output.stdout);
        let errors: Vec<_> = log.lines().filter_map(diagnostic).collect();
        let failed: BTreeSet<usize> = errors.iter().filter_map(|(index, ..)| *index).collect();
        assert!(errors.is_empty() || !failed.is_empty(), "{errors:?}");
        failed
    }

    /// The plan that was made last.
    pub fn shown_plan(&self) -> Json {
        let output = command(self, &self.root.path().join("plan"))
            .args(["show", "-json", "p"])
            .output()
            .expect("terraform runs");
        Json::parse(String::from_utf8_lossy(&output.stdout).trim())
    }

    fn chunk(&self, expressions: &[String]) -> Vec<ApplyOutcome> {
        Chunk { terraform: self, expressions, sensitive: BTreeSet::new() }.run()
    }
}

struct Chunk<'a> {
    terraform: &'a Terraform,
    expressions: &'a [String],
    sensitive: BTreeSet<usize>,
}

impl Chunk<'_> {
    /// Applies all; removes what failed and applies the rest again.
    fn run(&mut self) -> Vec<ApplyOutcome> {
        let mut done: BTreeMap<usize, ApplyOutcome> = BTreeMap::new();
        let mut live: BTreeSet<usize> = (0..self.expressions.len()).collect();
        for it in &live {
            self.write(*it);
        }
        for _ in 0..MAX_ROUNDS {
            if live.is_empty() {
                break;
            }
            let (errors, stray) = self.apply();
            if errors.is_empty() && stray.is_empty() {
                done.extend(self.outputs(&live));
                std::mem::take(&mut live).into_iter().for_each(|it| self.remove(it));
            } else if errors.is_empty() {
                done.extend(self.blame(&mut live, &stray));
            }
            for (index, summaries) in errors {
                if summaries.iter().all(|it| it == "Output refers to sensitive values") {
                    self.sensitive.insert(index);
                    self.write(index);
                } else {
                    done.insert(index, ApplyOutcome::Error(summaries));
                    live.remove(&index);
                    self.remove(index);
                }
            }
        }
        assert!(live.is_empty(), "Terraform did not come to an end");
        done.into_values().collect()
    }

    fn file(&self, index: usize) -> PathBuf {
        self.terraform.directory().join(format!("e{index}.tf"))
    }

    fn write(&self, index: usize) {
        let sensitive = if self.sensitive.contains(&index) { "  sensitive = true\n" } else { "" };
        let text = format!(
            "locals {{\n  e{index} = {}\n}}\noutput \"e{index}\" {{\n{sensitive}  value = [local.e{index}]\n}}\n",
            self.expressions[index]
        );
        fs::write(self.file(index), text).expect("an expression's file");
    }

    fn remove(&self, index: usize) {
        fs::remove_file(self.file(index)).expect("an expression's file");
    }

    fn state(&self) -> PathBuf {
        self.terraform.root.path().join("state")
    }

    /// The errors by expression, and the details of those that name none.
    fn apply(&self) -> (BTreeMap<usize, Vec<String>>, Vec<String>) {
        let _ = fs::remove_file(self.state());
        let output = command(self.terraform, &self.terraform.directory())
            .args(["apply", "-json", "-auto-approve", "-input=false", "-lock=false"])
            .args(["-refresh=false", "-backup=-"])
            .arg(format!("-state={}", self.state().display()))
            .output()
            .expect("terraform runs");
        let mut errors: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut stray = Vec::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Some((index, summary, detail)) = diagnostic(line) else { continue };
            match index {
                Some(index) => errors.entry(index).or_default().push(summary),
                None => stray.push(detail),
            }
        }
        if errors.is_empty() && stray.is_empty() && !output.status.success() {
            stray.push(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        (errors, stray)
    }

    /// An error without a place: an infinity that cannot be saved, or else found by halving.
    fn blame(&self, live: &mut BTreeSet<usize>, stray: &[String]) -> Vec<(usize, ApplyOutcome)> {
        let infinite = stray.iter().find_map(|it| {
            let (_, rest) = it.split_once("output value \"e")?;
            let (index, rest) = rest.split_once('"')?;
            rest.contains("cannot serialize infinity").then(|| index.parse().ok()).flatten()
        });
        if let Some(index) = infinite {
            live.remove(&index);
            self.remove(index);
            return vec![(index, ApplyOutcome::Infinite)];
        }
        let indices: Vec<usize> = std::mem::take(live).into_iter().collect();
        indices.iter().for_each(|it| self.remove(*it));
        if let [index] = indices[..] {
            return vec![(index, ApplyOutcome::Error(stray.to_vec()))];
        }
        let halves = indices.split_at(indices.len() / 2);
        let evaluate = |half: &[usize]| {
            let texts: Vec<String> = half.iter().map(|it| self.expressions[*it].clone()).collect();
            let outcomes = self.terraform.chunk(&texts);
            half.iter().copied().zip(outcomes).collect::<Vec<_>>()
        };
        [evaluate(halves.0), evaluate(halves.1)].concat()
    }

    fn outputs(&self, live: &BTreeSet<usize>) -> Vec<(usize, ApplyOutcome)> {
        let state = fs::read_to_string(self.state()).expect("a state");
        let state = Json::parse(&state);
        let outcome = |index: &usize| {
            let output = state.get("outputs")?.get(&format!("e{index}"))?;
            let ty = output.get("type")?.items().get(1)?.items().first()?.clone();
            let value = output.get("value")?.items().first()?.clone();
            Some((*index, ApplyOutcome::Value { ty, value }))
        };
        live.iter().map(|it| outcome(it).expect("an output in the state")).collect()
    }
}

/// Puts the files that expressions may read into the directory they are evaluated in.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("the files") {
        let path = entry.expect("a file").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

fn command(terraform: &Terraform, directory: &Path) -> Command {
    let mut command = Command::new(&terraform.program.path);
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", terraform.root.path())
        .env("TF_CLI_CONFIG_FILE", terraform.root.path().join("rc"))
        .env("CHECKPOINT_DISABLE", "1")
        .env("GOGC", "off")
        .stdin(Stdio::null());
    command
}

/// The expression, summary and detail of an error in Terraform's JSON log.
fn diagnostic(line: &str) -> Option<(Option<usize>, String, String)> {
    if !line.starts_with('{') || !line.contains("\"diagnostic\"") {
        return None;
    }
    let message = Json::parse(line);
    let diagnostic = message.get("diagnostic")?;
    if diagnostic.get("severity")?.as_str()? != "error" {
        return None;
    }
    let text =
        |key: &str| diagnostic.get(key).and_then(Json::as_str).unwrap_or_default().to_string();
    let file = diagnostic.get("range").and_then(|it| it.get("filename")).and_then(Json::as_str);
    let index = file.and_then(|it| {
        it.strip_prefix("m/").unwrap_or(it).strip_prefix('e')?.strip_suffix(".tf")?.parse().ok()
    });
    Some((index, text("summary"), text("detail")))
}
