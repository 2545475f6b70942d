//! The parts that a report does not cover, so that "accepted" does not promise too much.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{BTreeSet, HashSet},
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer, ser::Error};
use serde_json::{Map, Value, json};

use super::{Report, ValuesFiles, Verdict, compare, counted, listed};
use diagnostics::{Finding, Level, Location, Omission, Role, Sources};

/// Something that was not judged. It is not a finding and changes no exit code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Members")]
pub struct NotJudged {
    /// Directory of the module as shown.
    pub module: String,
    pub what: NotJudgedKind,
}

/// The kinds of things that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJudgedKind {
    /// A rule that only a plan can decide; its level is [`Level::Note`].
    Rule(Box<Finding>),
    /// A call of a module that is not here, with the called module's address.
    Call { address: String, reason: String, locations: Vec<Location> },
    /// The arguments of this many resources, which only their providers know.
    Resources(usize),
    /// A values file whose values are not here: it is encrypted, for example.
    ValuesFile { file: String, reason: String },
    /// Parts that a problem keeps from being judged.
    Blocked(BlockedParts),
}

/// What one problem keeps from being judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedParts {
    /// Addresses, such as `output.name`, `var.size (validation)` or `module.network`; sorted.
    pub parts: Vec<String>,
    /// Whether there are more than these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The values files, as shown, whose values are not completely judged; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values_files: Vec<String>,
    /// The place of the problem.
    pub locations: Vec<Location>,
    /// Whether the problem is an error in the same value or block; see [`Report::settle_blocked`].
    #[serde(skip)]
    is_own: bool,
}

/// A part that was not judged, as a report has it.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Members {
    Rule(Box<Finding>),
    Call {
        module: String,
        address: String,
        reason: String,
        locations: Vec<Location>,
    },
    Resources {
        module: String,
        count: usize,
    },
    #[serde(rename = "values-file")]
    ValuesFile {
        module: String,
        file: String,
        reason: String,
    },
    Blocked {
        module: String,
        #[serde(flatten)]
        blocked: BlockedParts,
    },
}

impl From<Members> for NotJudged {
    fn from(members: Members) -> NotJudged {
        match members {
            Members::Rule(it) => {
                NotJudged { module: it.module.clone(), what: NotJudgedKind::Rule(it) }
            }
            Members::Call { module, address, reason, locations } => {
                NotJudged { module, what: NotJudgedKind::Call { address, reason, locations } }
            }
            Members::Resources { module, count } => {
                NotJudged { module, what: NotJudgedKind::Resources(count) }
            }
            Members::ValuesFile { module, file, reason } => {
                NotJudged { module, what: NotJudgedKind::ValuesFile { file, reason } }
            }
            Members::Blocked { module, blocked } => {
                NotJudged { module, what: NotJudgedKind::Blocked(blocked) }
            }
        }
    }
}

/// Writes kind and module first for every kind.
impl Serialize for NotJudged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Map::new();
        out.insert("kind".to_owned(), self.what.kind().into());
        out.insert("module".to_owned(), self.module.as_str().into());
        let members = match &self.what {
            NotJudgedKind::Rule(finding) => {
                serde_json::to_value(finding).map_err(S::Error::custom)?
            }
            NotJudgedKind::Call { address, reason, locations } => {
                json!({"address": address, "reason": reason, "locations": locations})
            }
            NotJudgedKind::Resources(count) => json!({"count": count}),
            NotJudgedKind::ValuesFile { file, reason } => json!({"file": file, "reason": reason}),
            NotJudgedKind::Blocked(it) => serde_json::to_value(it).map_err(S::Error::custom)?,
        };
        if let Value::Object(members) = members {
            out.extend(members);
        }
        out.serialize(serializer)
    }
}

/// The number of calls that a line names.
const NAMED: usize = 3;

