//! The changes in `tests/spec/compat`: each with the level that it has to have, which nothing rewrites, and
//! what is said of it, which `UPDATE=1` does.
//!
//! Where there is a Terraform, each witness is planned with both modules: it is taken with the old one, and
//! refused with the new one, unless it shows what is lost.

use std::{fs, path::Path, process::Command};

use super::report;
use crate::workspace::Workspace;

/// One change.
pub struct Change {
    pub title: String,
    pub level: String,
    pub before: String,
    pub after: String,
    expected: String,
}

/// All changes of a page.
pub fn changes(page: &str) -> Vec<Change> {
    let sections = page.split("\n## ").skip(1);
    sections
        .map(|it| {
            let (title, rest) = it.split_once('\n').unwrap();
            let (title, level) = title.rsplit_once(": ").unwrap();
            let mut blocks = rest
                .split("```")
                .skip(1)
                .step_by(2)
                .map(|it| it.split_once('\n').map(|it| it.1.to_owned()).unwrap());
            let mut block = || blocks.next().unwrap();
            let [title, level] = [title, level].map(str::to_owned);
            Change { title, level, before: block(), after: block(), expected: block() }
        })
        .collect()
}

/// The pages, each with its path.
pub fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = fs::read_dir("tests/spec/compat")
        .unwrap()
        .map(|it| it.unwrap().path().display().to_string())
        .map(|it| (it.clone(), fs::read_to_string(&it).unwrap()))
        .collect();
    pages.sort();
    pages
}

/// What is said of a change.
fn said(module: &serde_json::Value) -> String {
    let mut out = String::new();
    for it in module["changes"].as_array().into_iter().flatten() {
        let text = |name: &str| it[name].as_str().unwrap_or_default();
        out += &format!("{} {}: {}\n", text("level"), text("rule"), text("message"));
        out.extend(text("witness").lines().map(|it| format!("  {it}\n")));
    }
    out
}

fn module_of(change: &Change) -> serde_json::Value {
    report(&change.before, &change.after)["compat"]["modules"][0].clone()
}

#[test]
fn every_change_has_its_level() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, page) in pages() {
        for change in changes(&page) {
            let module = module_of(&change);
            let level = module["level"].as_str().unwrap_or("none");
            if level != change.level {
                wrong.push(format!("{path}: {} is {level}\n{}", change.title, said(&module)));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 70, "{count}");
}

#[test]
fn every_change_is_said_as_its_page_shows() {
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for (path, page) in pages() {
        let mut new = page.split("\n## ").next().unwrap().to_owned();
        for change in changes(&page) {
            let said = said(&module_of(&change));
            if said != change.expected {
                wrong.push(format!("{path}: {}\n{said}", change.title));
            }
            let Change { title, level, before, after, .. } = change;
            new += &format!(
                "\n## {title}: {level}\n```terraform\n{before}```\n\n```terraform\n{after}```\n\n```text\n{said}```\n"
            );
        }
        if is_update {
            fs::write(path, new).unwrap();
        }
    }
    assert!(wrong.is_empty() || is_update, "UPDATE=1 rewrites them\n{}", wrong.join("\n"));
}

/// Whether a plan of a root with the block takes it.
fn plans(module: &str, block: &str) -> (bool, String) {
    let space = Workspace::new();
    space.write("after/main.tf", module).write("main.tf", block);
    let terraform = |arguments: &[&str]| {
        let mut command = Command::new("terraform");
        let output = command.args(arguments).current_dir(space.path("")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    };
    let (is_taken, said) = terraform(&["init", "-no-color"]);
    if !is_taken {
        return (false, said);
    }
    terraform(&["plan", "-no-color", "-input=false", "-lock=false"])
}

#[test]
#[ignore = "needs Terraform: cargo test --test it -- compat --ignored"]
fn terraform_says_the_same_of_every_witness() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, page) in pages() {
        if !Path::new(&path).ends_with("versions.md") {
            for change in changes(&page) {
                let module = module_of(&change);
                for it in module["changes"].as_array().into_iter().flatten() {
                    let Some(block) = it["witness"].as_str().filter(|it| !it.contains("hidden"))
                    else {
                        continue;
                    };
                    count += 1;
                    let is_loss = ["value-lost", "null-becomes-default", "optional-gained-default"]
                        .contains(&it["rule"].as_str().unwrap());
                    let (before, why) = plans(&change.before, block);
                    let (after, _) = plans(&change.after, block);
                    if !before || after != is_loss {
                        wrong.push(format!(
                            "{path}: {}: {before} {after}\n{block}\n{why}",
                            change.title
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "of {count}:\n{}", wrong.join("\n"));
    assert!(count > 30, "{count}");
}
