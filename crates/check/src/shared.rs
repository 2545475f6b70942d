//! Values files that several modules share: a value that one of them does not declare is for another one.

use std::collections::HashMap;

use diagnostics::{Finding, lints};
use report::ValuesFiles;

/// How many modules of a run judged each values file.
#[derive(Debug, Default)]
pub(super) struct Shared(HashMap<String, usize>);

impl Shared {
    /// Counts the files of a module.
    pub fn count(&mut self, files: &ValuesFiles) {
        for file in &files.judged {
            *self.0.entry(file.clone()).or_default() += 1;
        }
    }

    /// Drops findings about a value that some of the modules declare, and keeps one where none does. `users` is the
    /// number of modules that a file is for; a run may judge fewer of them.
    pub fn settle(&self, findings: &mut Vec<Finding>, users: impl Fn(&str) -> usize) {
        let place = |it: &Finding| -> Option<(String, u32, u32)> {
            let at = it.locations.first().filter(|_| it.rule == lints::UNDECLARED_VARIABLE)?;
            Some((at.file.clone(), at.line, at.column))
        };
        let mut counts: HashMap<(String, u32, u32), usize> = HashMap::new();
        for it in findings.iter().filter_map(place) {
            *counts.entry(it).or_default() += 1;
        }
        counts.retain(|at, _| self.0.get(&at.0).is_some_and(|it| *it > 1) || users(&at.0) > 1);
        findings.retain(|it| {
            let Some(place) = place(it) else { return true };
            let Some(count) = counts.get_mut(&place) else { return true };
            let is_declared =
                *count < self.0.get(&place.0).copied().unwrap_or(1).max(users(&place.0));
            // The first one stays.
            let is_first = *count > 0;
            *count = 0;
            is_first && !is_declared
        });
    }
}
