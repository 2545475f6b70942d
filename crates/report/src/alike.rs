//! Groups of findings that say the same of several places: one module may break one habit in thirty variables, or one
//! variable has the same dead attribute in each environment's file, and thirty equal paragraphs hide everything else.

use std::collections::{HashMap, HashSet};

use super::{Report, counted};
use diagnostics::{Finding, Level, lints};

/// Findings of one file that differ in their place and their variable only, or of several files that differ in their
/// place and their file's name only.
pub(super) struct Alike<'r> {
    pub first: &'r Finding,
    pub others: Vec<&'r Finding>,
}

/// The fewest findings that are shown as one.
const FEWEST: usize = 3;

/// The most places that are named.
const MOST_NAMED: usize = 20;

/// What findings have in common.
type Likeness<'r> = (&'r str, Level, &'r str, &'r str, String, Option<String>);

/// Groups the findings. Each group is where its first finding is. Small groups are divided.
pub(super) fn grouped<'r>(findings: &[&'r Finding], is_verbose: bool) -> Vec<Alike<'r>> {
    let alone = |first: &&'r Finding| Alike { first, others: Vec::new() };
    if is_verbose {
        return findings.iter().map(alone).collect();
    }
    let mut groups: Vec<Option<Alike<'r>>> = findings.iter().map(alone).map(Some).collect();
    join(&mut groups, of_file);
    join(&mut groups, of_variable);
    groups.into_iter().flatten().collect()
}

/// Joins findings that are alone and have a likeness in common.
fn join<'r>(groups: &mut [Option<Alike<'r>>], likeness: fn(&'r Finding) -> Likeness<'r>) {
    let mut members: HashMap<Likeness<'r>, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        if let Some(it) = group.as_ref().filter(|it| it.others.is_empty()) {
            members.entry(likeness(it.first)).or_default().push(at);
        }
    }
    for all in members.into_values().filter(|it| it.len() >= FEWEST) {
        let others = all[1..].iter().filter_map(|at| groups[*at].take()).map(|it| it.first);
        let others = others.collect();
        if let Some(first) = &mut groups[all[0]] {
            first.others = others;
        }
    }
}

/// Several variables of one file.
fn of_file(it: &Finding) -> Likeness<'_> {
    let file = it.locations.first().map_or("", |at| at.file.as_str());
    let plain = |text: &str| match &it.variable {
        Some(name) => {
            text.replace(&format!("\"{name}\""), "\"\"").replace(&format!("var.{name}"), "var.")
        }
        None => text.to_owned(),
    };
    (
        it.rule.as_str(),
        it.level,
        &it.module,
        file,
        plain(&it.message),
        it.help.as_deref().map(plain),
    )
}

/// One variable in several files.
fn of_variable(it: &Finding) -> Likeness<'_> {
    let name = it.variable.as_deref().unwrap_or_default();
    let file = it.locations.first().map(|at| at.file.as_str()).filter(|it| !it.is_empty());
    let message = file.map_or_else(|| it.message.clone(), |file| it.message.replace(file, ""));
    (it.rule.as_str(), it.level, &it.module, name, message, it.help.clone())
}

impl Alike<'_> {
    /// `13 more like it: "b" at main.tf:12, …; -v shows each`; `None` for a finding alone.
    pub fn more(&self) -> Option<String> {
        if self.others.is_empty() {
            return None;
        }
        let place = |it: &&Finding| {
            let at = it.locations.first();
            let at = at.map_or(it.module.clone(), |at| format!("{}:{}", at.file, at.line));
            it.variable.as_ref().map_or(at.clone(), |name| format!("\"{name}\" at {at}"))
        };
        let mut places: Vec<String> = self.others.iter().take(MOST_NAMED).map(place).collect();
        if self.others.len() > MOST_NAMED {
            places.push("…".to_owned());
        }
        Some(format!(
            "{} more findings of this kind: {}; list them with -v",
            self.others.len(),
            places.join(", ")
        ))
    }
}