impl NotJudged {
    /// Resolves an omission of a verdict on `module` against its sources.
    pub fn new(omission: &Omission, module: &str, sources: &Sources) -> NotJudged {
        let what = match omission {
            Omission::Resources(count) => NotJudgedKind::Resources(*count),
            Omission::Call { address, reason, place } => NotJudgedKind::Call {
                address: address.clone(),
                reason: reason.clone(),
                locations: vec![Location::new(Role::Declaration, *place, "", sources)],
            },
        };
        NotJudged { module: module.to_owned(), what }
    }

    /// The part for a finding that only a plan can decide.
    pub fn from_finding(finding: Finding) -> NotJudged {
        let module = finding.module.clone();
        NotJudged {
            module,
            what: NotJudgedKind::Rule(Box::new(Finding { level: Level::Note, ..finding })),
        }
    }

    /// A few words for use in a line.
    pub(super) fn text(&self) -> String {
        match &self.what {
            NotJudgedKind::Rule(it) => it.message.clone(),
            NotJudgedKind::Call { address, reason, .. } => format!("{address} ({reason})"),
            NotJudgedKind::Resources(count) => {
                let whose = if *count == 1 { "its provider knows" } else { "their providers know" };
                format!("{}, whose arguments only {whose}", counted(*count, "resource"))
            }
            NotJudgedKind::ValuesFile { file, reason } => format!("{file}: {reason}"),
            NotJudgedKind::Blocked(it) => it.text(),
        }
    }

    /// The part as other formats than that for people have it: `not judged: output.a, because of main.tf:3`.
    pub fn blocked_text(&self) -> String {
        let files = match &self.what {
            NotJudgedKind::Blocked(it) if !it.values_files.is_empty() => {
                format!(" (in {})", listed(&it.values_files))
            }
            _ => String::new(),
        };
        format!("{}{files}", self.text())
    }

    pub(super) fn locations(&self) -> &[Location] {
        match &self.what {
            NotJudgedKind::Rule(it) => &it.locations,
            NotJudgedKind::Call { locations, .. } => locations,
            NotJudgedKind::Blocked(it) => &it.locations,
            NotJudgedKind::Resources(_) | NotJudgedKind::ValuesFile { .. } => &[],
        }
    }

    fn is_of_providers(&self) -> bool {
        matches!(self.what, NotJudgedKind::Resources(_))
    }

    pub(super) fn compare(&self, other: &NotJudged) -> Ordering {
        let key = |it: &NotJudged| (it.module.clone(), it.what.kind(), it.text());
        key(self).cmp(&key(other)).then_with(|| match (&self.what, &other.what) {
            (NotJudgedKind::Rule(a), NotJudgedKind::Rule(b)) => compare(a, b),
            (NotJudgedKind::Blocked(a), NotJudgedKind::Blocked(b)) => a.place().cmp(&b.place()),
            _ => Ordering::Equal,
        })
    }
}

impl NotJudgedKind {
    /// The name in the JSON report.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            NotJudgedKind::Rule(_) => "rule",
            NotJudgedKind::Call { .. } => "call",
            NotJudgedKind::Resources(_) => "resources",
            NotJudgedKind::ValuesFile { .. } => "values-file",
            NotJudgedKind::Blocked(_) => "blocked",
        }
    }
}

/// The number of parts that are listed for a problem.
pub const MOST_PARTS: usize = 100;

/// The number of parts that a line names.
const NAMED_PARTS: usize = 4;

impl BlockedParts {
    /// What a problem at this place keeps from being judged.
    pub fn new(
        parts: Vec<String>,
        more: bool,
        values_files: Vec<String>,
        problem: Location,
        is_own: bool,
    ) -> BlockedParts {
        BlockedParts { parts, more, values_files, locations: vec![problem], is_own }
    }

    /// `output.a and output.b, because of main.tf:3`
    fn text(&self) -> String {
        let what = if self.more || self.parts.len() > NAMED_PARTS {
            let more = if self.more { "more than " } else { "" };
            format!("{more}{}", counted(self.parts.len(), "part"))
        } else {
            listed(&self.parts)
        };
        format!("{what}, because of {}", self.because())
    }

