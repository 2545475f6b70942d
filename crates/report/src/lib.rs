//! Output formats, one in each file: a [`Report`] goes in, text comes out.
//!
//! A report has findings and counts only, so that a report from another run or version renders the same,
//! and so that a JSON report can be read back ([`from_json`]) and joined with others. A format cannot look
//! anything up: what it shows is in the report. [`render`] makes foreign text harmless for terminals and
//! runners in one place, so that no format can forget it.
//!
//! ```
//! use report::{Format, Report, ReportBody, Style, Verdict, from_json, render};
//!
//! let report = Report { body: ReportBody::Verdict(Verdict::Accept), ..Report::default() };
//! let text = render(&report, Format::Human, Style::default());
//! assert_eq!(text, "accepted: Terraform would accept these inputs\n");
//! let json = render(&report, Format::Json, Style::default());
//! assert_eq!(from_json(&json).unwrap(), report);
//! ```
//!
//! A finding takes this way: the command puts it into [`Report::findings`]; [`Report::drop_repeated`] and
//! [`Report::sort`] bring all of them in order; [`Report::settle`] takes out those that a baseline lists. [`render`]
//! makes a visible copy (`visible`), and `human`, `sarif` or another file writes it. [`ReportBody`] holds what only one
//! command has. [`Report::join`] makes one report of several, for shards.
//!
//! To add a format, write its file with one function from a report to a text, and give it a name in [`Format::ALL`].
//! The sample in `tests/spec/report` shows it with everything that a report can hold.

mod alike;
mod baseline;
mod body;
mod compat;
mod concise;
mod github;
mod github_output;
mod gitlab;
mod human;
mod json;
mod judged_as;
mod junit;
mod left_out;
mod markdown;
mod not_judged;
mod part;
mod sarif;
mod statistics;
mod visible;

use std::{borrow::Cow, cmp::Ordering, collections::BTreeSet, path::Path};

use diagnostics::{Finding, Inert, Level, Location, visible_json};
use serde::{Deserialize, Serialize};
use system::paths;
use visible::Paths;

pub use baseline::{Baseline, BaselineEntry, BaselineKey, WrittenBaseline};
pub use body::{Checked, PolicyRun, PolicyTests, ReportBody};
pub use compat::{
    Bump, Compat, ContractChange, History, HistorySummary, ModuleChanges, ReleaseChanges,
};
pub use diagnostics::Verdict;
pub use json::{MalformedReport, from_json};
pub use judged_as::JudgedAs;
pub use left_out::LeftOut;
pub use not_judged::{BlockedParts, MOST_PARTS, NotJudged, NotJudgedKind};
pub use part::{NotJoined, ShardPart, UsedSuppression};

/// The tool's name and version, as reports state it.
pub const TOOL_NAME: &str = "terraschema";
/// The version of the tool that made a report.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");
/// The address of rule pages, for formats that link to them.
pub const RULES_URL: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/rules/");

/// The results of one run: what every command has, and what its kind adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub body: ReportBody,
    /// Sorted by file, then position, then rule.
    pub findings: Vec<Finding>,
    /// The parts that the findings and the verdict do not cover; sorted.
    pub not_judged: Vec<NotJudged>,
    /// The fate of the values files.
    pub values_files: ValuesFiles,
    /// The releases whose verdicts these are.
    pub judged_as: JudgedAs,
    /// The directory that paths start from, as seen from the root of its repository; empty for the root
    /// itself, `None` outside of a repository.
    pub directory: Option<String>,
    /// The failures of the run, each in a sentence; sorted.
    pub failures: Vec<String>,
    /// What the command line left out.
    pub left_out: LeftOut,
    /// The units of work that the run counted; in no format.
    pub work: u64,
}

/// Values files by their fate, as shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValuesFiles {
    /// Judged by the module that they belong to: each of their values was.
    pub judged: BTreeSet<String>,
    /// Some of their values, or parts of them, were not judged because of a problem.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub not_judged: BTreeSet<String>,
    /// Not judged, since no module declares their variables.
    pub without_module: BTreeSet<String>,
}

/// The result for one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleReport {
    /// Directory as shown, forward slashes; `.` for the current one.
    pub path: String,
    /// The schema file as shown.
    pub schema: String,
    pub status: Status,
    pub translations: Translations,
    /// Unified diff from the committed to the generated schema, if they differ in meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A module's schema after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Stale,
    Missing,
    /// Created or rewritten by this run.
    Written,
    /// Not checked: the module does not load, or the configuration leaves its schema out.
    Skipped,
}

impl Status {
    /// The name in the JSON report.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Stale => "stale",
            Status::Missing => "missing",
            Status::Written => "written",
            Status::Skipped => "skipped",
        }
    }
}

