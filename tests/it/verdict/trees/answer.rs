//! What is said of a tree, by us or by a real Terraform, in a form that can be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::Value as Json;
use terraschema::{
    diagnostic::{Diagnostic, Finding, Sources, Span, Verdict},
    module,
    system::OsSystem,
    verdict::Judgement,
    version::Version,
};

/// A variable of a module in the tree, and one of its rules by index, where the place tells which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failed {
    /// The addresses that it may be about, without keys of instances: a real Terraform tells only the
    /// place of the rule and that of the argument.
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
        let mut said = Vec::new();
        for it in &judgement.diagnostics {
            let finding = Finding::new(it, "", sources);
            let place = finding.locations.first();
            let place = place.map(|it| format!("{}:{}", relative(&it.file, shown), it.line));
            let place = place.unwrap_or_default();
            if !it.is_error() {
                if it.rule == terraschema::verdict::UNDECIDED {
                    said.push(format!("(open) {place}: {}", it.message()));
                }
                continue;
            }
            said.push(format!("{place}: {} {}: {}", it.address, it.rule, it.message()));
            failed.extend(failure(it));
            if it.rule == "failed-condition" {
                conditions.insert(place);
            }
        }
        Answer { verdict: judgement.verdict, failed, conditions, said }
    }

    /// Of a real Terraform that ended well or not, and what it told as errors.
    pub fn theirs(is_accepted: bool, told: &[Json], places: &Places) -> Answer {
        let (mut failed, mut conditions) = (BTreeSet::new(), BTreeSet::new());
        let mut said = Vec::new();
        for it in told {
            let summary = it["summary"].as_str().unwrap_or_default();
            let detail = it["detail"].as_str().unwrap_or_default();
            let at = Place::of(&it["range"]);
            let place = at.as_ref().map(|it| format!("{}:{}", it.file, it.line)).unwrap_or_default();
            said.push(format!("{place}: {summary}: {detail}"));
            failed.extend(places.failure(detail, at.as_ref()));
            if CONDITIONS.contains(&summary) {
                conditions.insert(place);
            }
        }
        let verdict = if is_accepted { Verdict::Accept } else { Verdict::Reject };
        Answer { verdict, failed, conditions, said }
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
        None
    }
}

impl Failed {
    /// Whether both may be the same.
    pub fn may_be(&self, other: &Failed) -> bool {
        self.variable == other.variable
            && self.addresses.intersection(&other.addresses).next().is_some()
            && (self.rule.is_none() || other.rule.is_none() || self.rule == other.rule)
    }
}

fn failure(it: &Diagnostic) -> Option<Failed> {
    let variable = it.variable.as_ref()?.to_string();
    let is_rule = it.rule == "failed-validation";
    let is_value = ["type-mismatch", "null-not-allowed"].contains(&it.rule) && !it.address.is_empty();
    (is_rule || is_value).then(|| Failed {
        addresses: [it.address.to_string()].into(),
        variable,
        rule: it.validation,
    })
}

fn relative<'a>(path: &'a str, shown: &str) -> &'a str {
    path.strip_prefix(shown).map_or(path, |it| it.trim_start_matches('/'))
}

/// A place as Terraform tells it.
pub struct Place {
    pub file: String,
    pub line: u64,
    byte: u64,
}