    /// The problem's file and line.
    fn because(&self) -> String {
        self.locations.first().map_or_else(String::new, |at| format!("{}:{}", at.file, at.line))
    }

    fn place(&self) -> Option<(&str, u32, u32)> {
        self.locations.first().map(|at| (at.file.as_str(), at.line, at.column))
    }
}

/// What one problem keeps from being judged in several modules; there is at least one.
fn of_problem(all: &[(&str, &BlockedParts)]) -> NotJudged {
    let (module, first) = all[0];
    let is_of_one = all.iter().all(|it| it.0 == module);
    let name = |module: &str, part: &String| match is_of_one {
        true => part.clone(),
        false => format!("{module}: {part}"),
    };
    let parts = all.iter().flat_map(|(module, it)| it.parts.iter().map(|part| name(module, part)));
    let files = all.iter().flat_map(|(_, it)| it.values_files.iter().cloned());
    let (parts, files): (BTreeSet<String>, BTreeSet<String>) = (parts.collect(), files.collect());
    let what = BlockedParts {
        parts: parts.into_iter().collect(),
        more: all.iter().any(|(_, it)| it.more),
        values_files: files.into_iter().collect(),
        locations: first.locations.clone(),
        is_own: first.is_own,
    };
    NotJudged { module: module.to_owned(), what: NotJudgedKind::Blocked(what) }
}

/// The number of problems that a line names.
const NAMED_PROBLEMS: usize = 3;

