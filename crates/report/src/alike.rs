//! Groups of findings that say the same of several places: one module may break one habit in thirty variables, or one
//! variable has the same dead attribute in each environment's file, and thirty equal paragraphs hide everything else.

use std::collections::HashMap;

use diagnostics::{Finding, Level};

/// Findings of one file that differ in their place and their variable only, or of several files that differ in their
/// place only.
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
    (it.rule.as_str(), it.level, &it.module, name, it.message.clone(), it.help.clone())
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
