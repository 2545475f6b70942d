//! GitLab's code quality report.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{NotJudged, Report, concise::one_line, context};
use diagnostics::{Finding, Level};

pub(super) fn render(report: &Report) -> String {
    let mut seen = BTreeMap::new();
    let failures = report.failures.iter().map(|it| failure(it));
    let findings = report.findings.iter().map(|it| issue(it, &mut seen));
    let not_judged = report.blocked().map(not_judged);
    let issues: Vec<Value> = failures.chain(findings).chain(not_judged).collect();
    let mut text = serde_json::to_string_pretty(&issues).unwrap_or_default();
    text.push('\n');
    text
}

/// The issue for a failure. A failure has no place, but every issue needs one.
fn failure(why: &str) -> Value {
    json!({
        "description": one_line(why),
        "check_name": "failure",
        "fingerprint": digest(why),
        "severity": "blocker",
        "location": {"path": ".", "lines": {"begin": 1, "end": 1}},
    })
}

/// The issue for what a problem keeps from being judged.
fn not_judged(it: &NotJudged) -> Value {
    let place = it.locations().first();
    let (path, begin, end) =
        place.map_or((it.module.as_str(), 1, 1), |at| (at.file.as_str(), at.line, at.end_line));
    let text = format!("not judged: {}", one_line(&it.blocked_text()));
    json!({
        "description": text,
        "check_name": "not-judged",
        "fingerprint": digest(&["not-judged", path, &it.module, &text].join("\0")),
        "severity": "info",
        "location": {"path": path, "lines": {"begin": begin, "end": end}},
    })
}

fn issue(it: &Finding, seen: &mut BTreeMap<String, usize>) -> Value {
    let module = if it.module.is_empty() { "." } else { it.module.as_str() };
    let (path, begin, end) =
        it.locations.first().map_or((module, 1, 1), |at| (at.file.as_str(), at.line, at.end_line));
    let called = context(it).map(|it| format!(" ({it})")).unwrap_or_default();
    json!({
        "description": one_line(&it.message) + &called,
        "check_name": it.rule.as_str(),
        "fingerprint": fingerprint(it, path, seen),
        "severity": match it.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Note => "info",
        },
        "location": {"path": path, "lines": {"begin": begin, "end": end}},
    })
}

/// A fingerprint that is stable while lines move: it is made from the finding's words, not its place;
/// equal findings are numbered.
pub(super) fn fingerprint(it: &Finding, path: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let variable = it.variable.as_deref().unwrap_or_default();
    let pointer = it.path.as_deref().unwrap_or_default();
    let mut what = [it.rule.as_str(), path, &it.module, variable, pointer, &it.message].join("\0");
    if !it.address.is_empty() {
        what += &format!("\0{}", it.address);
    }
    let count = seen.entry(what.clone()).or_default();
    *count += 1;
    digest(&format!("{what}\0{count}"))
}

fn digest(what: &str) -> String {
    let digest = Sha256::digest(what);
    digest.iter().take(16).fold(String::new(), |mut hex, byte| {
        _ = write!(hex, "{byte:02x}");
        hex
    })
}
