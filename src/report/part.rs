//! A run that was divided: what its parts tell each other, and how they become one report.

use serde::{Deserialize, Serialize};

use super::{Baseline, PolicyRun, PolicyTests, Report, baseline};
use crate::diagnostic::{Finding, rules};

/// What the report of one part has to say to the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// From 1.
    pub index: u64,
    pub count: u64,
    /// Findings about what this part has no use for: they hold where no part has. `None` where not
    /// everything could be looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused: Option<Vec<Finding>>,
    /// Suppressions that silence something here and stand in a module of any part.
    #[serde(rename = "used_suppressions")]
    pub used: Vec<UsedSuppression>,
    /// The baselines that count, with what this part found of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
}

/// Where a suppression stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UsedSuppression {
    /// As shown.
    pub file: String,
    pub line: u32,
}

/// A part that no report is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the report of shard {0}/{1} is missing")]
pub struct MissingPart(u64, u64);

impl Part {
    /// Whether a finding says of a suppression that it silences nothing, which does here.
    fn refutes(&self, finding: &Finding) -> bool {
        let is_at = |UsedSuppression { file, line }: &UsedSuppression| {
            finding.locations.first().is_some_and(|it| it.file == *file && it.line == *line)
        };
        finding.rule == rules::UNUSED_SUPPRESSION && self.used.iter().any(is_at)
    }
}

impl Report {
    /// The report of one run over everything that these are about. What several have stands once.
    ///
    /// Errors: they are of a run that was divided, and not all of its parts are there.
    pub fn join(reports: impl IntoIterator<Item = Report>) -> Result<Report, MissingPart> {
        let (mut joined, mut parts) = (Report::default(), Vec::<Part>::new());
        for report in reports {
            joined.findings.extend(report.findings);
            joined.modules.extend(report.modules);
            joined.not_judged.extend(report.not_judged);
            joined.failures.extend(report.failures);
            joined.values_files.judged.extend(report.values_files.judged);
            joined.values_files.without_module.extend(report.values_files.without_module);
            joined.judged_as.join(report.judged_as);
            joined.edited.extend(report.edited);
            joined.verdict = joined.verdict.or(report.verdict);
            if report.part.is_none() {
                joined.baselined += report.baselined;
            }
            joined.directory = joined.directory.or(report.directory);
            joined.policy = PolicyRun::join(joined.policy, report.policy);
            joined.policy_tests = PolicyTests::join(joined.policy_tests, report.policy_tests);
            parts.extend(report.part);
        }
        complete(&parts)?;
        joined.findings.extend(unused_by_all(&parts));
        joined.findings.retain(|it| !parts.iter().any(|part| part.refutes(it)));
        // What one part keeps quiet about may be what another one tells.
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

fn complete(parts: &[Part]) -> Result<(), MissingPart> {
    for Part { count, .. } in parts {
        let is_there =
            |index: &u64| parts.iter().any(|it| (it.index, it.count) == (*index, *count));
        if let Some(index) = (1..=*count).find(|it| !is_there(it)) {
            return Err(MissingPart(index, *count));
        }
    }
    Ok(())
}

fn unused_by_all(parts: &[Part]) -> Vec<Finding> {
    let Some((first, others)) = parts.split_first() else { return Vec::new() };
    let also = |part: &Part, it: &Finding| part.unused.as_ref().is_some_and(|all| all.contains(it));
    let unused = first.unused.iter().flatten();
    unused.filter(|it| others.iter().all(|part| also(part, it))).cloned().collect()
}
