//! `tests/spec/console/values.md`: what `terraform console` prints, and so does `terraschema eval`.
//!
//! A block `terraform` is the module. A block `console` holds `> EXPR` lines, each followed by the
//! lines that are printed. A real Terraform, where there is one, is asked each alone, since of what
//! a pipe gives it only the last is answered; `UPDATE=1` writes down the answers.

use std::{fs, path::Path};

use terraschema::{
    cli::{self, Console},
    system::MemorySystem,
};

use super::terraform::Terraform;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spec/console/values.md");

#[test]
fn values_are_printed_as_recorded() {
    let text = fs::read_to_string(PATH).expect("a transcript");
    let (module, entries) = parse(&text);
    assert!(entries.len() > 50, "only {} expressions", entries.len());
    let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
    for (expression, expected) in entries {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let arguments = ["terraschema", "eval", expression].iter().map(Into::into).collect();
        cli::run(arguments, &system, &mut Console::to(&mut stdout, &mut stderr));
        let printed = String::from_utf8(stdout).expect("text");
        assert_eq!(printed, expected, "{expression}: {}", String::from_utf8_lossy(&stderr));
    }
}

#[test]
fn terraform_prints_the_same() {
    let text = fs::read_to_string(PATH).expect("a transcript");
    let (module, entries) = parse(&text);
    let Some(terraform) = Terraform::recorded("") else {
        eprintln!("LEFT OUT: no terraform 1.11 to replay the console");
        return;
    };
    let ask = |expression: &str| terraform.console(&module, expression);
    if std::env::var_os("UPDATE").is_some() {
        let mut updated = text.clone();
        for (expression, old) in &entries {
            let (old, new) = (format!("> {expression}\n{old}"), ask(expression));
            updated = updated.replacen(&old, &format!("> {expression}\n{new}"), 1);
        }
        fs::write(Path::new(PATH), updated).expect("a transcript");
        return;
    }
    for (expression, expected) in &entries {
        assert_eq!(ask(expression), *expected, "{expression}");
    }
}

/// The module, and each expression with what it prints.
fn parse(text: &str) -> (String, Vec<(&str, String)>) {
    let (mut module, mut entries) = (String::new(), Vec::new());
    let mut block = "";
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            block = language;
        } else if block == "terraform" {
            module = module + line + "\n";
        } else if let ("console", Some(expression)) = (block, line.strip_prefix("> ")) {
            entries.push((expression, String::new()));
        } else if let ("console", Some((_, printed))) = (block, entries.last_mut()) {
            *printed += line;
            *printed += "\n";
        }
    }
    (module, entries)
}
