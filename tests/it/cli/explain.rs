//! The pages of `docs/rules`: there is one for each rule, and what it shows is what happens.
//!
//! `UPDATE=1` rewrites the transcripts.

use std::{collections::BTreeSet, fs, path::Path};

use diagnostics::{LINTS, Lint};
use similar::TextDiff;
use system::MemorySystem;
use terraschema::Exit;
use testkit::transcript::{run, transcript};

/// Rules whose page says why it has no example.
const WITHOUT_EXAMPLE: &[&str] = &["outside-root", "unreadable-file"];

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let pages: BTreeSet<String> = fs::read_dir("docs/rules")
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter_map(|it| it.strip_suffix(".md").map(str::to_owned))
        .filter(|it| it != "README")
        .collect();
    let rules: BTreeSet<String> = LINTS.iter().map(|it| it.id.to_owned()).collect();
    assert_eq!(pages, rules);
}

#[test]
fn every_rule_is_told_somewhere() {
    let mut code = Vec::new();
    for top in ["src", "crates"] {
        read_code(Path::new(top), &mut code);
    }
    let is_told = |id: &str| {
        let name = format!("lints::{}", id.to_uppercase().replace('-', "_"));
        code.iter().any(|it| it.contains(&name))
    };
    let silent = LINTS.iter().map(|it| it.id).filter(|it| !is_told(it));
    assert_eq!(silent.collect::<Vec<_>>(), [""; 0], "nothing tells them");
}

/// Ids are compared by their declarations, so none is written elsewhere.
#[test]
fn no_id_of_a_rule_stands_in_the_code() {
    let mut code = Vec::new();
    for top in ["src", "crates"] {
        read_code(Path::new(top), &mut code);
    }
    let is_written = |id: &str| code.iter().any(|it| it.contains(&format!("\"{id}\"")));
    let written = LINTS.iter().map(|it| it.id).filter(|it| is_written(it));
    assert_eq!(written.collect::<Vec<_>>(), [""; 0], "`diagnostics::lints` declares them");
}

const DECLARATIONS: [&str; 2] =
    ["crates/diagnostics/src/lints.rs", "crates/diagnostics/src/lints/compat.rs"];

/// The source files but those that declare the rules. `testkit` belongs to the tests, which compare what is printed.
fn read_code(dir: &Path, code: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("crates/testkit") {
            continue;
        }
        if path.is_dir() {
            read_code(&path, code);
        } else if !DECLARATIONS.iter().any(|it| path.ends_with(it)) {
            let text = fs::read_to_string(path).unwrap();
            let is_code = |it: &&str| !it.trim_start().starts_with("//");
            code.push(text.lines().filter(is_code).collect::<Vec<_>>().join("\n"));
        }
    }
}

const INTRODUCTION: &str = "\
# Rules

These are errors:

- what Terraform refuses;
- what Terraform drops without a message;
- a schema that is missing, stale or orphaned;
- what could not be read, judged or configured.

Everything else is at most a warning. What nobody needs to change is a note.

The table shows the default levels. To change one, write `rule \"ID\" { level = … }` in
[`.terraschema.hcl`](../configuration.md). A run fails on an `error`; `--fail-on` changes that. A
single finding may have a lower level than its rule. The table or the rule's page says when.
";

#[test]
fn the_table_of_rules_gives_every_default_level() {
    let mut table = format!(
        "{INTRODUCTION}\n| rule | level | what it finds | why this level |\n|---|---|---|---|\n"
    );
    for rule in LINTS {
        let (id, level) = (rule.id, rule.level.as_str());
        let (summary, reason) = (rule.summary, rule.reason);
        table += &format!("| [`{id}`]({id}.md) | {level} | {summary} | {reason} |\n");
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write("docs/rules/README.md", &table).unwrap();
    }
    let page = fs::read_to_string("docs/rules/README.md").unwrap();
    let difference =
        TextDiff::from_lines(&page, &table).unified_diff().context_radius(0).to_string();
    assert!(page == table, "UPDATE=1 cargo test --test it -- explain rewrites it:\n{difference}");
    let is_said = |it: &&&Lint| it.reason.ends_with('.') && !it.reason.contains('|');
    assert_eq!(LINTS.iter().find(|it| !is_said(it)), None, "every level has its reason");
}

