//! The language server says what `check` says about the same text.

mod actions;
mod completions;
mod edits;
mod pages;
mod trees;
mod world;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{
    client::{self, Client},
    workspace::{Answer, binary, isolated},
};
use unicode_segmentation::UnicodeSegmentation;

/// The units in which a client counts characters.
#[derive(Clone, Copy, Debug)]
enum Units {
    Bytes,
    Utf16,
}

impl Units {
    fn count(self, text: &str) -> usize {
        match self {
            Units::Bytes => text.len(),
            Units::Utf16 => text.encode_utf16().count(),
        }
    }

    fn capabilities(self) -> Value {
        match self {
            Units::Bytes => json!({"general": {"positionEncodings": ["utf-8"]}}),
            Units::Utf16 => json!({}),
        }
    }
}

/// The texts of the open files by name.
type Texts = BTreeMap<String, String>;

/// A line and a character from 0, as the protocol has them, of a line and a column from 1.
fn position(text: &str, line: u64, column: u64, units: Units) -> String {
    // `check` counts lines by `\n` and columns by grapheme clusters.
    let content = text.split('\n').nth(usize::try_from(line).unwrap() - 1).unwrap_or_default();
    let content = content.trim_end_matches('\r');
    let content = if line == 1 { content.trim_start_matches('\u{feff}') } else { content };
    let marks = if line == 1 && text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let before: String =
        content.graphemes(true).take(usize::try_from(column).unwrap() - 1).collect();
    // A lone carriage return ends a line of the protocol.
    let ends = |text: &str| text.replace("\r\n", "\n").matches(['\n', '\r']).count();
    let lines: Vec<&str> = text.split('\n').take(usize::try_from(line).unwrap() - 1).collect();
    let above = lines.iter().map(|it| format!("{it}\n")).collect::<String>();
    let last = before.rsplit('\r').next().unwrap();
    let character =
        units.count(last) + if last.len() == before.len() { units.count(marks) } else { 0 };
    format!("{}:{character}", ends(&above) + before.matches('\r').count())
}

/// The findings of `check` that a client is to see, in lines.
fn checked(client: &Client, texts: &Texts, units: Units) -> Vec<String> {
    for (name, text) in texts {
        client.write(name, text);
    }
    let mut command = isolated(binary(), &client.path(""));
    let answer =
        Answer::new(command.args(["check", "--initialised", "--format=json"]).output().unwrap());
    let report: Value =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{answer:?}"));
    let is_configured = texts.contains_key(".terraschema.hcl");
    let mut lines = Vec::new();
    for it in report["findings"].as_array().unwrap() {
        let (rule, level) = (it["rule"].as_str().unwrap(), it["level"].as_str().unwrap());
        let Some(place) = it["locations"].get(0) else { continue };
        if level == "note" || rule == "missing-schema" && !is_configured {
            continue;
        }
        let name = place["file"].as_str().unwrap();
        // Nothing is reported about a module without an open file.
        let dir = |name: &str| name.rsplit_once('/').map_or(String::new(), |it| it.0.to_owned());
        if !texts.keys().any(|it| dir(it) == dir(name)) {
            continue;
        }
        let text = std::fs::read_to_string(client.path(name)).unwrap_or_default();
        let at = |line: &str, column: &str| {
            position(&text, place[line].as_u64().unwrap(), place[column].as_u64().unwrap(), units)
        };
        let (start, end) = (at("line", "column"), at("end_line", "end_column"));
        let headline = it["message"].as_str().unwrap().lines().next().unwrap();
        lines.push(format!("{name} {start}-{end} {level}[{rule}] {headline}"));
    }
    lines.sort();
    lines.dedup();
    lines
}

/// The diagnostics of a notification in lines.
fn lines_of(name: &str, params: &Value) -> Vec<String> {
    let found = params["diagnostics"].as_array().unwrap();
    found.iter().map(|it| format!("{name} {}", client::line(it))).collect()
}

/// What the client sees once the verdict on all present texts is there.
fn seen(client: &mut Client, texts: &Texts) -> Vec<String> {
    let mut lines = Vec::new();
    for name in texts.keys() {
        client.diagnostics(name);
    }
    client.rest();
    let uris: Vec<(String, String)> = texts.keys().map(|it| (it.clone(), client.uri(it))).collect();
    for (uri, params) in &client.pushed {
        let name = uris.iter().find(|it| it.1 == *uri).map(|it| it.0.clone());
        let name = name.unwrap_or_else(|| uri.rsplit('/').next().unwrap().to_owned());
        lines.extend(lines_of(&name, params));
    }
    lines.sort();
    lines.dedup();
    lines
}

/// Asserts that the client sees what `check` reports.
fn assert_same(client: &mut Client, texts: &Texts, units: Units, what: &str) {
    let (seen, checked) = (seen(client, texts), checked(client, texts, units));
    assert_eq!(seen, checked, "{what}\n{texts:#?}");
}
