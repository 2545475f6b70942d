//! `file:line:col: level[rule] message`, one line a finding: for editors, `grep` and scripts.

use std::fmt::Write;

use super::{Report, context};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        match finding.locations.first() {
            Some(at) => _ = write!(out, "{}:{}:{}: ", at.file, at.line, at.column),
            None if finding.module.is_empty() => (),
            None => _ = write!(out, "{}: ", finding.module),
        }
        let mut message = one_line(&finding.message);
        if let Some(called) = context(finding) {
            _ = write!(message, " ({called})");
        }
        _ = writeln!(out, "{}[{}] {message}", finding.level.as_str(), finding.rule);
    }
    for it in report.blocked_by_problem() {
        if let Some(at) = it.locations().first() {
            _ = write!(out, "{}:{}:{}: ", at.file, at.line, at.column);
        }
        _ = writeln!(out, "note[not-judged] {}", one_line(&it.blocked_text()));
    }
    out
}

/// The message with its lines joined by spaces.
pub(super) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