/// The number of validation blocks in the schema, by fidelity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translations {
    pub exact: usize,
    pub necessary: usize,
    pub untranslated: usize,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Source excerpts with carets.
    Human,
    /// `file:line:col: level[rule] message`
    Concise,
    /// The versioned report, `docs/report.schema.json`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Outputs of a step of GitHub Actions.
    GithubOutput,
    /// GitLab's code quality report.
    Gitlab,
    Junit,
    /// Markdown for a job summary.
    Markdown,
}

impl Format {
    /// Every format with its name on the command line.
    pub const ALL: [(&'static str, Format); 9] = [
        ("human", Format::Human),
        ("concise", Format::Concise),
        ("json", Format::Json),
        ("sarif", Format::Sarif),
        ("github", Format::Github),
        ("github-output", Format::GithubOutput),
        ("gitlab", Format::Gitlab),
        ("junit", Format::Junit),
        ("markdown", Format::Markdown),
    ];

    /// Whether several steps write to a file of this format, so that its content must be kept.
    pub fn is_shared(self) -> bool {
        matches!(self, Format::Markdown | Format::GithubOutput)
    }

    /// Whether the format lists the files that were written.
    pub fn tells_written(self) -> bool {
        matches!(self, Format::Human | Format::Json | Format::Sarif)
    }

    /// The format with a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.iter().find(|(it, _)| *it == name).map(|(_, format)| *format)
    }
}

/// A format's choices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// ANSI colours; only `human` uses them.
    pub color: bool,
    /// Leave the line of counts out of `human`.
    pub quiet: bool,
    /// Show everything that was not judged in `human`, each part with its place; there and in `markdown`
    /// report every missing schema by itself.
    pub verbose: bool,
    /// Show the number of findings of each rule; in `human` instead of the findings, unless verbose.
    pub statistics: bool,
    /// The page of a lint by its id, which `sarif` holds; `None` for reports without pages.
    pub page: Option<Page>,
}

/// Looks up the page of a lint, in Markdown, by its id.
pub type Page = fn(&str) -> Option<&'static str>;

/// Renders a report. The text ends in a newline unless it is empty. No foreign text affects a terminal
/// or a runner, in any format.
pub fn render(report: &Report, format: Format, style: Style) -> String {
    let shown = || visible::report(report, Paths::Shown);
    // Readers that show these formats next to the code know the repository, but not the directory of the run.
    let placed = || from_root(report);
    match format {
        Format::Human => Inert::TEXT.write(human::render(&shown(), style)),
        Format::Concise => Inert::TEXT.write(concise::render(&shown())),
        Format::Markdown => Inert::TEXT.write(markdown::render(&shown(), style)),
        Format::Junit => Inert::XML.write(junit::render(&shown())),
        // Its lines are commands, and their text holds no line ends.
        Format::Github => github::render(&visible::report(&placed(), Paths::Shown)),
        // These formats are read back, so only the spelling changes.
        Format::Json => visible_json(json::render(report, style)),
        Format::GithubOutput => visible_json(github_output::render(report)),
        Format::Sarif => {
            visible_json(sarif::render(&visible::report(&placed(), Paths::Real), style))
        }
        Format::Gitlab => visible_json(gitlab::render(&visible::report(&placed(), Paths::Real))),
    }
}

/// The report with the paths of its findings as seen from the repository's root.
fn from_root(report: &Report) -> Cow<'_, Report> {
    let Some(directory) = report.directory.as_deref().filter(|it| !it.is_empty()) else {
        return Cow::Borrowed(report);
    };
    let moved = |path: &str| paths::display(&paths::clean(&Path::new(directory).join(path)));
    let mut report = report.clone();
    if let ReportBody::Check(checked) = &mut report.body {
        checked.edited = checked.edited.iter().map(|it| moved(it)).collect();
        checked.modules.iter_mut().for_each(|it| it.schema = moved(&it.schema));
    }
    for it in &mut report.not_judged {
        if let NotJudgedKind::Blocked(it) = &mut it.what {
            it.locations.iter_mut().for_each(|at| at.file = moved(&at.file));
            it.values_files.iter_mut().for_each(|it| *it = moved(it));
        }
    }
    for it in &mut report.findings {
        it.values_files.iter_mut().for_each(|it| *it = moved(it));
        it.locations.iter_mut().for_each(|at| at.file = moved(&at.file));
        if !it.module.is_empty() {
            it.module = moved(&it.module);
        }
    }
    Cow::Owned(report)
}

impl Report {
    /// The report of a run that failed.
    pub fn failed(why: impl Into<String>) -> Report {
        Report { failures: vec![why.into()], ..Report::default() }
    }

    /// Sorts everything and removes duplicates.
    pub fn sort(&mut self) {
        self.findings.sort_by(compare);
        self.not_judged.sort_by(NotJudged::compare);
        self.failures.sort_unstable();
        self.findings.dedup();
        self.not_judged.dedup();
        self.failures.dedup();
        if let ReportBody::Check(checked) = &mut self.body {
            checked.modules.sort_by(|a, b| a.path.cmp(&b.path));
            checked.modules.dedup();
        }
    }

