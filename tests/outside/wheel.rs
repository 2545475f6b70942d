//! The wheel that maturin makes, and the hooks that install it with the real pre-commit.
#![cfg(unix)]

use std::{path::Path, process::Command};

use report::TOOL_VERSION;
use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace, binary, isolated},
};

use crate::tools;

trials![the_wheel_brings_the_command_and_hooks_that_need_no_compiler];

/// The wheel of the build that is being tested, made once.
fn wheel(dir: &Path) -> Result<(), MissingProgram> {
    let maturin = tools::python_program("maturin")?;
    binary(); // Kept before maturin moves it.
    let mut command = isolated(maturin, ".".as_ref());
    command.args(["build", "--profile", "dev", "--out"]).arg(dir);
    let answer = Answer::new(command.output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    Ok(())
}

fn the_wheel_brings_the_command_and_hooks_that_need_no_compiler() -> Result<(), MissingProgram> {
    let it = Workspace::new();
    wheel(&it.path("wheels"))?;
    let python = tools::python()?;
    let wheels = it.path("wheels");
    let mut venv = Command::new(&python);
    assert!(venv.args(["-m", "venv"]).arg(it.path("venv")).status().unwrap().success());
    let mut pip = Command::new(it.path("venv/bin/pip"));
    pip.args(["install", "-q", "--no-index", "--disable-pip-version-check", "--find-links"]);
    let answer = Answer::new(pip.arg(&wheels).arg("terraschema").output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    let installed = it.path("venv/bin/terraschema");
    let run = |arguments: &[&str]| {
        Answer::new(isolated(&installed, ".".as_ref()).args(arguments).output().unwrap())
    };
    assert_eq!(run(&["--version"]).stdout, format!("terraschema {TOOL_VERSION}\n"));
    assert_eq!(run(&["check", "examples/web-service"]).code, 0);
    hooks_need_no_compiler(&python, &wheels);
    Ok(())
}

/// pre-commit with the mirror, where neither cargo nor the command is on the path.
fn hooks_need_no_compiler(python: &Path, wheels: &Path) {
    let (mirror, project) = (Workspace::repository(), Workspace::repository());
    let path = mirror.path("");
    let mut script = isolated("scripts/pre-commit-mirror", ".".as_ref());
    assert_eq!(Answer::new(script.arg(&path).output().unwrap()).code, 0);
    let hooks = mirror.read(".pre-commit-hooks.yaml");
    assert!(!hooks.contains("rust") && !hooks.contains("system"), "{hooks}");
    assert_eq!(hooks.matches("language: python").count(), 2);
    mirror.commit("The mirror");
    let revision = mirror.git(&["rev-parse", "HEAD"]);
    let url = path.display();
    project.write(
        ".pre-commit-config.yaml",
        format!("repos:\n  - repo: {url}\n    rev: {revision}    hooks:\n      - id: terraschema-check\n"),
    );
    project.write("m/main.tf", "variable \"x\" {\n  type = string\n}\n");
    project.git(&["add", "-A"]);
    let mut command = isolated(python, &project.path(""));
    command.args(["-m", "pre_commit", "run", "--all-files"]);
    command.env("PRE_COMMIT_HOME", mirror.path(".git/home")).env("PIP_FIND_LINKS", wheels);
    let answer = Answer::new(command.env("PATH", "/usr/bin:/bin").output().unwrap());
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.text().contains("missing-schema"), "{}", answer.text());
}
