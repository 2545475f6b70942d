//! The policies of a run, and what their rules said of a module.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use config::Configurations;
use diagnostics::{Finding, Location};
use module::LoadOptions;
use policy::{Coverage, Policy};
use report::{BlockedParts, MOST_PARTS, NotJudged, NotJudgedKind};

/// Every policy of a run, by the directory (absolute) of the configuration that names it.
#[derive(Default)]
pub(super) struct Policies(BTreeMap<PathBuf, Policy>);

impl Policies {
    /// Reads the policies that the configurations read so far name. Also returns the errors; with an
    /// error no policy is used.
    pub fn read(configurations: &Configurations<'_>) -> (Policies, Vec<Finding>) {
        let (mut policies, mut problems) = (Policies::default(), Vec::new());
        for named in configurations.named_policies() {
            match configurations.read_policy(&named) {
                Ok(policy) => _ = policies.0.insert(named.dir, policy),
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() {
            let ids = |dir: &Path| {
                let rules = policies.0.get(dir).map_or(&[][..], |it| &it.rules);
                rules.iter().map(|it| it.id.clone()).collect()
            };
            problems = configurations.unknown_policy_rules(&ids);
        }
        (policies, problems)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The policy that the configuration in a directory names.
    pub fn named_in(&self, dir: &Path) -> Option<&Policy> {
        self.0.get(dir)
    }

    /// Remarks on rules that judged nothing in the whole run, for the policies of configurations in these trees
    /// (absolute). A policy with a module that was not judged gets none: its rules may be about that.
    pub fn idle(&self, covered: &BTreeMap<PathBuf, Covered>, trees: &[PathBuf]) -> Vec<Finding> {
        let is_whole = |dir: &Path| trees.iter().any(|tree| dir.starts_with(tree));
        let policies = self.0.iter().filter(|it| is_whole(it.0));
        let nothing = Covered::default();
        let remarks = policies.flat_map(|(dir, policy)| {
            let covered = covered.get(dir).unwrap_or(&nothing);
            if covered.is_partial { Vec::new() } else { covered.coverage.findings(policy) }
        });
        remarks.collect()
    }

    /// The options for reading modules: rules may read blocks that nothing else needs.
    pub fn options(&self, options: &LoadOptions) -> LoadOptions {
        LoadOptions { keeps_blocks: !self.is_empty(), ..*options }
    }
}

/// What the rules of a policy were about.
#[derive(Debug, Default)]
pub(super) struct Covered {
    pub coverage: Coverage,
    /// Whether something that the policy governs was not judged.
    pub is_partial: bool,
}

impl Covered {
    pub fn add(&mut self, other: Covered) {
        self.coverage.join(other.coverage);
        self.is_partial |= other.is_partial;
    }
}

/// The findings of rules about a module.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub findings: Vec<Finding>,
    /// The parts that only a plan can judge, and those that a problem keeps from being judged.
    pub not_judged: Vec<NotJudged>,
    /// The error that broke the check off.
    pub failure: Option<String>,
    pub work: u64,
    /// What the rules were about, by the directory of the file that demands them.
    pub covered: BTreeMap<PathBuf, Covered>,
}

impl Said {
    /// Adds the findings of further policies.
    pub fn add(&mut self, other: Said) {
        self.findings.extend(other.findings);
        self.not_judged.extend(other.not_judged);
        self.failure = self.failure.take().or(other.failure);
        self.work = self.work.saturating_add(other.work);
        for (dir, covered) in other.covered {
            self.covered.entry(dir).or_default().add(covered);
        }
    }

    /// Adds that a problem keeps rules of the policy in `by` from judging a module.
    pub fn block(&mut self, by: &Path, rules: BTreeSet<String>, module: &str, problem: Location) {
        self.covered.entry(by.to_owned()).or_default().is_partial = true;
        let is_more = rules.len() > MOST_PARTS;
        let rules = rules.into_iter().take(MOST_PARTS).collect();
        let blocked = BlockedParts::new(rules, is_more, Vec::new(), (problem, false));
        self.not_judged
            .push(NotJudged { module: module.to_owned(), what: NotJudgedKind::Blocked(blocked) });
    }
}
