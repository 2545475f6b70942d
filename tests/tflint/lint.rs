//! A directory on which the real tflint runs with the plugin.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{fake_host::PLUGIN, missing::MissingProgram};

/// The ruleset and nothing else.
pub const CONFIGURATION: &str = "\
plugin \"terraform\" {
  enabled = false
}

plugin \"terraschema\" {
  enabled = true
}
";

/// Files of a project, by their paths.
pub type Texts<'a> = &'a [(&'a str, &'a str)];

pub struct Project {
    program: PathBuf,
    pub dir: TempDir,
    plugins: TempDir,
    pub sockets: TempDir,
}

/// What tflint said.
#[derive(Debug)]
pub struct TflintOutput {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// An issue of the JSON report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    pub rule: String,
    pub severity: String,
    pub message: String,
    /// `file:line:column-line:column`
    pub place: String,
}

impl Project {
    /// Writes the files, and the configuration unless it is among them. There may be no tflint.
    pub fn new(files: Texts<'_>) -> Result<Project, MissingProgram> {
        let program = program()?;
        let temporary = || TempDir::new().unwrap();
        let project =
            Project { program, dir: temporary(), plugins: temporary(), sockets: temporary() };
        project.write(".tflint.hcl", CONFIGURATION);
        files.iter().for_each(|(name, text)| project.write(name, text));
        let plugin = project.plugins.path().join("tflint-ruleset-terraschema");
        std::os::unix::fs::symlink(PLUGIN, plugin).unwrap();
        Ok(project)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// tflint with its surroundings, not started yet.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.dir.path()).env("TMPDIR", self.sockets.path());
        command.env("TFLINT_PLUGIN_DIR", self.plugins.path());
        command.env("TFLINT_DISABLE_VERSION_CHECK", "1").env("HOME", self.plugins.path());
        command.env_remove("TFLINT_LOG").env_remove("TFLINT_CONFIG_FILE");
        command
    }

    pub fn tflint(&self, args: &[&str]) -> TflintOutput {
        output_of(self.command(args))
    }

    /// The issues of a run that must not fail.
    pub fn issues(&self, args: &[&str]) -> Vec<Issue> {
        issues(&self.tflint(&[args, &["--format=json"]].concat()))
    }

    /// `place rule` of each issue.
    pub fn places(&self, args: &[&str]) -> Vec<String> {
        self.issues(args).iter().map(|it| format!("{} {}", it.place, it.rule)).collect()
    }
}

pub fn output_of(mut command: Command) -> TflintOutput {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    TflintOutput {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

pub fn issues(said: &TflintOutput) -> Vec<Issue> {
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"));
    assert_eq!(report["errors"], Value::Array(Vec::new()), "{said:?}");
    report["issues"].as_array().unwrap().iter().map(issue).collect()
}

fn issue(it: &Value) -> Issue {
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let range = &it["range"];
    let at = |end: &str| format!("{}:{}", range[end]["line"], range[end]["column"]);
    Issue {
        rule: text(&it["rule"]["name"]),
        severity: text(&it["rule"]["severity"]),
        message: text(&it["message"]),
        place: format!("{}:{}-{}", text(&range["filename"]), at("start"), at("end")),
    }
}

/// `target/tools/tflint`, where `tests/run` puts it, or the one on the `PATH`.
fn program() -> Result<PathBuf, MissingProgram> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/tflint");
    let on_path = env::var_os("PATH")
        .into_iter()
        .flat_map(|it| env::split_paths(&it).map(|it| it.join("tflint")).collect::<Vec<PathBuf>>());
    let found = std::iter::once(own).chain(on_path).find(|it| it.is_file());
    found.ok_or_else(|| MissingProgram::tool("no tflint; `bash tests/run` installs it"))
}
