//! `docs/cli.md`, the command line as `--help` prints it. `UPDATE=1` rewrites the page.
#![allow(clippy::disallowed_methods)] // The page is not part of any layer.

use std::{fmt::Write as _, fs};

use system::MemorySystem;

use super::terraschema;
use crate::markdown::wrap;

const PAGE: &str = "docs/cli.md";
const INTRODUCTION: &str = "\
# Command line

`terraschema --help` and `terraschema COMMAND --help` print the text of this page, and
`terraschema man COMMAND` prints it as a man page. The page is generated.
";

/// The commands, each with its words: `generate`, `policy`, `policy test`.
fn commands(above: &str) -> Vec<String> {
    let (_, help) = terraschema(&MemorySystem::new(), &format!("{above} --help"));
    let lines = help.lines().skip_while(|it| *it != "Commands:").skip(1);
    let names = lines.take_while(|it| !it.is_empty()).filter(|it| it.starts_with("  "));
    let names = names.filter_map(|it| it.split_whitespace().next()).filter(|it| *it != "help");
    names
        .flat_map(|name| {
            let words = format!("{above} {name}").trim().to_owned();
            let below = commands(&words);
            [vec![words], below].concat()
        })
        .collect()
}

/// Text that Markdown leaves alone: what looks like markup outside of code is escaped.
fn text(plain: &str) -> String {
    let mut out = String::new();
    for (at, part) in plain.split('`').enumerate() {
        if at % 2 == 1 {
            write!(out, "`{part}`").unwrap();
            continue;
        }
        for it in part.chars() {
            if matches!(it, '*' | '_' | '<' | '>' | '[' | ']' | '\\' | '|') {
                out.push('\\');
            }
            out.push(it);
        }
    }
    out
}

/// The list of a section: an entry is a line of two to six spaces, or is followed by deeper lines.
fn entries(lines: &[&str]) -> String {
    let mut entries: Vec<(String, Vec<&str>)> = Vec::new();
    for line in lines.iter().filter(|it| !it.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        if indent < 10 {
            let (name, about) = line.trim().split_once("  ").unwrap_or((line.trim(), ""));
            let about = about.trim();
            let about = if about.is_empty() { vec![] } else { vec![about] };
            entries.push((name.to_owned(), about));
        } else if let Some(entry) = entries.last_mut() {
            // The values that an option takes are a list of their own there.
            entry.1.push(line.trim().trim_start_matches("- "));
        }
    }
    let item_of = |(name, about): (String, Vec<&str>)| {
        let about = text(&about.join(" "));
        wrap(format!("`{name}`: {about}").trim_end_matches(": "), "- ", "  ")
    };
    entries.into_iter().map(item_of).collect()
}

fn section(command: &str) -> String {
    let (_, help) = terraschema(&MemorySystem::new(), &format!("{command} --help"));
    let (about, rest) = help.split_once("\n\nUsage: ").unwrap();
    let name = format!("terraschema {command}");
    let mut out = format!("\n## {}\n\n{}.\n", name.trim(), text(about.trim_end_matches('.')));
    let mut lines = rest.lines();
    let usage: Vec<&str> = lines.by_ref().take_while(|it| !it.is_empty()).map(str::trim).collect();
    write!(out, "\n```text\n{}\n```\n", usage.join("\n")).unwrap();
    let lines: Vec<&str> = lines.collect();
    let is_heading = |it: &&str| !it.starts_with(' ') && it.ends_with(':');
    for part in lines
        .split(|it| it.is_empty())
        .collect::<Vec<_>>()
        .chunk_by(|_, next| next.first().is_none_or(|it| !is_heading(it)))
    {
        let part: Vec<&str> = part.iter().flat_map(|it| it.iter().copied()).collect();
        match part.split_first() {
            Some((heading, lines)) if is_heading(heading) && *heading != "Commands:" => {
                let list = entries(lines);
                write!(out, "\n### {}\n\n{list}", heading.trim_end_matches(':')).unwrap();
            }
            _ => (),
        }
    }
    out
}

#[test]
fn the_page_is_what_help_prints() {
    let commands = commands("");
    assert!(commands.len() >= 12 && commands.contains(&"policy test".to_owned()), "{commands:?}");
    let sections = commands.iter().map(|it| section(it));
    let page: String = std::iter::once(INTRODUCTION.to_owned()).chain(sections).collect();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    let committed = fs::read_to_string(PAGE).unwrap();
    assert!(committed == page, "UPDATE=1 cargo test --test it -- cli::reference rewrites {PAGE}");
    // Each flag of each command is there.
    for command in &commands {
        let (_, help) = terraschema(&MemorySystem::new(), &format!("{command} --help"));
        let flags = help.lines().filter(|it| it.trim_start().starts_with('-'));
        let flags = flags.filter(|it| !it.starts_with("          "));
        let (_, section) = page.split_once(&format!("\n## terraschema {command}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        for flag in flags.map(|it| it.trim().split("  ").next().unwrap()) {
            assert!(section.contains(&format!("\n- `{flag}`")), "{command} {flag}: {section}");
        }
    }
}
