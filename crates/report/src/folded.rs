//! Reports the missing schemas of many modules in one block: the first run over a large repository has
//! hundreds of them, and one command writes them all.

use super::{Report, counted};
use diagnostics::{Finding, Level, lints};

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
