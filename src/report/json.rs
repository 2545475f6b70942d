//! The versioned JSON report, and reading it back for `merge`. Its schema is
//! `docs/report.schema.json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    Left, ModuleReport, NotJudged, Part, Report, Status, TOOL_NAME, TOOL_VERSION, Translations,
    ValuesFiles, Verdict, baseline,
};
use crate::diagnostic::{Excerpt, Finding, FindingFix, Level, Location, Role, RuleId, Safety};

/// Major: a reader must know it; minor: members were added.
const FORMAT_VERSION: &str = "1.2";

pub(super) fn render(report: &Report) -> String {
    let mut root = Map::new();
    root.insert("format_version".into(), FORMAT_VERSION.into());
    root.insert("tool".into(), json!({"name": TOOL_NAME, "version": TOOL_VERSION}));
    if let Some(verdict) = report.verdict {
        root.insert("verdict".into(), verdict.as_str().into());
    }
    root.insert("summary".into(), summary(report));
    root.insert("findings".into(), report.findings.iter().map(finding_to_json).collect());
    root.insert("modules".into(), report.modules.iter().map(module_to_json).collect());
    root.insert("not_judged".into(), report.not_judged.iter().map(not_judged_to_json).collect());
    insert_some(&mut root, "directory", report.directory.clone());
    let ValuesFiles { judged, without_module } = &report.values_files;
    let files = json!({"judged": judged, "without_module": without_module});
    root.insert("values_files".into(), files);
    root.insert("judged_as".into(), json!(report.judged_as.releases));
    if !report.judged_as.remarks.is_empty() {
        root.insert("remarks".into(), json!(report.judged_as.remarks));
    }
    let written = report.written();
    if !written.is_empty() {
        root.insert("written".into(), json!(written));
    }
    if !report.failures.is_empty() {
        root.insert("failures".into(), report.failures.clone().into());
    }
    insert_some(&mut root, "shard", report.part.as_ref().map(part_to_json));
    let mut text = serde_json::to_string_pretty(&Value::Object(root)).unwrap_or_default();
    text.push('\n');
    text
}

fn summary(report: &Report) -> Value {
    let status = |wanted| report.modules.iter().filter(|it| it.status == wanted).count();
    let mut summary = json!({
        "errors": report.count(Level::Error),
        "warnings": report.count(Level::Warning),
        "notes": report.count(Level::Note),
        "modules": report.modules.len(),
        "values_files": report.values_files.judged.len(),
        "values_files_without_module": report.values_files.without_module.len(),
        "stale": status(Status::Stale),
        "missing": status(Status::Missing),
        "written": status(Status::Written),
    });
    if report.baselined > 0 {
        summary["baselined"] = report.baselined.into();
    }
    summary
}

pub(super) fn finding_to_json(it: &Finding) -> Value {
    let mut out = Map::new();
    out.insert("rule".into(), it.rule.as_str().into());
    out.insert("level".into(), it.level.as_str().into());
    out.insert("message".into(), it.message.as_str().into());
    out.insert("module".into(), it.module.as_str().into());
    let address = Some(it.address.as_str()).filter(|it| !it.is_empty());
    insert_some(&mut out, "address", address);
    insert_some(&mut out, "variable", it.variable.clone());
    insert_some(&mut out, "validation", it.validation);
    insert_some(&mut out, "path", it.path.clone());
    out.insert("locations".into(), it.locations.iter().map(location_to_json).collect());
    insert_some(&mut out, "help", it.help.clone());
    insert_some(&mut out, "fix", it.fix.as_ref().map(fix_to_json));
    Value::Object(out)
}

fn insert_some<T: Into<Value>>(out: &mut Map<String, Value>, key: &str, value: Option<T>) {
    if let Some(value) = value {
        out.insert(key.into(), value.into());
    }
}

