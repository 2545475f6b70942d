//! What the command line leaves out of a report: findings of other rules, modules and values files. A report says
//! it, so that no run is green because somebody narrowed it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Report, counted};
use diagnostics::{Finding, Level};

/// What `--select` and `--exclude` left out; a list is empty if its flag was not given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    /// The rules that `--select` names, as they were written.
    pub select: Vec<String>,
    /// The numbers of findings of other rules.
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// The patterns of `--exclude`, as they were written.
    pub exclude: Vec<String>,
    /// The modules and values files that a pattern covers, as shown.
    pub modules: BTreeSet<String>,
    pub values_files: BTreeSet<String>,
}

impl LeftOut {
    /// Whether neither flag was given.
    pub fn is_none(&self) -> bool {
        self.select.is_empty() && self.exclude.is_empty()
    }

    /// Counts a finding of another rule.
    pub fn count(&mut self, it: &Finding) {
        *match it.level {
            Level::Error => &mut self.errors,
            Level::Warning => &mut self.warnings,
            Level::Note => &mut self.notes,
        } += 1;
    }

    /// One line for each flag that left something out: `--select left out 2 errors and 1 warning of other rules`.
    pub fn lines(&self) -> Vec<String> {
        let numbers = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let of_select = joined(&numbers).map(|it| format!("--select left out {it} of other rules"));
        let numbers = [(self.modules.len(), "module"), (self.values_files.len(), "values file")];
        let of_exclude = joined(&numbers).map(|it| format!("--exclude left out {it}"));
        of_select.into_iter().chain(of_exclude).collect()
    }

    fn join(&mut self, other: LeftOut) {
        self.select.extend(other.select);
        self.exclude.extend(other.exclude);
        for list in [&mut self.select, &mut self.exclude] {
            list.sort_unstable();
            list.dedup();
        }
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.modules.extend(other.modules);
        self.values_files.extend(other.values_files);
    }
}

impl Report {
    /// Adds what another report left out.
    pub(super) fn join_left_out(&mut self, other: LeftOut) {
        self.left_out.join(other);
    }
}

/// `2 errors and 1 warning`; `None` if all are zero.
fn joined(numbers: &[(usize, &str)]) -> Option<String> {
    let some = numbers.iter().filter(|it| it.0 > 0);
    let words: Vec<String> = some.map(|(number, noun)| counted(*number, noun)).collect();
    (!words.is_empty()).then(|| words.join(" and "))
}