// Reports the missing schemas of many modules in one block: the first run over a large repository has
// hundreds of them, and one command writes them all.

/// Missing schemas of the same kind, reported together.
pub(super) struct Folded<'r> {
    pub level: Level,
    help: &'r str,
    pub count: usize,
}

impl Folded<'_> {
    /// `128 modules have no schema`
    pub fn message(&self) -> String {
        format!("{} have no schema", counted(self.count, "module"))
    }

    /// The remedy for all of them.
    pub fn advice(&self) -> String {
        self.help.replace(" to write it", " to write them")
    }
}

impl Report {
    /// The findings that are reported one by one, and those that are reported together. A verbose report
    /// has none of the latter.
    pub(super) fn folded(&self, is_verbose: bool) -> (Vec<&Finding>, Vec<Folded<'_>>) {
        let mut folded: Vec<Folded<'_>> = Vec::new();
        if is_verbose {
            return (self.findings.iter().collect(), folded);
        }
        for it in self.findings.iter().filter(|it| it.rule == lints::MISSING_SCHEMA) {
            let (level, help) = (it.level, it.help.as_deref().unwrap_or_default());
            match folded.iter_mut().find(|it| (it.level, it.help) == (level, help)) {
                Some(it) => it.count += 1,
                None => folded.push(Folded { level, help, count: 1 }),
            }
        }
        folded.retain(|it| it.count > 1);
        let is_in = |finding: &&Finding| {
            let (level, help) = (finding.level, finding.help.as_deref().unwrap_or_default());
            finding.rule == lints::MISSING_SCHEMA
                && folded.iter().any(|it| (it.level, it.help) == (level, help))
        };
        (self.findings.iter().filter(|it| !is_in(it)).collect(), folded)
    }
}

// Reports a finding once that every caller of a module finds again.

impl Report {
    /// Drops findings in a called module that the report has already: errors in its own files are found
    /// again by each caller.
    pub fn drop_repeated(&mut self) {
        let key = |finding: &Finding| {
            let place = finding.locations.first()?;
            Some((
                finding.rule.clone(),
                finding.message.clone(),
                place.file.clone(),
                place.line,
                place.column,
            ))
        };
        // Most runs have none; their keys would be half of all memory.
        if self.findings.iter().all(|it| it.address.is_empty()) {
            return;
        }
        self.drop_repeated_of_policies();
        let own = self.findings.iter().filter(|it| it.address.is_empty());
        let mut reported: HashSet<_> = own.filter_map(key).collect();
        self.findings.retain(|finding| {
            finding.address.is_empty() || key(finding).is_none_or(|it| reported.insert(it))
        });
    }

    /// Drops policy findings about a called module itself from its callers.
    fn drop_repeated_of_policies(&mut self) {
        let key = |finding: &Finding| {
            let (place, facts) = (finding.locations.first()?, finding.policy.as_ref()?);
            let (expected, found) = (facts.expected.clone(), facts.found.clone());
            let at = (place.file.clone(), place.line, place.column);
            let name = within_module(&finding.address).to_owned();
            Some((
                finding.rule.clone(),
                finding.level,
                at,
                name,
                finding.path.clone(),
                expected,
                found,
            ))
        };
        let is_of_called = |it: &Finding| within_module(&it.address).len() < it.address.len();
        let own = self.findings.iter().filter(|it| !is_of_called(it));
        let reported: HashSet<_> = own.filter_map(key).collect();
        self.findings.retain(|finding| {
            !is_of_called(finding) || key(finding).is_none_or(|it| !reported.contains(&it))
        });
    }
}

/// The address of an object inside of its own module.
fn within_module(address: &str) -> &str {
    let mut rest = address;
    while let Some(behind) = rest.strip_prefix("module.") {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let end = behind.find(|character| {
            if is_quoted {
                is_quoted = is_escaped || character != '"';
                is_escaped = !is_escaped && character == '\\';
                return false;
            }
            is_quoted = character == '"';
            character == '.'
        });
        let Some(end) = end else { break };
        rest = &behind[end + 1..];
    }
    rest
}
