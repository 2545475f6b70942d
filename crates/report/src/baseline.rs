//! Applies baselines: known findings are dropped, new ones stay, and known ones that no longer occur are
//! reported.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use smol_str::SmolStr;

use super::{Report, ReportBody, Status, compare};
use diagnostics::{Excerpt, Finding, Level, LintId, Location, Role, lints};

/// Identifies a known finding. Findings that differ only in their place have the same key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BaselineKey {
    /// The module's directory, relative to the baseline's.
    pub module: String,
    pub rule: LintId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<usize>,
    /// A hash of the message without places.
    pub message: String,
}

/// A baseline, with the findings of a run that it lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Listed", into = "Listed")]
pub struct Baseline {
    /// The file as shown.
    pub file: String,
    /// The number of known findings with each key.
    pub entries: BTreeMap<BaselineKey, u64>,
    /// The level of findings about entries that no longer occur; `None` if a run cannot know that, or
    /// should not report it.
    pub unused_level: Option<Level>,
    /// The findings with a listed key, in any number.
    pub found: Vec<(Finding, BaselineKey)>,
}

/// A baseline that a run wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBaseline {
    /// The file as shown.
    pub file: String,
    /// Whether a configuration names it.
    pub is_configured: bool,
}

impl Baseline {
    /// The number of known findings that no longer occur.
    fn gone(&self) -> u64 {
        let mut left = self.entries.clone();
        for (_, key) in &self.found {
            if let Some(count) = left.get_mut(key) {
                *count = count.saturating_sub(1);
            }
        }
        left.values().fold(0, |sum, it| sum.saturating_add(*it))
    }

    /// Drops known findings from a sorted list, of each key the first ones. Returns their number.
    fn silence(&self, findings: &mut Vec<Finding>) -> usize {
        let mut known: Vec<&(Finding, BaselineKey)> = self.found.iter().collect();
        known.sort_by(|a, b| compare(&a.0, &b.0));
        let (mut left, before) = (self.entries.clone(), findings.len());
        findings.retain(|finding| {
            let Ok(at) = known.binary_search_by(|it| compare(&it.0, finding)) else { return true };
            match left.get_mut(&known[at].1) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return true,
            }
            false
        });
        before - findings.len()
    }

    fn unused(&self) -> Option<Finding> {
        let (level, gone) = (self.unused_level?, self.gone());
        let what = match gone {
            0 => return None,
            1 => "1 finding in the baseline no longer occurs".to_owned(),
            _ => format!("{gone} findings in the baseline no longer occur"),
        };
        let place = Location {
            role: Role::Declaration,
            file: self.file.clone(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            text: String::new(),
            excerpt: Excerpt::default(),
        };
        let help = format!("run `terraschema check --write-baseline {}` to remove them", self.file);
        Some(Finding {
            rule: (&lints::UNUSED_SUPPRESSION).into(),
            level,
            bump: None,
            message: what,
            module: String::new(),
            address: SmolStr::default(),
            variables: Vec::new(),
            variable: None,
            validation: None,
            path: None,
            policy: None,
            later: false,
            locations: vec![place],
            values_files: Vec::new(),
            help: Some(help),
            fix: None,
            cause: None,
        })
    }
}

impl Report {
    /// Drops known findings from a sorted report, and reports entries that no longer occur.
    pub fn settle(&mut self, baselines: &[Baseline]) {
        if baselines.is_empty() {
            return;
        }
        let is_part = self.part().is_some();
        let mut baselined = 0;
        for baseline in baselines {
            baselined += baseline.silence(&mut self.findings);
            // A single part cannot know what no longer occurs.
            if !is_part {
                self.findings.extend(baseline.unused());
            }
        }
        self.findings.sort_by(compare);
        // If a schema's drift is known, so is its difference.
        let (findings, known) = (&self.findings, |it: &(Finding, BaselineKey)| it.0.module.clone());
        let known: Vec<String> = baselines.iter().flat_map(|it| &it.found).map(known).collect();
        let ReportBody::Check(checked) = &mut self.body else { return };
        checked.baselined += baselined;
        for module in checked.modules.iter_mut().filter(|it| it.status == Status::Stale) {
            let is_told = |it: &Finding| it.rule == lints::STALE_SCHEMA && it.module == module.path;
            if known.contains(&module.path) && !findings.iter().any(is_told) {
                module.diff = None;
            }
        }
    }
}

/// Merges the baselines of a run's parts: each file once, with the findings of all parts.
pub(super) fn join(parts: impl IntoIterator<Item = Baseline>) -> Vec<Baseline> {
    let mut joined: Vec<Baseline> = Vec::new();
    for part in parts {
        match joined.iter_mut().find(|it| it.file == part.file) {
            Some(it) => {
                it.found.extend(part.found);
                it.unused_level = it.unused_level.and(part.unused_level);
            }
            None => joined.push(part),
        }
    }
    joined
}

/// A key with the number of its known findings: one line of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineEntry {
    #[serde(flatten)]
    pub key: BaselineKey,
    #[serde(deserialize_with = "count")]
    pub count: u64,
}

/// Reads a count of at least one, since a baseline lists no other.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        0 => Err(D::Error::custom("\"count\" is zero")),
        count => Ok(count),
    }
}

/// A baseline in a report: each finding names its entry by the index in the list.
#[derive(Serialize, Deserialize)]
struct Listed {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unused_level: Option<Level>,
    entries: Vec<BaselineEntry>,
    found: Vec<Found>,
}

#[derive(Serialize, Deserialize)]
struct Found {
    entry: usize,
    finding: Finding,
}

impl From<Baseline> for Listed {
    fn from(it: Baseline) -> Listed {
        let index: BTreeMap<&BaselineKey, usize> = it.entries.keys().zip(0..).collect();
        let found = it
            .found
            .into_iter()
            .filter_map(|(finding, key)| Some(Found { entry: *index.get(&key)?, finding }));
        let found = found.collect();
        let entries =
            it.entries.iter().map(|(key, count)| BaselineEntry { key: key.clone(), count: *count });
        Listed { file: it.file, unused_level: it.unused_level, entries: entries.collect(), found }
    }
}

impl TryFrom<Listed> for Baseline {
    type Error = &'static str;

    fn try_from(it: Listed) -> Result<Baseline, &'static str> {
        let found = it.found.into_iter().map(|found| {
            let entry = it.entries.get(found.entry).ok_or("\"entry\" is not an entry")?;
            Ok::<_, &'static str>((found.finding, entry.key.clone()))
        });
        let found = found.collect::<Result<_, _>>()?;
        let entries = it.entries.into_iter().map(|it| (it.key, it.count)).collect();
        Ok(Baseline { file: it.file, entries, unused_level: it.unused_level, found })
    }
}
