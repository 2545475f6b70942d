//! Workflow commands of GitHub Actions: annotations in the pull request.

use std::fmt::Write;

use super::{NotJudged, Report, whole_message};
use diagnostics::{Finding, Level, Location};

/// The number of annotations that GitHub shows of each level for each step; it drops the rest without a
/// word.
const SHOWN: usize = 10;

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        let mut found = if level == Level::Error { failures(report) } else { Vec::new() };
        found.extend(report.findings.iter().filter(|it| it.level == level).map(annotation));
        if level == Level::Note {
            found.extend(report.blocked_by_problem().iter().map(not_judged));
        }
        // The last annotation says how many are hidden, so that nobody takes the list for complete.
        let room = if found.len() > SHOWN { SHOWN - 1 } else { SHOWN };
        out.extend(found.iter().take(room).map(String::as_str));
        if found.len() > room {
            let (command, hidden) = (command(level), found.len() - room);
            _ = writeln!(out, "::{command} title=terraschema::and {hidden} more; see the log");
        }
    }
    out
}

fn failures(report: &Report) -> Vec<String> {
    let failures = report.failures.iter();
    failures.map(|it| format!("::error title=terraschema::{}\n", data(it))).collect()
}

fn annotation(it: &Finding) -> String {
    let properties = place(it.locations.first());
    let message = whole_message(it);
    let (command, title) = (command(it.level), property(&format!("terraschema {}", it.rule)));
    format!("::{command} {properties}title={title}::{}\n", data(&message))
}

/// What a problem keeps from being judged, at the place of the problem.
fn not_judged(it: &NotJudged) -> String {
    let properties = place(it.locations().first());
    format!("::notice {properties}title=terraschema not judged::{}\n", data(&it.blocked_text()))
}

fn place(at: Option<&Location>) -> String {
    let mut properties = String::new();
    if let Some(at) = at {
        let file = property(&at.file);
        _ = write!(properties, "file={file},line={},endLine={},", at.line, at.end_line);
        // GitHub understands columns only if the place is on one line.
        if at.line == at.end_line {
            _ = write!(properties, "col={},endColumn={},", at.column, at.end_column);
        }
    }
    properties
}

fn command(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
