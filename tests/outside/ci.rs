//! Workflows and scripts, ours and those of `docs/ci.md`, pass the linters that others have for them.
#![cfg(unix)]

use std::fs;

use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace, isolated},
    yaml::{ci_blocks, yaml},
};

use crate::tools;

trials![the_documented_jobs_are_what_their_systems_read, workflows_and_scripts_pass_their_linters];

fn the_documented_jobs_are_what_their_systems_read() -> Result<(), MissingProgram> {
    let (schemas, actionlint) = (tools::python_program("check-jsonschema")?, tools::actionlint()?);
    let it = Workspace::new();
    for (text, page) in ci_blocks() {
        it.write("it.yml", text);
        let is_github = page.get("jobs").is_some();
        let schema = if is_github { "vendor.github-workflows" } else { "vendor.gitlab-ci" };
        let mut command = isolated(&schemas, &it.path(""));
        command.args(["--builtin-schema", schema, "it.yml"]);
        let answer = Answer::new(command.output().unwrap());
        assert_eq!(answer.code, 0, "{}", answer.text());
        if is_github {
            lint(&actionlint, &it.path("it.yml"));
        }
    }
    Ok(())
}

/// Runs actionlint on a workflow, with shellcheck over its scripts.
#[track_caller]
fn lint(actionlint: &std::path::Path, workflow: &std::path::Path) {
    let shellcheck = tools::python_program("shellcheck").unwrap();
    let mut command = isolated(actionlint, ".".as_ref());
    command.arg("-shellcheck").arg(shellcheck).arg("-pyflakes=").arg(workflow);
    let answer = Answer::new(command.output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
}

fn workflows_and_scripts_pass_their_linters() -> Result<(), MissingProgram> {
    let (schemas, actionlint) = (tools::python_program("check-jsonschema")?, tools::actionlint()?);
    let mut workflows = vec!["hooks/workflow.yml".into()];
    workflows.extend(fs::read_dir(".github/workflows").unwrap().map(|it| it.unwrap().path()));
    let check = |schema: &str, file: &std::path::Path| {
        let mut command = isolated(&schemas, ".".as_ref());
        command.args(["--builtin-schema", schema]).arg(file);
        let answer = Answer::new(command.output().unwrap());
        assert_eq!(answer.code, 0, "{}", answer.text());
    };
    for workflow in workflows {
        check("vendor.github-workflows", &workflow);
        lint(&actionlint, &workflow);
    }
    check("vendor.github-actions", "action.yml".as_ref());
    // actionlint does not read actions: their scripts go to shellcheck by themselves.
    let it = Workspace::new();
    let action = yaml(&fs::read_to_string("action.yml").unwrap());
    for (n, step) in action["runs"]["steps"].as_array().unwrap().iter().enumerate() {
        it.write(&format!("step-{n}.bash"), step["run"].as_str().unwrap());
    }
    let mut scripts: Vec<_> =
        fs::read_dir(it.path("")).unwrap().map(|it| it.unwrap().path()).collect();
    let listed = ["tests/run", ".ci/run"].map(Into::into);
    scripts.extend(listed);
    scripts.extend(fs::read_dir("scripts").unwrap().map(|it| it.unwrap().path()));
    scripts.retain(|it| {
        let text = fs::read_to_string(it).unwrap();
        it.extension().is_some_and(|it| it == "bash")
            || text.starts_with("#!/bin/sh")
            || text.starts_with("#!/usr/bin/env bash")
    });
    let mut command = isolated(tools::python_program("shellcheck").unwrap(), ".".as_ref());
    let answer = Answer::new(command.arg("--shell=bash").args(scripts).output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    let mut command = isolated(tools::python_program("shellcheck").unwrap(), ".".as_ref());
    command.args(["--shell=sh", "hooks/action.sh", "hooks/install.sh"]);
    let answer = Answer::new(command.output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    Ok(())
}