impl Place {
    fn of(range: &Json) -> Option<Place> {
        let file = range["filename"].as_str().filter(|it| !it.is_empty())?;
        let start = &range["start"];
        Some(Place { file: clean(file), line: start["line"].as_u64()?, byte: start["byte"].as_u64()? })
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

/// Where the rules of a tree's variables stand, and which modules are where.
pub struct Places {
    /// Addresses by directory.
    addresses: BTreeMap<String, BTreeSet<String>>,
    rules: Vec<Rule>,
    /// Calls with the bytes of their arguments: file, name.
    calls: Vec<(String, std::ops::Range<u64>, String)>,
}

struct Rule {
    dir: String,
    file: String,
    variable: String,
    index: Option<usize>,
    /// The line and column of the block.
    start: (u32, u32),
    parts: Vec<std::ops::Range<u64>>,
}

impl Places {
    /// Reads a tree that `terraform init` has installed.
    pub fn of(root: &Path) -> Places {
        let mut addresses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        addresses.entry(String::new()).or_default().insert(String::new());
        let manifest = std::fs::read_to_string(root.join(".terraform/modules/modules.json"));
        let manifest: Json = manifest.ok().and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default();
        for it in manifest["Modules"].as_array().into_iter().flatten() {
            let (key, dir) = (it["Key"].as_str().unwrap(), it["Dir"].as_str().unwrap());
            let names: Vec<String> =
                key.split('.').filter(|it| !it.is_empty()).map(|it| format!("module.{it}")).collect();
            addresses.entry(clean(dir)).or_default().insert(names.join("."));
        }
        let (mut rules, mut calls) = (Vec::new(), Vec::new());
        let options = module::Options { version: Version::V1_11, ..module::Options::default() };
        for dir in addresses.keys() {
            let Ok((module, _)) = module::load(&OsSystem, &root.join(dir), &options) else { continue };
            let file = |span: Span| {
                let path = &module.sources.file(span.file).path;
                let name = path.rsplit('/').next().unwrap_or_default();
                if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
            };
            let bytes = |span: Span| u64::from(span.start)..u64::from(span.end);
            for variable in module.variables.values() {
                for it in &variable.validations {
                    let start = module.sources.file(it.span.file).position(it.span.start);
                    let exprs = std::iter::once(&it.condition).chain(&it.error_message);
                    rules.push(Rule {
                        dir: dir.clone(),
                        file: file(it.span),
                        variable: variable.name.to_string(),
                        index: it.index,
                        start: (start.line, start.column),
                        parts: exprs.map(|it| bytes(it.span)).collect(),
                    });
                }
            }
            for call in module.calls.values() {
                for it in call.arguments.values() {
                    calls.push((file(it.expr.span), bytes(it.expr.span), call.name.to_string()));
                }
            }
        }
        Places { addresses, rules, calls }
    }

    fn failure(&self, detail: &str, at: Option<&Place>) -> Option<Failed> {
        if let Some((_, place)) = detail.split_once("checked by the validation rule at ") {
            let (file, place) = place.rsplit_once(':')?;
            let mut numbers = place.split([',', '-']).map(|it| it.parse::<u32>().ok());
            let start = (numbers.next()??, numbers.next()??);
            let file = clean(file);
            let rule = self.rules.iter().find(|it| it.file == file && it.start == start)?;
            return Some(self.failed(rule, at));
        }
        if let Some((_, rest)) = detail.split_once("not suitable for module.") {
            let (address, rest) = rest.split_once(".var.")?;
            let end = rest.find([' ', ',']).unwrap_or(rest.len());
            let address = without_keys(&format!("module.{address}"));
            return Some(Failed {
                addresses: [address].into(),
                variable: rest[..end].to_owned(),
                rule: None,
            });
        }
        if let Some((_, rest)) = detail.split_once("Unsuitable value for module.")
            .or_else(|| detail.split_once("The given value is not suitable for module."))
        {
            let (address, rest) = rest.split_once(".var.")?;
            let end = rest.find([' ', ',']).unwrap_or(rest.len());
            let address = without_keys(&format!("module.{address}"));
            return Some(Failed { addresses: [address].into(), variable: rest[..end].to_owned(), rule: None });
        }
        // An error in the condition or the message.
        let at = at?;
        let is_in = |it: &&Rule| it.file == at.file && it.parts.iter().any(|it| it.contains(&at.byte));
        let rule = self.rules.iter().find(is_in)?;
        Some(self.failed(rule, None))
    }

    fn failed(&self, rule: &Rule, at: Option<&Place>) -> Failed {
        let all = &self.addresses[&rule.dir];
        let call = at.and_then(|at| {
            let mut calls = self.calls.iter();
            calls.find(|(file, range, _)| *file == at.file && range.contains(&at.byte))
        });
        let addresses = match call {
            Some((file, _, name)) => {
                let above = file.rsplit_once('/').map_or("", |it| it.0);
                let above = &self.addresses[above];
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