fn location_to_json(it: &Location) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), it.role.as_str().into());
    out.insert("file".into(), it.file.as_str().into());
    out.insert("line".into(), it.line.into());
    out.insert("column".into(), it.column.into());
    out.insert("end_line".into(), it.end_line.into());
    out.insert("end_column".into(), it.end_column.into());
    if !it.text.is_empty() {
        out.insert("text".into(), it.text.as_str().into());
    }
    let Excerpt { first_line, text, start, end } = &it.excerpt;
    if !text.is_empty() {
        let excerpt = json!({"first_line": first_line, "text": text, "start": start, "end": end});
        out.insert("excerpt".into(), excerpt);
    }
    Value::Object(out)
}

fn fix_to_json(it: &FindingFix) -> Value {
    let edits = it.edits.iter().map(|(file, start, end, replacement)| {
        json!({"file": file, "start": start, "end": end, "replacement": replacement})
    });
    json!({
        "description": it.description,
        "safety": safety_name(it.safety),
        "edits": edits.collect::<Vec<_>>(),
    })
}

fn safety_name(it: Safety) -> &'static str {
    match it {
        Safety::Safe => "safe",
        Safety::Suggestion => "suggestion",
    }
}

fn module_to_json(it: &ModuleReport) -> Value {
    let mut out = Map::new();
    out.insert("path".into(), it.path.as_str().into());
    out.insert("schema".into(), it.schema.as_str().into());
    out.insert("status".into(), it.status.as_str().into());
    let counts = it.translations;
    let translations = json!({
        "exact": counts.exact,
        "necessary": counts.necessary,
        "untranslated": counts.untranslated,
    });
    out.insert("translations".into(), translations);
    insert_some(&mut out, "diff", it.diff.clone());
    Value::Object(out)
}

fn not_judged_to_json(it: &NotJudged) -> Value {
    let mut out = Map::new();
    out.insert("kind".into(), it.what.kind().into());
    out.insert("module".into(), it.module.as_str().into());
    match &it.what {
        Left::Rule(finding) => {
            if let Value::Object(members) = finding_to_json(finding) {
                out.extend(members);
            }
        }
        Left::Call { address, reason, locations } => {
            out.insert("address".into(), address.as_str().into());
            out.insert("reason".into(), reason.as_str().into());
            out.insert("locations".into(), locations.iter().map(location_to_json).collect());
        }
        Left::Resources(count) => _ = out.insert("count".into(), (*count).into()),
    }
    Value::Object(out)
}

fn part_to_json(it: &Part) -> Value {
    let mut out = Map::new();
    out.insert("index".into(), it.index.into());
    out.insert("count".into(), it.count.into());
    let unused = it.unused.as_ref().map(|all| all.iter().map(finding_to_json).collect::<Value>());
    insert_some(&mut out, "unused", unused);
    let used = it.used.iter().map(|(file, line)| json!({"file": file, "line": line}));
    out.insert("used_suppressions".into(), used.collect());
    if !it.baselines.is_empty() {
        out.insert("baselines".into(), it.baselines.iter().map(baseline::to_json).collect());
    }
    Value::Object(out)
}

/// A text that is no report of this format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a terraschema JSON report of format 1.x: {0}")]
pub struct Malformed(pub(super) String);

