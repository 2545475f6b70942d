//! A divided run: the data that its parts exchange, and their union into one report.

use serde::{Deserialize, Serialize};

use super::{Baseline, Report, baseline};
use diagnostics::{Finding, lints};

/// The data in one part's report for the other parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardPart {
    /// Counted from 1.
    pub index: u64,
    pub count: u64,
    /// Findings about settings without effect in this part; they hold if they have none in any part.
    /// `None` if not everything was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused: Option<Vec<Finding>>,
    /// Suppressions that silence something here and are in a module of any part.
    #[serde(rename = "used_suppressions")]
    pub used: Vec<UsedSuppression>,
    /// The baselines that apply, with this part's findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
}

/// The place of a suppression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UsedSuppression {
    /// As shown.
    pub file: String,
    pub line: u32,
}

/// Why reports cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotJoined {
    /// Of a divided run.
    #[error("the report of shard {0}/{1} is missing")]
    MissingPart(u64, u64),
    /// One report holds one answer, and two comparisons are two.
    #[error("a report of `{0}` and one of `{1}` cannot be joined")]
    Commands(&'static str, &'static str),
}

impl ShardPart {
    /// Whether a finding reports a suppression without effect that has one here.
    fn refutes(&self, finding: &Finding) -> bool {
        let is_at = |UsedSuppression { file, line }: &UsedSuppression| {
            finding.locations.first().is_some_and(|it| it.file == *file && it.line == *line)
        };
        finding.rule == lints::UNUSED_SUPPRESSION && self.used.iter().any(is_at)
    }
}

impl Report {
    /// Joins reports into that of one run over everything. Duplicates are removed.
    ///
    /// Errors: the reports are of a divided run, and some parts are missing; they are of several commands, or of
    /// several runs of `compat`.
    pub fn join(reports: impl IntoIterator<Item = Report>) -> Result<Report, NotJoined> {
        let (mut joined, mut parts) = (Report::default(), Vec::<ShardPart>::new());
        for mut report in reports {
            parts.extend(report.take_part());
            joined.body.join(report.body)?;
            joined.findings.extend(report.findings);
            joined.not_judged.extend(report.not_judged);
            joined.failures.extend(report.failures);
            joined.values_files.judged.extend(report.values_files.judged);
            joined.values_files.without_module.extend(report.values_files.without_module);
            joined.values_files.not_judged.extend(report.values_files.not_judged);
            joined.judged_as.join(report.judged_as);
            joined.join_left_out(report.left_out);
            joined.directory = joined.directory.or(report.directory);
        }
        complete(&parts)?;
        joined.findings.extend(unused_by_all(&parts));
        joined.findings.retain(|it| !parts.iter().any(|part| part.refutes(it)));
        // One part may silence a finding that another one reports.
        let baselines = parts.iter_mut().flat_map(|it| std::mem::take(&mut it.baselines));
        let baselines = baseline::join(baselines);
        let known = baselines.iter().flat_map(|it| &it.found).map(|it| it.0.clone());
        joined.findings.extend(known);
        joined.drop_repeated();
        joined.sort();
        joined.settle(&baselines);
        Ok(joined)
    }
}

fn complete(parts: &[ShardPart]) -> Result<(), NotJoined> {
    for ShardPart { count, .. } in parts {
        let is_there =
            |index: &u64| parts.iter().any(|it| (it.index, it.count) == (*index, *count));
        if let Some(index) = (1..=*count).find(|it| !is_there(it)) {
            return Err(NotJoined::MissingPart(index, *count));
        }
    }
    Ok(())
}

fn unused_by_all(parts: &[ShardPart]) -> Vec<Finding> {
    let Some((first, others)) = parts.split_first() else { return Vec::new() };
    let also =
        |part: &ShardPart, it: &Finding| part.unused.as_ref().is_some_and(|all| all.contains(it));
    let unused = first.unused.iter().flatten();
    unused.filter(|it| others.iter().all(|part| also(part, it))).cloned().collect()
}