    /// The files that the run wrote, as shown: schemas and edited files.
    pub fn written(&self) -> BTreeSet<&str> {
        let ReportBody::Check(checked) = &self.body else { return BTreeSet::new() };
        let schemas = checked.modules.iter().filter(|it| it.status == Status::Written);
        let edited = checked.edited.iter().map(String::as_str);
        schemas.map(|it| it.schema.as_str()).chain(edited).collect()
    }

    /// The number of findings with this level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|it| it.level == level).count()
    }

    /// One line: `2 errors, 1 warning in 3 modules and 5 values files, judged as Terraform 1.15.9; 1
    /// failure`. A verdict concerns one module only.
    fn headline(&self) -> String {
        let errors = counted(self.count(Level::Error), "error");
        let warnings = counted(self.count(Level::Warning), "warning");
        let failures = match self.failures.len() {
            0 => String::new(),
            n => format!("; {}", counted(n, "failure")),
        };
        let judged = match &self.body {
            ReportBody::Verdict(_) => String::new(),
            ReportBody::Policy(it) => it.words(),
            ReportBody::PolicyTests(it) => it.words(),
            ReportBody::Compat(it) => match &it.history {
                Some(history) => format!(" in {}", counted(history.releases.len(), "release")),
                None => format!(" in {}", counted(it.modules.len(), "module")),
            },
            ReportBody::Check(it) => format!(" in {}{}", it.words(), self.values()),
        };
        let known = match self.baselined() {
            0 => String::new(),
            n => format!("; {n} more in the baseline"),
        };
        let judged_as = self.judged_as.words().map(|it| format!(", {it}")).unwrap_or_default();
        let left_out: String = self.left_out.lines().iter().map(|it| format!("; {it}")).collect();
        format!("{errors}, {warnings}{judged}{judged_as}{known}{left_out}{failures}")
    }

    /// ` and 5 values files`; empty if there are none.
    fn values(&self) -> String {
        match self.values_files.judged.len() {
            0 => String::new(),
            n => format!(" and {}", counted(n, "values file")),
        }
    }

    /// The line about values files that belong to no module.
    fn ownerless_line(&self) -> Option<String> {
        match self.values_files.without_module.len() {
            0 => None,
            1 => Some("1 values file belongs to no module".to_owned()),
            n => Some(format!("{n} values files belong to no module")),
        }
    }
}

/// The order of findings, by everything that distinguishes them, so that it does not depend on threads.
pub fn compare(a: &Finding, b: &Finding) -> Ordering {
    let places = |it: &Finding| {
        let of = |at: &Location| (at.file.clone(), at.line, at.column, at.end_line, at.end_column);
        it.locations.iter().map(of).collect::<Vec<_>>()
    };
    sort_key(a).cmp(&sort_key(b)).then_with(|| places(a).cmp(&places(b)))
}

fn sort_key(it: &Finding) -> impl Ord {
    let place = it
        .locations
        .first()
        .map_or((it.module.as_str(), 0, 0), |at| (at.file.as_str(), at.line, at.column));
    let subject = (it.variable.as_deref(), it.validation, it.path.as_deref());
    let module = (it.module.as_str(), it.address.as_str());
    (place, it.rule.as_str(), subject.0, it.message.as_str(), module, subject)
}

/// `in module.network.module.subnet, with the values of dev.tfvars`; `None` for a finding about the module itself,
/// whatever the values are, and where the message says it.
pub fn context(it: &Finding) -> Option<String> {
    let is_told = it.address.is_empty() || it.message.contains(it.address.as_str());
    let called = (!is_told).then(|| format!("in {}", it.address));
    let is_listed = !it.values_files.is_empty();
    let with = is_listed.then(|| format!("with the values of {}", listed(&it.values_files)));
    let later = it.later.then(|| "found after the first errors are fixed".to_owned());
    let all: Vec<String> = called.into_iter().chain(with).chain(later).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The number of names that a line lists.
const MOST_LISTED: usize = 10;

/// `a, b and c`; beyond a number of names only how many more there are.
fn listed(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_LISTED).map(AsRef::as_ref).collect();
    let last = match names.len().saturating_sub(MOST_LISTED) {
        0 => None,
        n => Some(format!("{n} more")),
    };
    match (shown.as_slice(), last) {
        (all, Some(last)) => format!("{} and {last}", all.join(", ")),
        ([], None) => String::new(),
        ([one], None) => (*one).to_owned(),
        ([first @ .., last], None) => format!("{} and {last}", first.join(", ")),
    }
}

/// The message, the called module of the finding, and the help, each on a line.
fn whole_message(it: &Finding) -> String {
    let mut message = it.message.clone();
    for further in context(it).iter().chain(&it.help) {
        message = format!("{message}\n{further}");
    }
    message
}

/// `1 error`, `2 errors`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