#[test]
fn explain_prints_the_page() {
    for rule in LINTS {
        let page = fs::read_to_string(path(rule.id)).unwrap();
        let (exit, output) = run(&format!("terraschema explain {}", rule.id), &MemorySystem::new());
        assert_eq!((exit, output), (Exit::Clean, page), "{}", rule.id);
    }
}

#[test]
fn explain_lists_all_rules_and_knows_no_others() {
    let (exit, output) = run("terraschema explain", &MemorySystem::new());
    assert_eq!(exit, Exit::Clean);
    let listed: Vec<&str> = output.lines().filter_map(|it| it.split_whitespace().next()).collect();
    let rules: Vec<&str> = LINTS.iter().map(|it| it.id).collect();
    assert_eq!(listed, rules);
    let (exit, output) = run("terraschema explain unknown-atribute", &MemorySystem::new());
    assert_eq!(exit, Exit::Failure);
    assert!(output.contains("did you mean \"unknown-attribute\"?"), "{output}");
    let (_, output) = run("terraschema explain failed-validatio", &MemorySystem::new());
    let nearest = "unknown rule \"failed-validatio\"; did you mean \"failed-validation\"?";
    assert!(output.contains(nearest), "{output}");
    let (_, output) = run("terraschema explain invalid-m", &MemorySystem::new());
    assert!(output.contains("did you mean one of invalid-module, invalid-move?"), "{output}");
}

#[test]
fn pages_have_their_sections() {
    for rule in LINTS {
        let page = fs::read_to_string(path(rule.id)).unwrap();
        let beginning = format!("# {}\n\n{}\n", rule.id, rule.summary);
        assert!(
            page.starts_with(&beginning),
            "docs/rules/{}.md begins with its name and the summary of its declaration:\n{beginning}",
            rule.id
        );
        let mut rest = page.as_str();
        for section in ["## What it does", "## Why it is bad", "## Example", "## How to fix"] {
            let at = rest.find(section).unwrap_or_else(|| panic!("{}: no {section}", rule.id));
            rest = &rest[at..];
        }
    }
}

#[test]
fn examples_give_what_their_pages_show() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for rule in LINTS.iter().filter(|it| !WITHOUT_EXAMPLE.contains(&it.id)) {
        let page = fs::read_to_string(path(rule.id)).unwrap();
        let actual = replay(&page);
        let named = format!("[{}]", rule.id);
        assert!(actual.contains(&named), "{}: the example does not show it\n{actual}", rule.id);
        if actual != page && update {
            fs::write(path(rule.id), &actual).unwrap();
        } else if actual != page {
            failures.push(format!("{}:\n{actual}", rule.id));
        }
    }
    assert!(failures.is_empty(), "UPDATE=1 rewrites these pages:\n{}", failures.join("\n"));
}

fn path(rule: &str) -> String {
    format!("docs/rules/{rule}.md")
}

/// The page with its transcript as it comes out today.
fn replay(page: &str) -> String {
    let mut system = MemorySystem::new().working_in("/module");
    let (mut out, mut lines) = (String::new(), page.lines());
    let mut before = "";
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                before = line;
            }
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
        if language == "console" {
            let commands = block.iter().filter(|it| it.starts_with("$ "));
            commands.for_each(|it| out += &transcript(it, &system));
        } else {
            let name = before.trim_matches('`');
            let text = block.join("\n") + "\n";
            system = system.file(Path::new("/module").join(name), &text);
            out += &text;
        }
        out += "```\n";
    }
    out
}
