//! The Action: every `run:` step of `action.yml`, run as the runner does.
#![cfg(unix)]
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::Value;

use crate::workspace::{Answer, Workspace, binary, isolated};

const MODULE: &str = "variable \"x\" {\n  type = string\n}\n";

/// What a job sees of the Action.
struct Outcome {
    answer: Answer,
    outputs: BTreeMap<String, String>,
    summary: String,
}

fn action() -> Value {
    let answer = Answer::new(
        isolated(binary(), ".".as_ref())
            .args(["eval", "--format", "json", "jsonencode(yamldecode(file(\"action.yml\")))"])
            .output()
            .unwrap(),
    );
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    serde_json::from_str(report["results"][0]["value"].as_str().unwrap()).unwrap()
}

/// Runs the steps one after another, until one fails. `inputs` override the declared defaults.
fn run_action(it: &Workspace, inputs: &[(&str, &str)], env: &[(&str, &str)]) -> Outcome {
    run_steps(&it.path(""), inputs, env)
}

fn run_steps(dir: &Path, inputs: &[(&str, &str)], env: &[(&str, &str)]) -> Outcome {
    let action = action();
    let runner = Workspace::new();
    runner.write("output", "before=1\n").write("summary", "Before.\n").write("temp/x", "");
    let mut last = None;
    for (n, step) in action["runs"]["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(step["shell"], "bash");
        let script = format!("step-{n}.sh");
        runner.write(&script, step["run"].as_str().unwrap());
        let mut command = isolated("bash", dir);
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(runner.path(&script));
        command.env("GITHUB_OUTPUT", runner.path("output"));
        command.env("GITHUB_STEP_SUMMARY", runner.path("summary"));
        command.env("RUNNER_TEMP", runner.path("temp"));
        command.env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"));
        command.env("GITHUB_WORKSPACE", dir);
        command.envs(env.iter().copied());
        for (name, value) in step["env"].as_object().unwrap() {
            command.env(name, expand(value.as_str().unwrap(), &action, inputs));
        }
        let answer = Answer::new(command.output().unwrap());
        let failed = answer.code != 0;
        last = Some(answer);
        if failed {
            break;
        }
    }
    let lines = runner.read("output");
    let pairs = lines.lines().map(|it| it.split_once('=').unwrap());
    let of_step: BTreeMap<&str, &str> = pairs.collect();
    assert_eq!(of_step["before"], "1", "what other steps wrote stays");
    let declared = action["outputs"].as_object().unwrap();
    let outputs = declared.iter().map(|(name, it)| {
        let source = it["value"].as_str().unwrap();
        let step = source.strip_prefix("${{ steps.check.outputs.").unwrap();
        let value = of_step.get(step.strip_suffix(" }}").unwrap()).copied().unwrap_or_default();
        (name.clone(), value.to_owned())
    });
    let outputs = outputs.collect();
    Outcome { answer: last.unwrap(), outputs, summary: runner.read("summary") }
}

/// Runs the Action on a directory with the built command; all that it says and writes.
pub fn run_built(dir: &Path, env: &[(&str, &str)]) -> String {
    let outcome = run_steps(dir, &[built()], env);
    format!("{}{:?}{}", outcome.answer.text(), outcome.outputs, outcome.summary)
}

/// The one kind of expression that steps may use: inputs, in variables of the environment.
fn expand(text: &str, action: &Value, inputs: &[(&str, &str)]) -> String {
    let name = text.strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
    let given = inputs.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
    let default = action["inputs"][name]["default"].as_str().unwrap();
    given.unwrap_or(default).to_owned()
}

fn repository() -> Workspace {
    let it = Workspace::repository();
    it.write("modules/a b/main.tf", MODULE).write("modules/b/main.tf", MODULE);
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.commit("First");
    it
}

fn built() -> (&'static str, &'static str) {
    ("binary", binary())
}

#[test]
fn a_clean_repository() {
    let it = repository();
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 0, "{}", outcome.answer.text());
    assert_eq!(outcome.outputs["drifted-modules"], "[]");
    assert_eq!(outcome.outputs["findings"], "0");
    assert_eq!(outcome.outputs["exit-code"], "0");
    assert!(!outcome.answer.stdout.contains("::error"));
    assert!(
        outcome.summary.starts_with("Before.\n## terraschema: 0 errors"),
        "{}",
        outcome.summary
    );
}

#[test]
fn a_drifted_repository() {
    let it = repository();
    it.write("modules/a b/main.tf", MODULE.replace("string", "number"));
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 1);
    assert_eq!(outcome.outputs["drifted-modules"], "[\"modules/a b\"]");
    assert_eq!(outcome.outputs["findings"], "1");
    assert_eq!(outcome.outputs["exit-code"], "1");
    let stdout = &outcome.answer.stdout;
    assert!(stdout.starts_with("::error file=modules/a b/main.tf,line=2,endLine=2,"), "{stdout}");
    assert!(stdout.contains("title=terraschema stale-schema::"), "{stdout}");
    let log = stdout.find("::stop-commands::").unwrap();
    assert!(
        stdout[log..].contains(" --> modules/a b/main.tf:2:10"),
        "the log has the rest: {stdout}"
    );
    assert!(outcome.summary.contains("| [stale-schema]("), "{}", outcome.summary);
    assert!(outcome.summary.contains("```diff"), "{}", outcome.summary);
}

