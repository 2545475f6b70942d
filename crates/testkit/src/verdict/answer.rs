//! The answer about a tree, ours or a real Terraform's, in a form that can be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use diagnostics::{Diagnostic, Finding, Sources, Span, Verdict, lints};
use module::Module;
use release::Release;
use serde_json::Value as Json;
use system::OsSystem;
use verdict::Judgement;

/// A variable of a module in the tree, and the index of one of its rules, where the place shows
/// which one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failed {
    /// The addresses that it may be about, without keys of instances: a real Terraform reports only the place of the
    /// rule and the place of the argument. Any address, if there is none.
    pub addresses: BTreeSet<String>,
    pub variable: String,
    pub rule: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    pub failed: BTreeSet<Failed>,
    /// Places of conditions that do not hold, as `FILE:LINE`.
    pub conditions: BTreeSet<String>,
    /// Where errors are.
    files: BTreeSet<String>,
    pub said: Vec<String>,
}

const CONDITIONS: &[&str] = &[
    "Module output value precondition failed",
    "Resource precondition failed",
    "Resource postcondition failed",
];

impl Answer {
    /// Ours; `shown` is what the root's directory is called in places.
    pub fn ours(judgement: &Judgement, sources: &Sources, shown: &str) -> Answer {
        let (mut failed, mut conditions) = (BTreeSet::new(), BTreeSet::new());
        let (mut files, mut said) = (BTreeSet::new(), Vec::new());
        for it in &judgement.diagnostics {
            let finding = Finding::new(it, "", sources);
            let place = finding.locations.first();
            let place = place.map(|it| format!("{}:{}", relative(&it.file, shown), it.line));
            let place = place.unwrap_or_default();
            let all = finding.locations.iter().filter(|_| it.is_error());
            files.extend(all.map(|it| relative(&it.file, shown).to_owned()));
            if !it.is_error() {
                if it.rule == lints::UNDECIDED_VALIDATION {
                    said.push(format!("(open) {place}: {}", it.message()));
                }
                continue;
            }
            said.push(format!("{place}: {} {}: {}", it.address, it.rule, it.message()));
            failed.extend(failure(it));
            if it.rule == lints::FAILED_CONDITION {
                conditions.insert(place);
            }
        }
        Answer { verdict: judgement.verdict, failed, conditions, files, said }
    }

    /// The answer of a real Terraform: whether it ended well, and the errors that it reported.
    pub fn theirs(is_accepted: bool, told: &[Json], places: &Places) -> Answer {
        let text = |it: &Json, name: &str| it[name].as_str().unwrap_or_default().to_owned();
        let told = told.iter();
        let told =
            told.map(|it| (text(it, "summary"), text(it, "detail"), Place::of(&it["range"])));
        Answer::told(is_accepted, told, places)
    }

    /// Of a real Terraform that ended well or not, and its errors: summary, detail, place.
    pub fn told(
        is_accepted: bool,
        told: impl Iterator<Item = (String, String, Option<Place>)>,
        places: &Places,
    ) -> Answer {
        let (mut failed, mut conditions) = (BTreeSet::new(), BTreeSet::new());
        let (mut files, mut said) = (BTreeSet::new(), Vec::new());
        for (summary, detail, at) in told {
            // Of the root's variables we show the value first.
            let is_of_root = detail.contains("suitable for var.");
            files.extend(at.as_ref().filter(|_| !is_of_root).map(|it| it.file.clone()));
            let place = at.as_ref().map(Place::line).unwrap_or_default();
            said.push(format!("{place}: {summary}: {detail}"));
            failed.extend(places.failure(&detail, at.as_ref()));
            if CONDITIONS.contains(&summary.as_str()) {
                conditions.insert(place);
            }
        }
        let verdict = if is_accepted { Verdict::Accept } else { Verdict::Reject };
        Answer { verdict, failed, conditions, files, said }
    }

    /// Whether a part of it is undecided.
    pub fn is_partly_open(&self) -> bool {
        self.said.iter().any(|it| it.starts_with("(open)"))
    }

