//! `tests/spec/console/*.md`: what `terraform console` prints, and so does `terraschema eval`.
//!
//! A block `terraform` is the module. A block `console` holds `> EXPR` lines, each followed by the
//! lines that are printed. A real Terraform, where there is one, is asked each alone, since of what
//! a pipe gives it only the last is answered; `UPDATE=1` writes down the answers.

use std::{fs, sync::Arc};

use libtest_mimic::{Completion, Failed, Trial};
use rayon::prelude::*;
use system::MemorySystem;
use terraschema::Console;
use testkit::{eval::terraform::Terraform, missing::MissingProgram};

use crate::pages;

/// An expression and what it prints.
type Entry = (String, String);

/// A test for each section: we print what it says.
pub fn trials() -> Vec<Trial> {
    let of_page = |name: String| {
        let text = pages::text(&name);
        let (module, all) = parse(&text);
        assert!(all.len() > 50, "only {} expressions", all.len());
        let module = Arc::new(module);
        let trial = |section: &str| {
            let title = section.lines().next().unwrap();
            let (module, entries) = (Arc::clone(&module), parse(section).1);
            Trial::test(format!("{name}: {title}"), move || print(&module, &entries))
        };
        text.split("\n## ").skip(1).map(trial).collect::<Vec<_>>()
    };
    pages::names("console").into_iter().flat_map(of_page).collect()
}

fn print(module: &str, entries: &[Entry]) -> Result<(), Failed> {
    assert!(entries.len() > 1, "only {} expressions", entries.len());
    let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
    for (expression, expected) in entries {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let arguments = ["terraschema", "eval", expression].iter().map(Into::into).collect();
        terraschema::run(arguments, &system, &mut Console::to(&mut stdout, &mut stderr));
        let printed = String::from_utf8(stdout).expect("text");
        assert_eq!(printed, *expected, "{expression}: {}", String::from_utf8_lossy(&stderr));
    }
    Ok(())
}

/// A test for each file: Terraform prints what it says.
pub fn replays() -> Vec<Trial> {
    let trial = |name: String| {
        Trial::ignorable_test(format!("{name}: as Terraform prints"), move || replay(&name))
    };
    pages::names("console").into_iter().map(trial).collect()
}

fn replay(name: &str) -> Result<Completion, Failed> {
    let Some(terraform) = Terraform::recorded("") else {
        return MissingProgram::terraform().ended();
    };
    let text = pages::text(name);
    let (module, entries) = parse(&text);
    assert!(entries.len() > 50, "only {} expressions", entries.len());
    let ask = |(expression, _): &Entry| terraform.console(&module, expression);
    let answers: Vec<String> = entries.par_iter().map(ask).collect();
    if pages::is_update() {
        let mut updated = text.clone();
        for ((expression, old), new) in entries.iter().zip(&answers) {
            let old = format!("> {expression}\n{old}");
            updated = updated.replacen(&old, &format!("> {expression}\n{new}"), 1);
        }
        fs::write(pages::path(name), updated).expect("a transcript");
        return Ok(Completion::Completed);
    }
    for ((expression, expected), actual) in entries.iter().zip(&answers) {
        assert_eq!(actual, expected, "{expression}");
    }
    Ok(Completion::Completed)
}

/// The module, and each expression with what it prints.
fn parse(text: &str) -> (String, Vec<Entry>) {
    let (mut module, mut entries) = (String::new(), Vec::new());
    let mut block = "";
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            block = language;
        } else if block == "terraform" {
            module = module + line + "\n";
        } else if let ("console", Some(expression)) = (block, line.strip_prefix("> ")) {
            entries.push((expression.to_owned(), String::new()));
        } else if let ("console", Some((_, printed))) = (block, entries.last_mut()) {
            *printed += line;
            *printed += "\n";
        }
    }
    (module, entries)
}
