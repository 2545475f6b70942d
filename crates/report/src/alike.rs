//! Groups of findings that say the same of several places: one module may break one habit in thirty variables, and
//! thirty equal paragraphs hide everything else.

use std::collections::HashMap;

use diagnostics::{Finding, Level};

/// Findings that differ in their place and their variable only, in the order of the report.
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
    let kinds: Vec<Likeness<'r>> = findings.iter().map(|it| kind(it)).collect();
    let mut members: HashMap<&Likeness<'r>, Vec<&'r Finding>> = HashMap::new();
    for (kind, finding) in kinds.iter().zip(findings) {
        members.entry(kind).or_default().push(finding);
    }
    let mut groups = Vec::new();
    for (kind, finding) in kinds.iter().zip(findings) {
        match members.get_mut(kind) {
            Some(all) if all.len() >= FEWEST => {
                let others = all.drain(..).skip(1).collect();
                groups.push(Alike { first: finding, others });
            }
            // The finding is in a group already.
            Some(all) if all.is_empty() => (),
            _ => groups.push(alone(finding)),
        }
    }
    groups
}

fn kind(it: &Finding) -> Likeness<'_> {
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