    /// How they differ; `None` if they agree.
    pub fn differs(&self, theirs: &Answer) -> Option<String> {
        let missing = |of: &Answer, from: &Answer| {
            let is_said = |it: &&Failed| from.failed.iter().any(|other| it.may_be(other));
            of.failed.iter().filter(|it| !is_said(it)).cloned().collect::<Vec<_>>()
        };
        let only_ours = missing(self, theirs);
        let only_theirs = missing(theirs, self);
        if self.verdict != theirs.verdict {
            return Some(format!("{:?}, not {:?}", self.verdict, theirs.verdict));
        }
        if !only_ours.is_empty() || !only_theirs.is_empty() {
            return Some(format!("too much: {only_ours:?}, too little: {only_theirs:?}"));
        }
        if self.conditions != theirs.conditions {
            return Some(format!("conditions {:?}, not {:?}", self.conditions, theirs.conditions));
        }
        // Other errors are alike where they are in the same files: ours are closer to the value.
        let is_rule = !self.failed.is_empty() || !self.conditions.is_empty();
        if !is_rule && !theirs.files.is_empty() && self.files.is_disjoint(&theirs.files) {
            return Some(format!("errors in {:?}, not in {:?}", self.files, theirs.files));
        }
        None
    }
}

impl Failed {
    /// Whether both may be the same.
    pub fn may_be(&self, other: &Failed) -> bool {
        self.variable == other.variable
            && (self.addresses.is_empty()
                || other.addresses.is_empty()
                || self.addresses.intersection(&other.addresses).next().is_some())
            && (self.rule.is_none() || other.rule.is_none() || self.rule == other.rule)
    }
}

fn failure(it: &Diagnostic) -> Option<Failed> {
    let variable = it.variable.as_ref()?.to_string();
    // A rule that refers to what it cannot is refused before it is evaluated.
    let is_rule = it.rule == lints::FAILED_VALIDATION || it.validation.is_some();
    let is_value = it.rule.is_one_of(&[&lints::TYPE_MISMATCH, &lints::NULL_NOT_ALLOWED])
        && !it.address.is_empty();
    (is_rule || is_value).then(|| Failed {
        addresses: [it.address.to_string()].into(),
        variable,
        rule: it.validation,
    })
}

fn relative<'a>(path: &'a str, shown: &str) -> &'a str {
    path.strip_prefix(shown).map_or(path, |it| it.trim_start_matches('/'))
}

/// A place as Terraform reports it: its beginning.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: String,
    pub start: (u32, u32),
}

impl Place {
    fn of(range: &Json) -> Option<Place> {
        let file = range["filename"].as_str().filter(|it| !it.is_empty())?;
        let number = |name: &str| u32::try_from(range["start"][name].as_u64()?).ok();
        Some(Place { file: clean(file), start: (number("line")?, number("column")?) })
    }

    /// Of `FILE:LINE,COLUMN` with anything behind it.
    pub fn parse(text: &str) -> Option<Place> {
        let (file, place) = text.rsplit_once(':')?;
        let mut numbers = place.split([',', '-']).map(|it| it.trim_end_matches('.').parse().ok());
        Some(Place { file: clean(file), start: (numbers.next()??, numbers.next()??) })
    }

    fn line(&self) -> String {
        format!("{}:{}", self.file, self.start.0)
    }
}

/// A path without `.` and `..`.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => (),
            ".." if parts.last().is_some_and(|it| *it != "..") => _ = parts.pop(),
            it => parts.push(it),
        }
    }
    parts.join("/")
}

/// Where the rules of a tree's variables are, and which modules are where.
pub struct Places {
    root: String,
    /// Addresses by directory.
    addresses: BTreeMap<String, BTreeSet<String>>,
    rules: Vec<Rule>,
    /// The arguments of calls: file, places, name of the call.
    arguments: Vec<(String, Within, String)>,
}

struct Rule {
    dir: String,
    file: String,
    variable: String,
    index: Option<usize>,
    /// The line and column of the block.
    start: (u32, u32),
    /// Of the condition and the message.
    parts: Vec<Within>,
}

/// From a line and column to another, which is not part of it.
type Within = std::ops::Range<(u32, u32)>;

/// How deep calls are followed.
const MOST_CALLS: usize = 8;

impl Places {
    /// Reads the tree of a root module in a directory; everything is as seen from `base`.
    pub fn of(base: &Path, root: &str) -> Places {
        let mut places = Places {
            root: clean(root),
            addresses: BTreeMap::new(),
            rules: Vec::new(),
            arguments: Vec::new(),
        };
        places.read(base, clean(root), String::new());
        places
    }

