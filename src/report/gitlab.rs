//! GitLab's code quality report.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Report, concise::one_line};
use crate::diagnostic::{Finding, Level};

pub(super) fn render(report: &Report) -> String {
    let mut seen = BTreeMap::new();
    let issues: Vec<Value> = report.findings.iter().map(|it| issue(it, &mut seen)).collect();
    let mut text = serde_json::to_string_pretty(&issues).unwrap_or_default();
    text.push('\n');
    text
}

fn issue(it: &Finding, seen: &mut BTreeMap<String, usize>) -> Value {
    let (path, begin, end) = it
        .locations
        .first()
        .map_or((it.module.as_str(), 1, 1), |at| (at.file.as_str(), at.line, at.end_line));
    json!({
        "description": one_line(&it.message),
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

/// Stable while lines move: made of what the finding says, not of where; equal ones are counted.
fn fingerprint(it: &Finding, path: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let variable = it.variable.as_deref().unwrap_or_default();
    let pointer = it.path.as_deref().unwrap_or_default();
    let what = [it.rule.as_str(), path, &it.module, variable, pointer, &it.message].join("\0");
    let count = seen.entry(what.clone()).or_default();
    *count += 1;
    let digest = Sha256::digest(format!("{what}\0{count}"));
    digest.iter().take(16).fold(String::new(), |mut hex, byte| {
        _ = write!(hex, "{byte:02x}");
        hex
    })
}
