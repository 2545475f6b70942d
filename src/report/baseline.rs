//! Findings that were known before: what a baseline lists is silent, what is new is loud, and what
//! no longer occurs is told.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use smol_str::SmolStr;

use super::{
    Report, Status, compare,
    json::{
        LEVELS, Malformed, array_of, finding_from_json, finding_to_json, name_of, number_of,
        optional_text, text_of,
    },
};
use crate::diagnostic::{Excerpt, Finding, Level, Location, Role, RuleId, rules};

/// What a baseline knows a finding by. Findings that differ only in their place have one key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The module's directory, relative to the baseline's.
    pub module: String,
    pub rule: RuleId,
    pub variable: Option<String>,
    pub validation: Option<usize>,
    /// A hash of the message without places.
    pub message: String,
}

/// A baseline, and what a run found of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    /// The file as shown.
    pub file: String,
    /// How many findings of a key are known.
    pub entries: BTreeMap<Key, u64>,
    /// The level at which it is told that some no longer occur; `None` where a run cannot know, or
    /// is not to tell.
    pub told: Option<Level>,
    /// The findings whose keys are listed, as many as there are.
    pub found: Vec<(Finding, Key)>,
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
    /// How many known findings no longer occur.
    fn gone(&self) -> u64 {
        let mut left = self.entries.clone();
        for (_, key) in &self.found {
            if let Some(count) = left.get_mut(key) {
                *count = count.saturating_sub(1);
            }
        }
        left.values().fold(0, |sum, it| sum.saturating_add(*it))
    }

    /// Drops the findings that are known from a sorted list: of each key the first ones. Returns
    /// how many.
    fn silence(&self, findings: &mut Vec<Finding>) -> usize {
        let mut known: Vec<&(Finding, Key)> = self.found.iter().collect();
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

    fn told(&self) -> Option<Finding> {
        let (level, gone) = (self.told?, self.gone());
        let what = match gone {
            0 => return None,
            1 => "1 finding that the baseline lists no longer occurs".to_owned(),
            _ => format!("{gone} findings that the baseline lists no longer occur"),
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
        let help = format!("`terraschema check --write-baseline {}` takes them out", self.file);
        Some(Finding {
            rule: (&rules::UNUSED_SUPPRESSION).into(),
            level,
            message: what,
            module: String::new(),
            address: SmolStr::default(),
            variable: None,
            validation: None,
            path: None,
            locations: vec![place],
            help: Some(help),
            fix: None,
        })
    }
}

impl Report {
    /// Drops what is known, in a sorted report, and tells what no longer occurs.
    pub fn settle(&mut self, baselines: &[Baseline]) {
        if baselines.is_empty() {
            return;
        }
        for baseline in baselines {
            self.baselined += baseline.silence(&mut self.findings);
            // One part cannot know.
            if self.part.is_none() {
                self.findings.extend(baseline.told());
            }
        }
        self.findings.sort_by(compare);
        // The difference of a schema whose drift is known is known, too.
        let (findings, known) = (&self.findings, |it: &(Finding, Key)| it.0.module.clone());
        let known: Vec<String> = baselines.iter().flat_map(|it| &it.found).map(known).collect();
        for module in self.modules.iter_mut().filter(|it| it.status == Status::Stale) {
            let is_told = |it: &Finding| it.rule == rules::STALE_SCHEMA && it.module == module.path;
            if known.contains(&module.path) && !findings.iter().any(is_told) {
                module.diff = None;
            }
        }
    }
}

/// The baselines of the parts of a run: each file once, with what all parts found.
pub(super) fn join(parts: impl IntoIterator<Item = Baseline>) -> Vec<Baseline> {
    let mut joined: Vec<Baseline> = Vec::new();
    for part in parts {
        match joined.iter_mut().find(|it| it.file == part.file) {
            Some(it) => {
                it.found.extend(part.found);
                it.told = it.told.and(part.told);
            }
            None => joined.push(part),
        }
    }
    joined
}

pub(super) fn to_json(it: &Baseline) -> Value {
    let mut out = Map::new();
    out.insert("file".into(), it.file.as_str().into());
    if let Some(level) = it.told {
        out.insert("told".into(), level.as_str().into());
    }
    let entries = it.entries.iter().map(|(key, count)| {
        let mut entry = key_to_json(key);
        entry.insert("count".into(), (*count).into());
        Value::Object(entry)
    });
    out.insert("entries".into(), entries.collect());
    let index: BTreeMap<&Key, usize> = it.entries.keys().zip(0..).collect();
    let found = it.found.iter().filter_map(|(finding, key)| {
        Some(json!({"entry": index.get(key)?, "finding": finding_to_json(finding)}))
    });
    out.insert("found".into(), found.collect());
    Value::Object(out)
}

pub(super) fn from_json(it: &Value) -> Result<Baseline, Malformed> {
    let told = it.get("told").map(|it| name_of(it, &LEVELS, Level::as_str)).transpose()?;
    let mut baseline =
        Baseline { file: text_of(it, "file")?.to_owned(), told, ..Baseline::default() };
    let mut keys = Vec::new();
    for entry in array_of(it, "entries")? {
        let key = key_from_json(entry)?;
        baseline.entries.insert(key.clone(), count_from_json(entry)?);
        keys.push(key);
    }
    for found in array_of(it, "found")? {
        let key = keys.get(number_of(found, "entry")? as usize);
        let key = key.ok_or_else(|| Malformed("\"entry\" names no entry".to_owned()))?.clone();
        let finding = found.get("finding").ok_or_else(|| Malformed("no \"finding\"".to_owned()))?;
        baseline.found.push((finding_from_json(finding)?, key));
    }
    Ok(baseline)
}

/// The members of a key that it has.
pub fn key_to_json(key: &Key) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("module".into(), key.module.as_str().into());
    out.insert("rule".into(), key.rule.as_str().into());
    if let Some(variable) = &key.variable {
        out.insert("variable".into(), variable.as_str().into());
    }
    if let Some(validation) = key.validation {
        out.insert("validation".into(), validation.into());
    }
    out.insert("message".into(), key.message.as_str().into());
    out
}

/// A key from the members of an object; others do not matter.
pub fn key_from_json(it: &Value) -> Result<Key, Malformed> {
    Ok(Key {
        module: text_of(it, "module")?.to_owned(),
        rule: super::json::rule_of(it)?,
        variable: optional_text(it, "variable"),
        validation: match it.get("validation") {
            None => None,
            Some(_) => Some(number_of(it, "validation")? as usize),
        },
        message: text_of(it, "message")?.to_owned(),
    })
}

/// How many findings of a key are known.
pub fn count_from_json(it: &Value) -> Result<u64, Malformed> {
    match number_of(it, "count")? {
        0 => Err(Malformed("\"count\" is zero".to_owned())),
        count => Ok(count.into()),
    }
}