    fn read(&mut self, base: &Path, dir: String, address: String) {
        let depth = address.matches("module.").count();
        let options =
            module::LoadOptions { release: Release::V1_11, ..module::LoadOptions::default() };
        let Ok((module, _)) = module::load(&OsSystem, &base.join(&dir), &options) else { return };
        let addresses = self.addresses.entry(dir.clone()).or_default();
        let is_new = addresses.is_empty();
        addresses.insert(address.clone());
        if is_new {
            self.read_places(&module, &dir);
        }
        for call in module.calls.values().filter(|_| depth < MOST_CALLS) {
            let Some((source, _)) = &call.source else { continue };
            if source.starts_with('.') {
                let separator = if address.is_empty() { "" } else { "." };
                let address = format!("{address}{separator}module.{}", call.name);
                self.read(base, clean(&format!("{dir}/{source}")), address);
            }
        }
    }

    fn read_places(&mut self, module: &Module, dir: &str) {
        let file = |span: Span| {
            let path = &module.sources.file(span.file).path;
            let name = path.rsplit('/').next().unwrap_or_default();
            if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
        };
        let position = |span: Span, offset: u32| {
            let it = module.sources.file(span.file).position(offset);
            (it.line, it.column)
        };
        let within = |it: Span| position(it, it.start)..position(it, it.end);
        for variable in module.variables.values() {
            for it in &variable.validations {
                let exprs = std::iter::once(&it.condition).chain(&it.error_message);
                self.rules.push(Rule {
                    dir: dir.to_owned(),
                    file: file(it.span),
                    variable: variable.name.to_string(),
                    index: it.index,
                    start: position(it.span, it.span.start),
                    parts: exprs.map(|it| within(it.span)).collect(),
                });
            }
        }
        for call in module.calls.values() {
            for it in call.arguments.values() {
                let span = it.expr.span;
                self.arguments.push((file(span), within(span), call.name.to_string()));
            }
        }
    }

    /// The rule that did not hold or could not be evaluated, or the argument that was refused.
    pub fn failure(&self, detail: &str, at: Option<&Place>) -> Option<Failed> {
        if let Some((_, place)) = detail.split_once("checked by the validation rule at ") {
            let place = Place::parse(place)?;
            let file = clean(&format!("{}/{}", self.root, place.file));
            let is_meant = |it: &&Rule| it.file == file && it.start == place.start;
            return Some(self.failed(self.rules.iter().find(is_meant)?, at));
        }
        if let Some((_, rest)) = detail.split_once("not suitable for module.") {
            let (address, rest) = rest.split_once(".var.")?;
            let end = rest.find([' ', ',']).unwrap_or(rest.len());
            let address = without_keys(&format!("module.{address}"));
            let variable = rest[..end].to_owned();
            return Some(Failed { addresses: [address].into(), variable, rule: None });
        }
        // An error in the condition or the message.
        let at = at?;
        let has = |rule: &&Rule| {
            rule.file == at.file && rule.parts.iter().any(|it| it.contains(&at.start))
        };
        Some(self.failed(self.rules.iter().find(has)?, None))
    }

    fn failed(&self, rule: &Rule, at: Option<&Place>) -> Failed {
        let all = &self.addresses[&rule.dir];
        let argument = at.and_then(|at| {
            let mut all = self.arguments.iter();
            all.find(|(file, within, _)| *file == at.file && within.contains(&at.start))
        });
        let addresses = match argument {
            Some((file, _, name)) => {
                let above = &self.addresses[file.rsplit_once('/').map_or("", |it| it.0)];
                let is_called = |it: &&String| {
                    let (parent, last) = it.rsplit_once("module.").unwrap_or(("", ""));
                    last == name && above.contains(parent.trim_end_matches('.'))
                };
                all.iter().filter(is_called).cloned().collect()
            }
            None => all.clone(),
        };
        Failed { addresses, variable: rule.variable.clone(), rule: rule.index }
    }
}

fn without_keys(address: &str) -> String {
    let (mut text, mut depth) = (String::new(), 0);
    for char in address.chars() {
        match char {
            '[' => depth += 1,
            ']' => depth -= 1,
            it if depth == 0 => text.push(it),
            _ => (),
        }
    }
    text
}
