//! The changes in `tests/spec/compat`: each with the level that it must have, which nothing rewrites, and the expected
//! findings, which `UPDATE=1` rewrites.
//!
//! Where there is a Terraform, each witness is planned with both modules. It is accepted with the old one and refused
//! with the new one, unless it shows what is lost.

use std::{fs, process::Command};

use libtest_mimic::{Completion, Failed, Trial};
use testkit::{compat::report, eval::terraform::Terraform, missing::MissingProgram};

use crate::pages::{self, Checked};

pub fn trials() -> Vec<Trial> {
    pages::trials("compat", check)
}

/// A change for which there is a witness, in Terraform's own words; where the releases differ, a plan of one of
/// them shows nothing.
pub fn replays() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, change) in changes() {
        let title = format!("{name}: {} (Terraform)", change.title);
        trials.push(Trial::ignorable_test(title, move || replay(&change)));
    }
    assert!(trials.len() > 30, "only {} witnesses", trials.len());
    trials
}

/// The changes for which there is a witness, with their pages.
pub fn changes() -> Vec<(String, Change)> {
    let mut found = Vec::new();
    for name in pages::names("compat").into_iter().filter(|it| it != "compat/versions.md") {
        for section in pages::text(&name).split("\n## ").skip(1) {
            let change = Change::of(section);
            if change.said.contains("  module \"example\"") && !change.said.contains("hidden") {
                found.push((name.clone(), change));
            }
        }
    }
    found
}

/// A section: two modules, and the findings about the change.
#[derive(Clone)]
pub struct Change {
    pub title: String,
    level: String,
    pub before: String,
    pub after: String,
    said: String,
}

impl Change {
    fn of(section: &str) -> Change {
        let (title, rest) = section.split_once('\n').unwrap();
        let (title, level) = title.rsplit_once(": ").unwrap();
        let blocks = rest.split("```").skip(1).step_by(2);
        let mut blocks = blocks.map(|it| it.split_once('\n').map(|it| it.1.to_owned()).unwrap());
        let mut block = || blocks.next().unwrap();
        let [title, level] = [title, level].map(str::to_owned);
        Change { title, level, before: block(), after: block(), said: block() }
    }

    pub fn module(&self) -> serde_json::Value {
        report(&self.before, &self.after)["compat"]["modules"][0].clone()
    }
}

fn check(section: &str) -> Checked {
    let change = Change::of(section);
    let module = change.module();
    let level = module["level"].as_str().unwrap_or("none");
    let wrong = (level != change.level).then(|| format!("the level is {level}"));
    let said = said(&module);
    let Change { title, level, before, after, .. } = change;
    let section = format!(
        "{title}: {level}\n```terraform\n{before}```\n\n```terraform\n{after}```\n\n```text\n{said}```"
    ) + if section.ends_with('\n') { "\n" } else { "" };
    Checked { section, wrong: wrong.into_iter().collect() }
}

/// The findings about a change.
fn said(module: &serde_json::Value) -> String {
    let mut out = String::new();
    for it in module["changes"].as_array().into_iter().flatten() {
        let text = |name: &str| it[name].as_str().unwrap_or_default();
        out += &format!("{} {}: {}\n", text("level"), text("rule"), text("message"));
        out.extend(text("witness").lines().map(|it| format!("  {it}\n")));
    }
    out
}

/// Whether a plan of a root with the block takes it, and what it says.
pub fn plans(module: &str, block: &str) -> (bool, String) {
    let space = tempfile::tempdir().unwrap();
    fs::create_dir(space.path().join("after")).unwrap();
    fs::write(space.path().join("after/main.tf"), module).unwrap();
    fs::write(space.path().join("main.tf"), block).unwrap();
    let terraform = |arguments: &[&str]| {
        let mut command = Command::new("terraform");
        let output = command.args(arguments).current_dir(space.path()).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_taken, said) = terraform(&["init", "-no-color"]);
    if !is_taken {
        return (false, said);
    }
    terraform(&["plan", "-no-color", "-input=false", "-lock=false"])
}

/// Whether a witness of the rule is still accepted, and shows what is lost.
pub fn is_loss(rule: &str) -> bool {
    ["value-lost", "null-becomes-default", "optional-gained-default"].contains(&rule)
}

fn replay(change: &Change) -> Result<Completion, Failed> {
    if Terraform::recorded("").is_none() {
        return MissingProgram::terraform().ended();
    }
    let module = change.module();
    for it in module["changes"].as_array().into_iter().flatten() {
        let Some(block) = it["witness"].as_str() else { continue };
        let is_loss = is_loss(it["rule"].as_str().unwrap());
        let (before, why) = plans(&change.before, block);
        let (after, _) = plans(&change.after, block);
        if !before || after != is_loss {
            return Err(format!("before {before}, after {after}\n{block}\n{why}").into());
        }
    }
    Ok(Completion::Completed)
}