impl Malformed {
    /// What is wrong, in a few words.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// Reads a report that [`super::render`] made as JSON.
pub fn from_json(text: &str) -> Result<Report, Malformed> {
    let root: Value = serde_json::from_str(text).map_err(|it| Malformed(it.to_string()))?;
    let version = text_of(&root, "format_version")?;
    if !version.starts_with("1.") {
        return Err(Malformed(format!("format_version is {version:?}")));
    }
    let verdict = root.get("verdict").map(|it| name_of(it, &VERDICTS, Verdict::as_str));
    let mut report = Report { verdict: verdict.transpose()?, ..Report::default() };
    for it in array_of(&root, "findings")? {
        report.findings.push(finding_from_json(it)?);
    }
    for it in array_of(&root, "modules")? {
        report.modules.push(module_from_json(it)?);
    }
    // Absent in format 1.0.
    for it in root.get("not_judged").and_then(Value::as_array).into_iter().flatten() {
        report.not_judged.push(not_judged_from_json(it)?);
    }
    // Absent before format 1.2.
    report.directory = optional_text(&root, "directory");
    if let Some(files) = root.get("values_files") {
        report.values_files = ValuesFiles {
            judged: texts_of(files, "judged")?,
            without_module: texts_of(files, "without_module")?,
        };
    }
    for (release, count) in root.get("judged_as").and_then(Value::as_object).into_iter().flatten() {
        let count = count.as_u64().and_then(|it| it.try_into().ok()).unwrap_or_default();
        report.judged_as.releases.insert(release.clone(), count);
    }
    if root.get("remarks").is_some() {
        report.judged_as.remarks = texts_of(&root, "remarks")?;
    }
    if root.get("written").is_some() {
        let schemas: BTreeSet<&str> = report.written();
        let mut all = texts_of(&root, "written")?;
        all.retain(|it| !schemas.contains(it.as_str()));
        report.edited = all;
    }
    for it in root.get("failures").and_then(Value::as_array).into_iter().flatten() {
        report.failures.extend(it.as_str().map(str::to_owned));
    }
    let baselined = root.get("summary").and_then(|it| it.get("baselined")).and_then(Value::as_u64);
    report.baselined = baselined.and_then(|it| it.try_into().ok()).unwrap_or_default();
    report.part = root.get("shard").map(part_from_json).transpose()?;
    Ok(report)
}

fn texts_of(it: &Value, key: &str) -> Result<BTreeSet<String>, Malformed> {
    let text = |it: &Value| it.as_str().map(str::to_owned);
    let all = array_of(it, key)?.iter().map(text);
    all.collect::<Option<_>>().ok_or_else(|| Malformed(format!("{key:?} holds no strings")))
}

fn not_judged_from_json(it: &Value) -> Result<NotJudged, Malformed> {
    let what = match text_of(it, "kind")? {
        "rule" => Left::Rule(Box::new(finding_from_json(it)?)),
        "call" => Left::Call {
            address: text_of(it, "address")?.to_owned(),
            reason: text_of(it, "reason")?.to_owned(),
            locations: locations_of(it)?,
        },
        "resources" => Left::Resources(number_of(it, "count")? as usize),
        kind => return Err(Malformed(format!("unknown kind {kind:?}"))),
    };
    Ok(NotJudged { module: text_of(it, "module")?.to_owned(), what })
}

fn part_from_json(it: &Value) -> Result<Part, Malformed> {
    let unused = it.get("unused").and_then(Value::as_array);
    let unused = unused.map(|all| all.iter().map(finding_from_json).collect::<Result<_, _>>());
    let used = array_of(it, "used_suppressions")?.iter();
    let used = used.map(|it| Ok((text_of(it, "file")?.to_owned(), number_of(it, "line")?)));
    // Absent where there is none.
    let baselines = it.get("baselines").and_then(Value::as_array).into_iter().flatten();
    Ok(Part {
        index: number_of(it, "index")?.into(),
        count: number_of(it, "count")?.into(),
        unused: unused.transpose()?,
        used: used.collect::<Result<_, Malformed>>()?,
        baselines: baselines.map(baseline::from_json).collect::<Result<_, Malformed>>()?,
    })
}

const VERDICTS: [Verdict; 3] = [Verdict::Accept, Verdict::Reject, Verdict::Undecided];
pub(super) const LEVELS: [Level; 3] = [Level::Note, Level::Warning, Level::Error];
const ROLES: [Role; 4] = [Role::Value, Role::Rule, Role::Schema, Role::Declaration];
const STATUSES: [Status; 5] =
    [Status::Ok, Status::Stale, Status::Missing, Status::Written, Status::Skipped];

pub(super) fn finding_from_json(it: &Value) -> Result<Finding, Malformed> {
    Ok(Finding {
        rule: rule_of(it)?,
        level: name_of(member(it, "level")?, &LEVELS, Level::as_str)?,
        message: text_of(it, "message")?.to_owned(),
        module: text_of(it, "module")?.to_owned(),
        address: optional_text(it, "address").unwrap_or_default().into(),
        variable: optional_text(it, "variable"),
        validation: it.get("validation").and_then(Value::as_u64).and_then(|it| it.try_into().ok()),
        path: optional_text(it, "path"),
        locations: locations_of(it)?,
        help: optional_text(it, "help"),
        fix: it.get("fix").map(fix_from_json).transpose()?,
    })
}

/// A newer version may have rules that this one does not know, but they are called alike.
pub(super) fn rule_of(it: &Value) -> Result<RuleId, Malformed> {
    let rule = text_of(it, "rule")?;
    let is_of_id = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    if rule.is_empty() || !rule.chars().all(is_of_id) {
        return Err(Malformed(format!("{rule:?} is no rule")));
    }
    Ok(RuleId::named(rule))
}

fn locations_of(it: &Value) -> Result<Vec<Location>, Malformed> {
    array_of(it, "locations")?.iter().map(location_from_json).collect()
}

fn location_from_json(it: &Value) -> Result<Location, Malformed> {
    Ok(Location {
        role: name_of(member(it, "role")?, &ROLES, Role::as_str)?,
        file: text_of(it, "file")?.to_owned(),
        line: number_of(it, "line")?,
        column: number_of(it, "column")?,
        end_line: number_of(it, "end_line")?,
        end_column: number_of(it, "end_column")?,
        text: optional_text(it, "text").unwrap_or_default(),
        excerpt: it.get("excerpt").map(excerpt_from_json).transpose()?.unwrap_or_default(),
    })
}

fn excerpt_from_json(it: &Value) -> Result<Excerpt, Malformed> {
    let text = text_of(it, "text")?.to_owned();
    let (start, end) = (number_of(it, "start")? as usize, number_of(it, "end")? as usize);
    if text.get(start..end).is_none() {
        return Err(Malformed(format!("{start}..{end} is no part of an excerpt")));
    }
    Ok(Excerpt { first_line: number_of(it, "first_line")?, text, start, end })
}

fn fix_from_json(it: &Value) -> Result<FindingFix, Malformed> {
    let edits = array_of(it, "edits")?.iter().map(|it| {
        let (start, end) = (number_of(it, "start")?, number_of(it, "end")?);
        let (file, new) = (text_of(it, "file")?, text_of(it, "replacement")?);
        Ok((file.to_owned(), start, end, new.to_owned()))
    });
    Ok(FindingFix {
        description: text_of(it, "description")?.to_owned(),
        safety: name_of(member(it, "safety")?, &[Safety::Safe, Safety::Suggestion], safety_name)?,
        edits: edits.collect::<Result<_, Malformed>>()?,
    })
}

fn module_from_json(it: &Value) -> Result<ModuleReport, Malformed> {
    let counts = member(it, "translations")?;
    let count = |key| number_of(counts, key).map(|it| it as usize);
    Ok(ModuleReport {
        path: text_of(it, "path")?.to_owned(),
        schema: text_of(it, "schema")?.to_owned(),
        status: name_of(member(it, "status")?, &STATUSES, Status::as_str)?,
        translations: Translations {
            exact: count("exact")?,
            necessary: count("necessary")?,
            untranslated: count("untranslated")?,
        },
        diff: optional_text(it, "diff"),
    })
}

fn member<'a>(it: &'a Value, key: &str) -> Result<&'a Value, Malformed> {
    it.get(key).ok_or_else(|| Malformed(format!("no {key:?}")))
}

pub(super) fn text_of<'a>(it: &'a Value, key: &str) -> Result<&'a str, Malformed> {
    member(it, key)?.as_str().ok_or_else(|| Malformed(format!("{key:?} is no string")))
}

pub(super) fn optional_text(it: &Value, key: &str) -> Option<String> {
    it.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn number_of(it: &Value, key: &str) -> Result<u32, Malformed> {
    let number = member(it, key)?.as_u64().and_then(|it| u32::try_from(it).ok());
    number.ok_or_else(|| Malformed(format!("{key:?} is no number")))
}

pub(super) fn array_of<'a>(it: &'a Value, key: &str) -> Result<&'a Vec<Value>, Malformed> {
    member(it, key)?.as_array().ok_or_else(|| Malformed(format!("{key:?} is no array")))
}

pub(super) fn name_of<T: Copy>(
    it: &Value,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Malformed> {
    let found = it.as_str().and_then(|text| all.iter().find(|it| name(**it) == text));
    found.copied().ok_or_else(|| Malformed(format!("unknown name {it}")))
}
