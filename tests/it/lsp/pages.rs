//! Every example of `docs/rules` is opened, broken and repaired.

use std::{fs, process::Command};

use diagnostics::LINTS;
use serde_json::json;
use testkit::{
    client::Client,
    workspace::{binary, isolated},
};

use super::{Texts, Units, assert_same};

/// The files of a page's example, and the commands that write its schemas.
pub(super) fn example(page: &str) -> (Texts, Vec<String>) {
    let (mut texts, mut commands, mut before) = (Texts::new(), Vec::new(), "");
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                before = line;
            }
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
        if language == "console" {
            let commands_of = block.iter().filter_map(|it| it.strip_prefix("$ terraschema "));
            commands.extend(commands_of.filter(|it| it.contains("-o ")).map(str::to_owned));
        } else if before.starts_with('`') {
            texts.insert(before.trim_matches('`').to_owned(), block.join("\n") + "\n");
        }
    }
    (texts, commands)
}

fn is_document(name: &str) -> bool {
    [".tf", ".tofu", ".tfvars", ".tf.json", ".tfvars.json"].iter().any(|it| name.ends_with(it))
        || name == ".terraschema.hcl"
}

#[test]
fn every_example_is_opened_broken_and_repaired() {
    let mut number = 0;
    for rule in LINTS {
        let page = fs::read_to_string(format!("docs/rules/{}.md", rule.id)).unwrap();
        let (files, commands) = example(&page);
        if files.is_empty() {
            continue;
        }
        let units = if number % 2 == 0 { Units::Utf16 } else { Units::Bytes };
        let mut client = Client::with(&[], units.capabilities(), json!({}));
        for (name, text) in &files {
            client.write(name, text);
        }
        for command in commands {
            let mut run: Command = isolated(binary(), &client.path(""));
            run.args(command.split_whitespace()).output().unwrap();
        }
        let texts: Texts = files.into_iter().filter(|it| is_document(&it.0)).collect();
        for (name, text) in &texts {
            client.open_text(name, text);
        }
        let what = |step: &str| format!("{}, {step}", rule.id);
        assert_same(&mut client, &texts, units, &what("opened"));
        for (which, (name, text)) in texts.iter().enumerate() {
            let half = (0..=text.len() / 2).rev().find(|it| text.is_char_boundary(*it)).unwrap();
            let broken = [text[..half].to_owned(), format!("{{{text}"), text[half..].to_owned()];
            // A third of all ways is enough: each takes a process.
            let at = (number + which) % broken.len();
            let mut texts = texts.clone();
            texts.insert(name.clone(), broken[at].clone());
            client.edit(name, &broken[at]);
            assert_same(&mut client, &texts, units, &what(&format!("{name} broken {at}")));
            client.edit(name, text);
        }
        assert_same(&mut client, &texts, units, &what("repaired"));
        number += 1;
    }
    assert!(number > 60, "{number}");
}
