//! The number of findings of each rule, for those who want to see where to begin.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Report, counted};
use diagnostics::Level;

/// The findings of a rule at a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RuleCount {
    pub rule: String,
    pub level: Level,
    pub count: usize,
}

/// The numbers, the gravest level first, then the largest number.
pub(super) fn of(report: &Report) -> Vec<RuleCount> {
    let mut numbers: BTreeMap<(&str, Level), usize> = BTreeMap::new();
    for it in &report.findings {
        *numbers.entry((it.rule.as_str(), it.level)).or_default() += 1;
    }
    let row =
        |((rule, level), count): ((&str, _), _)| RuleCount { rule: rule.into(), level, count };
    let mut rows: Vec<RuleCount> = numbers.into_iter().map(row).collect();
    // The sort is stable: equal rows stay in the order of their names.
    rows.sort_by_key(|it| std::cmp::Reverse((it.level, it.count)));
    rows
}

/// The numbers as a table.
pub(super) fn table(report: &Report) -> String {
    let rows = of(report);
    let first = |it: &RuleCount| counted(it.count, it.level.as_str());
    let width = rows.iter().map(|it| first(it).len()).max().unwrap_or(0);
    rows.iter().map(|it| format!("{:>width$}  {}\n", first(it), it.rule)).collect()
}