#[test]
fn a_broken_repository() {
    let it = repository();
    it.write("modules/b/main.tf", "variable \"x\" {\n");
    let outcome = run_action(&it, &[built()], &[]);
    assert_eq!(outcome.answer.code, 2);
    assert_eq!(outcome.outputs["exit-code"], "2");
    assert_eq!(outcome.outputs["drifted-modules"], "[]");
    assert!(outcome.answer.stdout.contains("title=terraschema invalid-syntax::"));
    let config = it.write(".terraschema.hcl", "nonsense = 1\n");
    let outcome = run_action(config, &[built()], &[]);
    assert_eq!((outcome.answer.code, &*outcome.outputs["exit-code"]), (2, "2"));
    assert!(outcome.answer.stdout.contains("::error file=.terraschema.hcl,line=1"));
}

#[test]
fn inputs_choose_what_is_checked() {
    let it = repository();
    it.write("modules/a b/main.tf", MODULE.replace("string", "number"));
    let code =
        |inputs: &[(&str, &str)]| run_action(&it, &[inputs, &[built()]].concat(), &[]).answer.code;
    assert_eq!(code(&[("paths", "modules/b\n")]), 0);
    assert_eq!(code(&[("paths", "modules/b\nmodules/a b\n")]), 1);
    assert_eq!(code(&[("changed", "true")]), 1);
    assert_eq!(code(&[("changed", "HEAD...HEAD")]), 0);
    assert_eq!(code(&[("changed", "nowhere")]), 2);
    assert_eq!(code(&[("fail-on", "nothing")]), 2);
    it.write("ci/levels.hcl", "rule \"stale-schema\" {\n  level = \"warning\"\n}\n");
    assert_eq!(code(&[("config", "ci/levels.hcl")]), 0);
    assert_eq!(code(&[("config", "ci/levels.hcl"), ("fail-on", "warning")]), 1);
    let silent = run_action(&it, &[built(), ("summary", "false")], &[]);
    assert_eq!(silent.summary, "Before.\n");
}

#[test]
fn inputs_are_never_taken_for_code() {
    let it = repository();
    let evil = "$(touch gone)`touch gone`; touch gone; \"'${{ github.token }}";
    for name in ["paths", "changed", "config", "fail-on", "summary"] {
        run_action(&it, &[built(), (name, evil)], &[]);
        assert!(!it.path("gone").exists(), "{name}");
    }
    for step in action()["runs"]["steps"].as_array().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"), "inputs go through env alone");
    }
}

#[test]
fn findings_cannot_speak_to_the_runner() {
    let it = repository();
    let rule = "validation {\n condition = var.x == \"1\"\n error_message = \"A.\\n::warning::forged\"\n}\n";
    it.write("modules/b/main.tf", MODULE.replace("string\n", &format!("string\n{rule}")));
    it.write("modules/b/prod.tfvars", "x = \"2\"\n");
    let outcome = run_action(&it, &[built()], &[]);
    let stdout = &outcome.answer.stdout;
    let commands = &stdout[..stdout.find("::stop-commands::").unwrap()];
    assert!(!commands.lines().any(|it| it.starts_with("::warning::forged")), "{stdout}");
    assert!(commands.contains("%0A::warning::forged"), "{stdout}");
}

#[test]
fn without_a_binary_it_is_built_by_cargo() {
    let it = repository();
    let tools = Workspace::new();
    let cargo = format!(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --root ] && root=$2; shift; done\n\
         mkdir -p \"$root/bin\" && cp '{}' \"$root/bin/terraschema\"\n",
        binary()
    );
    tools.write("cargo", cargo);
    fs::set_permissions(tools.path("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", tools.path("").display());
    let outcome = run_action(&it, &[], &[("PATH", &path)]);
    assert_eq!(outcome.answer.code, 0, "{}", outcome.answer.text());
    assert_eq!(outcome.outputs["exit-code"], "0");
}

#[test]
fn from_a_tag_the_released_binary_is_used_if_its_checksum_is_right() {
    let it = repository();
    let tools = Workspace::new();
    let release = tools.path("release/v1.2.3");
    let pack = isolated("scripts/release-archive", ".".as_ref())
        .arg(&release)
        .args(["x86_64-unknown-linux-musl", binary()])
        .output();
    assert_eq!(Answer::new(pack.unwrap()).code, 0);
    // Serves the release; there is no cargo.
    let curl = format!(
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --output ] && out=$2; shift; done\n\
         exec cp '{}'/\"${{1#*/download/}}\" \"$out\"\n",
        tools.path("release").display()
    );
    tools.write("bin/curl", curl);
    fs::set_permissions(tools.path("bin/curl"), fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_MANIFEST_DIR"), tools.path("v1.2.3")).unwrap();
    let path = format!("{}:/usr/bin:/bin", tools.path("bin").display());
    let action = tools.path("v1.2.3");
    let run = |arch| {
        let env = [
            ("PATH", path.as_str()),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_ARCH", arch),
            ("GITHUB_ACTION_PATH", action.to_str().unwrap()),
        ];
        run_action(&it, &[], &env)
    };
    let outcome = run("X64");
    assert_eq!(outcome.outputs["exit-code"], "0", "{}", outcome.answer.text());
    assert_ne!(run("ARM64").answer.code, 0, "there is none for it, and no cargo");
    tools.write("release/v1.2.3/terraschema-x86_64-unknown-linux-musl.tar.gz", "forged");
    assert_ne!(run("X64").answer.code, 0, "it is not what the checksum is of");
}

#[test]
fn the_action_asks_for_no_write_permission() {
    for file in ["action.yml", "hooks/workflow.yml", ".github/workflows/ci.yml"] {
        let text = fs::read_to_string(file).unwrap();
        assert!(!text.contains(": write"), "{file}");
    }
}
