//! SARIF 2.1.0, for GitHub code scanning and other dashboards.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    Page, RULES_URL, Report, Style, TOOL_NAME, TOOL_VERSION, concise::one_line,
    gitlab::fingerprint, whole_message,
};
use diagnostics::{Finding, Level, Lint, LintId, Location};

pub(super) fn render(report: &Report, style: Style) -> String {
    let rules: BTreeSet<&str> = report.findings.iter().map(|it| it.rule.as_str()).collect();
    let mut seen = BTreeMap::new();
    let results = report.findings.iter().map(|it| result(it, &rules, &mut seen));
    let results: Vec<Value> = results.collect();
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": TOOL_NAME,
                "version": TOOL_VERSION,
                "semanticVersion": TOOL_VERSION,
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().map(|it| rule(it, style.page)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "automationDetails": {"id": format!("{TOOL_NAME}/")},
            "results": results,
        }],
    });
    log["runs"][0]["properties"] = json!({
        "modules": report.modules().len(),
        "valuesFiles": report.values_files.judged.len(),
        "valuesFilesWithoutModule": report.values_files.without_module.len(),
    });
    if !report.failures.is_empty() || report.blocked().next().is_some() {
        log["runs"][0]["invocations"] = json!([invocation(report)]);
    }
    if !report.values_files.not_judged.is_empty() {
        log["runs"][0]["properties"]["valuesFilesNotJudged"] =
            report.values_files.not_judged.len().into();
    }
    let written = report.written();
    if !written.is_empty() {
        log["runs"][0]["properties"]["written"] = json!(written);
    }
    if report.baselined() > 0 {
        log["runs"][0]["properties"]["baselined"] = report.baselined().into();
    }
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// The invocation of a run that failed in part, or could not judge something because of a problem.
fn invocation(report: &Report) -> Value {
    let notification = |why: &String| json!({"level": "error", "message": {"text": why}});
    let blocked = report.blocked().map(|it| {
        let places: Vec<Value> = it.locations().iter().map(|at| location(at, None)).collect();
        let text = format!("not judged: {}", it.blocked_text());
        json!({"level": "note", "message": {"text": text}, "locations": places})
    });
    let failures = &report.failures;
    let notifications: Vec<Value> = failures.iter().map(notification).chain(blocked).collect();
    json!({"executionSuccessful": failures.is_empty(), "toolExecutionNotifications": notifications})
}

/// The declaration of a rule; a report of a newer version may have unknown ones.
fn rule(id: &str, page: Option<Page>) -> Value {
    // Rules that users declare have no page.
    if LintId::named(id).policy().is_some() {
        return json!({"id": id});
    }
    let mut out = json!({"id": id, "helpUri": format!("{RULES_URL}{id}.md")});
    let Some(rule) = Lint::find(id) else { return out };
    out["name"] = id.into();
    out["shortDescription"] = json!({"text": rule.summary});
    if let Some(page) = page.and_then(|it| it(id)) {
        out["fullDescription"] = json!({"text": beginning(section(page, "## What it does"))});
        out["help"] = json!({"text": page, "markdown": page});
    }
    out["defaultConfiguration"] = json!({"level": level(rule.level)});
    out
}

/// The text below a headline of a page.
fn section<'p>(page: &'p str, headline: &str) -> &'p str {
    let text = page.split_once(headline).map_or("", |it| it.1);
    text.split("\n## ").next().unwrap_or_default().trim()
}

/// The number of characters that GitHub accepts in a description.
const MAX_DESCRIPTION: usize = 1024;

/// The whole sentences that fit, on one line.
fn beginning(text: &str) -> String {
    let text = one_line(text);
    let Some((end, _)) = text.char_indices().nth(MAX_DESCRIPTION) else { return text };
    let end = text[..end].rfind(". ").map_or(end, |it| it + 1);
    text[..end].to_owned()
}

fn result(it: &Finding, rules: &BTreeSet<&str>, seen: &mut BTreeMap<String, usize>) -> Value {
    let mut out = Map::new();
    out.insert("ruleId".into(), it.rule.as_str().into());
    out.insert("ruleIndex".into(), rules.range(..it.rule.as_str()).count().into());
    out.insert("level".into(), level(it.level).into());
    out.insert("message".into(), json!({"text": whole_message(it)}));
    let mut places = it.locations.iter();
    let mut primary: Vec<Value> = places.next().map(|at| location(at, None)).into_iter().collect();
    // GitHub accepts no location without a file.
    for at in primary.iter_mut().filter(|_| !it.address.is_empty()) {
        let called = json!({"fullyQualifiedName": it.address.as_str(), "kind": "module"});
        at["logicalLocations"] = json!([called]);
    }
    out.insert("locations".into(), primary.into());
    let related: Vec<Value> = places.map(|at| location(at, Some(at.role.as_str()))).collect();
    if !related.is_empty() {
        out.insert("relatedLocations".into(), related.into());
    }
    let path = it.locations.first().map_or(it.module.as_str(), |at| at.file.as_str());
    let fingerprint = fingerprint(it, path, seen);
    out.insert("partialFingerprints".into(), json!({"terraschemaFinding/v1": fingerprint}));
    Value::Object(out)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn location(at: &Location, message: Option<&str>) -> Value {
    let mut out = Map::new();
    let (start, end) = columns(at);
    let region = json!({
        "startLine": at.line,
        "startColumn": start,
        "endLine": at.end_line,
        "endColumn": end,
    });
    let uri = uri(&at.file);
    let place = json!({"artifactLocation": {"uri": uri}, "region": region});
    out.insert("physicalLocation".into(), place);
    if let Some(message) = message {
        out.insert("message".into(), json!({"text": message}));
    }
    Value::Object(out)
}

/// A relative URI: forbidden characters are percent-encoded, and so is a colon, which would end a
/// scheme.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            out.push(byte as char);
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

/// Columns in code points, which SARIF supports; ours are grapheme clusters.
fn columns(at: &Location) -> (usize, usize) {
    let column = |byte: usize| {
        let before = at.excerpt.text.get(..byte).unwrap_or_default();
        before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1
    };
    if at.excerpt.text.is_empty() {
        return (at.column as usize, at.end_column as usize);
    }
    (column(at.excerpt.start), column(at.excerpt.end))
}
