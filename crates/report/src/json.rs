//! The versioned JSON report, which `merge` reads back. Its schema is `docs/report.schema.json`.
//!
//! Reports of earlier versions lack members, and those of later ones have more; neither is an error.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use serde::{Deserialize, Serialize};

use super::{
    Checked, Compat, JudgedAs, LeftOut, ModuleReport, NotJudged, PolicyRun, PolicyTests, Report,
    ReportBody, ShardPart, Status, Style, TOOL_NAME, TOOL_VERSION, ValuesFiles, Verdict,
    statistics::{self, RuleCount},
};
use diagnostics::{Finding, Level};

/// A new major number breaks readers; a new minor one adds members.
const FORMAT_VERSION: &str = "1.4";

/// The report as written, with its members in this order.
#[derive(Serialize, Deserialize)]
struct Document<'a> {
    format_version: Cow<'a, str>,
    /// The writer's name, which readers ignore.
    #[serde(skip_deserializing)]
    tool: Tool,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(default)]
    summary: Summary,
    findings: Cow<'a, [Finding]>,
    modules: Cow<'a, [ModuleReport]>,
    /// Absent in format 1.0, like all members below.
    #[serde(default)]
    not_judged: Cow<'a, [NotJudged]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<Cow<'a, str>>,
    #[serde(default)]
    values_files: Cow<'a, ValuesFiles>,
    #[serde(default)]
    judged_as: Cow<'a, BTreeMap<String, usize>>,
    #[serde(default, skip_serializing_if = "is_empty")]
    remarks: Cow<'a, BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    written: BTreeSet<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    failures: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<Cow<'a, ShardPart>>,
    /// Since format 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compat: Option<Cow<'a, Compat>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyRun>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy_tests: Option<PolicyTests>,
    /// Since format 1.4.
    #[serde(default, skip_serializing_if = "is_nothing")]
    left_out: Cow<'a, LeftOut>,
    /// Follows from the findings, so readers ignore it. Since format 1.4.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<RuleCount>>,
}

fn is_nothing(it: &LeftOut) -> bool {
    it.is_none()
}

#[expect(clippy::ptr_arg, reason = "what serde calls")]
fn is_empty(it: &Cow<'_, BTreeSet<String>>) -> bool {
    it.is_empty()
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Default for Tool {
    fn default() -> Tool {
        Tool { name: TOOL_NAME, version: TOOL_VERSION }
    }
}

/// Counts. All but the last two follow from the other members, so readers ignore them.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Summary {
    errors: usize,
    warnings: usize,
    notes: usize,
    modules: usize,
    values_files: usize,
    values_files_without_module: usize,
    #[serde(skip_serializing_if = "is_zero")]
    values_files_not_judged: usize,
    stale: usize,
    missing: usize,
    written: usize,
    #[serde(skip_serializing_if = "is_zero")]
    modules_without_variables: usize,
    #[serde(skip_serializing_if = "is_zero")]
    baselined: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_zero(it: &usize) -> bool {
    *it == 0
}

impl Summary {
    fn of(report: &Report) -> Summary {
        let status = |wanted| report.modules().iter().filter(|it| it.status == wanted).count();
        Summary {
            errors: report.count(Level::Error),
            warnings: report.count(Level::Warning),
            notes: report.count(Level::Note),
            modules: report.modules().len(),
            values_files: report.values_files.judged.len(),
            values_files_without_module: report.values_files.without_module.len(),
            values_files_not_judged: report.values_files.not_judged.len(),
            stale: status(Status::Stale),
            missing: status(Status::Missing),
            written: status(Status::Written),
            modules_without_variables: report.checked().map_or(0, |it| it.without_variables),
            baselined: report.baselined(),
        }
    }
}

pub(super) fn render(report: &Report, style: Style) -> String {
    let document = Document {
        format_version: FORMAT_VERSION.into(),
        tool: Tool::default(),
        verdict: report.verdict(),
        summary: Summary::of(report),
        findings: Cow::Borrowed(&report.findings),
        modules: Cow::Borrowed(report.modules()),
        not_judged: Cow::Borrowed(&report.not_judged),
        directory: report.directory.as_deref().map(Cow::Borrowed),
        values_files: Cow::Borrowed(&report.values_files),
        judged_as: Cow::Borrowed(&report.judged_as.releases),
        remarks: Cow::Borrowed(&report.judged_as.remarks),
        written: report.written().into_iter().map(Cow::Borrowed).collect(),
        failures: Cow::Borrowed(&report.failures),
        shard: report.part().map(Cow::Borrowed),
        compat: report.compat().map(Cow::Borrowed),
        policy: if let ReportBody::Policy(it) = report.body { Some(it) } else { None },
        policy_tests: if let ReportBody::PolicyTests(it) = report.body { Some(it) } else { None },
        left_out: Cow::Borrowed(&report.left_out),
        statistics: style.statistics.then(|| statistics::of(report)),
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// A text that is not a report of this format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a terraschema JSON report of format 1.x: {0}")]
pub struct MalformedReport(pub(super) String);

impl MalformedReport {
    /// The error in a few words.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl From<serde_json::Error> for MalformedReport {
    fn from(error: serde_json::Error) -> MalformedReport {
        MalformedReport(error.to_string())
    }
}

/// The members that every version of the format has.
#[derive(Deserialize)]
struct Versioned {
    format_version: String,
}

/// Reads a report that [`super::render`] made as JSON.
pub fn from_json(text: &str) -> Result<Report, MalformedReport> {
    let Versioned { format_version } = serde_json::from_str(text)?;
    if !format_version.starts_with("1.") {
        return Err(MalformedReport(format!("format_version is {format_version:?}")));
    }
    let it: Document<'_> = serde_json::from_str(text)?;
    let judged_as =
        JudgedAs { releases: it.judged_as.into_owned(), remarks: it.remarks.into_owned() };
    let body = match (it.verdict, it.compat, it.policy, it.policy_tests) {
        (Some(it), ..) => ReportBody::Verdict(it),
        (None, Some(it), ..) => ReportBody::Compat(it.into_owned()),
        (None, None, Some(it), _) => ReportBody::Policy(it),
        (None, None, None, Some(it)) => ReportBody::PolicyTests(it),
        (None, None, None, None) => {
            let modules = it.modules.into_owned();
            // The modules' schemas are among the written files.
            let is_schema = |file: &str| {
                let mut written = modules.iter().filter(|it| it.status == Status::Written);
                written.any(|it| it.schema == file)
            };
            let edited = it.written.into_iter().filter(|it| !is_schema(it));
            ReportBody::Check(Checked {
                edited: edited.map(Cow::into_owned).collect(),
                modules,
                without_variables: it.summary.modules_without_variables,
                baselined: it.summary.baselined,
                baseline: None,
                part: it.shard.map(Cow::into_owned),
            })
        }
    };
    Ok(Report {
        body,
        findings: it.findings.into_owned(),
        not_judged: it.not_judged.into_owned(),
        values_files: it.values_files.into_owned(),
        judged_as,
        directory: it.directory.map(Cow::into_owned),
        failures: it.failures.into_owned(),
        left_out: it.left_out.into_owned(),
        work: 0,
    })
}
