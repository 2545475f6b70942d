//! The policies of a run, and what their rules said of a module.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    config::Configurations, diagnostic::Finding, module::Options, policy::Policy, report::NotJudged,
};

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

    /// The options for reading modules: rules may read blocks that nothing else needs.
    pub fn options(&self, options: &Options) -> Options {
        Options { keeps_blocks: !self.is_empty(), ..*options }
    }
}

/// The findings of rules about a module.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub findings: Vec<Finding>,
    /// The parts that only a plan can judge.
    pub not_judged: Vec<NotJudged>,
    /// The error that broke the check off.
    pub failure: Option<String>,
    pub work: u64,
}

impl Said {
    /// Adds the findings of further policies.
    pub fn add(&mut self, other: Said) {
        self.findings.extend(other.findings);
        self.not_judged.extend(other.not_judged);
        self.failure = self.failure.take().or(other.failure);
        self.work = self.work.saturating_add(other.work);
    }
}