impl Report {
    /// The parts that people see. Nearly every module has resources, so with many modules these are left out.
    pub(super) fn shown_not_judged(&self) -> impl Iterator<Item = Cow<'_, NotJudged>> {
        let is_of_one = self.verdict().is_some();
        let is_shown = move |it: &&NotJudged| {
            !matches!(it.what, NotJudgedKind::Blocked(_)) && (is_of_one || !it.is_of_providers())
        };
        let others = self.not_judged.iter().filter(is_shown).map(Cow::Borrowed);
        self.blocked_by_problem().into_iter().map(Cow::Owned).chain(others)
    }

    /// The parts that problems keep from being judged, once for each problem, however many modules it concerns.
    pub(super) fn blocked_by_problem(&self) -> Vec<NotJudged> {
        let mut problems: IndexMap<_, Vec<(&str, &BlockedParts)>> = IndexMap::new();
        for it in &self.not_judged {
            if let NotJudgedKind::Blocked(blocked) = &it.what {
                problems.entry(blocked.place()).or_default().push((&it.module, blocked));
            }
        }
        problems.into_values().map(|all| of_problem(&all)).collect()
    }

    /// Leaves out what an error in the same value or block keeps from being judged, if that error is among the
    /// findings: the value or block is judged then, and refused. If the error is silenced, nothing says so. A values
    /// file with a part that is not judged is removed from the judged ones.
    pub fn settle_blocked(&mut self) {
        let reported = self.findings.iter().flat_map(|it| &it.locations);
        // A missing variable has no place but the beginning of a file.
        let place =
            |at: &Location| (at.file.clone(), (at.line, at.column), (at.end_line, at.end_column));
        let reported: HashSet<_> = reported.map(place).collect();
        self.not_judged.retain(|it| match &it.what {
            NotJudgedKind::Blocked(it) => {
                !it.is_own || it.locations.first().is_none_or(|at| !reported.contains(&place(at)))
            }
            _ => true,
        });
        let ValuesFiles { judged, not_judged, .. } = &mut self.values_files;
        for it in &self.not_judged {
            if let NotJudgedKind::Blocked(it) = &it.what {
                not_judged.extend(it.values_files.iter().cloned());
            }
        }
        judged.retain(|it| !not_judged.contains(it));
    }

    /// The parts that problems keep from being judged.
    pub(super) fn blocked(&self) -> impl Iterator<Item = &NotJudged> {
        self.not_judged.iter().filter(|it| matches!(it.what, NotJudgedKind::Blocked(_)))
    }

    /// `2 values files and 3 parts of modules, because of main.tf:11`; `None` where problems keep nothing from being
    /// judged.
    pub(super) fn blocked_words(&self) -> Option<String> {
        let all = self.not_judged.iter().filter_map(|it| match &it.what {
            NotJudgedKind::Blocked(it) => Some(it),
            _ => None,
        });
        let all: Vec<&BlockedParts> = all.collect();
        let files: BTreeSet<&String> = all.iter().flat_map(|it| &it.values_files).collect();
        let of_modules = |it: &&BlockedParts| it.values_files.is_empty();
        let parts: Vec<&String> =
            all.iter().filter(|it| of_modules(it)).flat_map(|it| &it.parts).collect();
        let mut what = Vec::new();
        if !files.is_empty() {
            what.push(counted(files.len(), "values file"));
        }
        match parts.len() {
            0 => (),
            n if n <= NAMED_PARTS => what.extend(parts.into_iter().cloned()),
            n => what.push(counted(n, "part")),
        }
        let problems: BTreeSet<String> = all.iter().map(|it| it.because()).collect();
        let mut named: Vec<String> = problems.iter().take(NAMED_PROBLEMS).cloned().collect();
        if let more @ 1.. = problems.len().saturating_sub(NAMED_PROBLEMS) {
            named.push(counted(more, "more problem"));
        }
        (!all.is_empty()).then(|| format!("{}, because of {}", listed(&what), listed(&named)))
    }

    /// The number of omissions other than resources: `3 rules that only a plan can decide`.
    pub(super) fn not_judged_count(&self) -> Option<String> {
        let rules = match self.count_not_judged("rule") {
            0 => None,
            n => Some(format!("{} that only a plan can decide", counted(n, "rule"))),
        };
        let calls = match self.count_not_judged("call") {
            0 => None,
            1 => Some("1 call of a module that is not available".to_owned()),
            n => Some(format!("{n} calls of modules that are not available")),
        };
        let files = match self.count_not_judged("values-file") {
            0 => None,
            n => Some(counted(n, "values file")),
        };
        let parts: Vec<String> = rules.into_iter().chain(calls).chain(files).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// The line about omissions for people, if there is more than resources. A verdict on one module
    /// names the calls.
    pub(super) fn not_judged_line(&self) -> Option<String> {
        let count = self.not_judged_count()?;
        let are_few = self.count_not_judged("rule") == 0 && self.count_not_judged("call") <= NAMED;
        let line = match self.verdict() {
            Some(Verdict::Reject) => return None,
            Some(_) if are_few => {
                let all: Vec<String> = self.shown_not_judged().map(|it| it.text()).collect();
                all.join("; ")
            }
            _ => format!("{count} (list them with -v)"),
        };
        Some(format!("not judged: {line}"))
    }

    fn count_not_judged(&self, kind: &str) -> usize {
        self.not_judged.iter().filter(|it| it.what.kind() == kind).count()
    }

    /// The verdict in a few words, with its omissions.
    pub(super) fn verdict_words(&self) -> Option<String> {
        Some(match self.verdict()? {
            Verdict::Accept => format!("accepted{}", self.apart_from()),
            Verdict::Reject => "rejected".to_owned(),
            Verdict::Undecided => "undecided".to_owned(),
        })
    }

    fn apart_from(&self) -> String {
        let has = |kind| self.count_not_judged(kind) > 0;
        let all = [
            ("resources", "what providers check"),
            ("call", "modules that are not available"),
            ("rule", "what only a plan can decide"),
        ];
        let left: Vec<&str> = all.iter().filter(|it| has(it.0)).map(|it| it.1).collect();
        if left.is_empty() { String::new() } else { format!(", apart from {}", left.join(" and ")) }
    }
}
