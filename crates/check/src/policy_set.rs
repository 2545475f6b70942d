//! The policies of a run, and what their rules found in a module.
//!
//! `check` knows no language of rules. A program that judges policies gives a [`PolicyReader`]; the crate `check-policy`
//! has the one for the languages that the crate `policy` reads. Without a reader a `policy` block is an error, so that
//! nothing passes that was not judged. `policies` judges a module by them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    path::{Path, PathBuf},
};

use config::Configurations;
use diagnostics::{Coverage, Diagnostics, Finding, LintId, Location, Sources};
use module::LoadOptions;
use report::{BlockedParts, MOST_PARTS, NotJudged, NotJudgedKind};
use system::System;
use tf_eval::Meter;
use verdict::{Ready, Rest};

/// Reads the rules that `policy` blocks name.
pub trait PolicyReader: Debug + Send + Sync {
    /// Reads every policy of the configurations read so far. Also returns the errors; with an error no policy is
    /// used.
    fn read(&self, configurations: &Configurations<'_>) -> (Box<dyn PolicySet>, Vec<Finding>);

    /// Whether a file has rules, or tests of them, by its name.
    fn is_rules(&self, file: &Path) -> bool;
}

/// Every policy of a run, each by the directory (absolute) of the configuration that demands it.
pub trait PolicySet: Send + Sync {
    /// The directories of the demanding configurations.
    fn demanding(&self) -> Vec<&Path>;

    /// The rules of a policy; none if no policy was read there.
    fn rules(&self, demanding: &Path) -> &[DemandedRule];

    /// Whether a rule of a policy is about what a value refers to.
    fn follows_references(&self, demanding: &Path) -> bool;

    /// Judges a module, and everything that it calls, by these policies, in this order. `meter` counts the work of the
    /// rules. Errors: the module has a dependency cycle, so that nothing can be judged.
    fn judge(
        &self,
        demanding: &[&Path],
        module: &WrittenModule<'_>,
        meter: &Meter,
    ) -> Result<Vec<JudgedByPolicy>, Diagnostics>;

    /// Remarks on rules of a policy that judged nothing in the whole run.
    fn idle(&self, demanding: &Path, coverage: &Coverage) -> Vec<Finding>;
}

/// A rule of a policy.
#[derive(Clone, Debug)]
pub struct DemandedRule {
    pub id: LintId,
    /// Whether its file does not turn it off.
    pub is_on: bool,
    /// Whether it judges each object by itself, whatever other objects there are.
    pub is_of_one: bool,
}

/// A module as written, with one set of its inputs, for rules.
pub struct WrittenModule<'a> {
    pub system: &'a dyn System,
    pub dir: &'a Path,
    pub ready: &'a Ready<'a>,
    /// What a variable without a value is.
    pub rest: Rest,
    pub sources: &'a Sources,
}

/// What a policy found in a module.
#[derive(Debug, Default)]
pub struct JudgedByPolicy {
    pub findings: Vec<Finding>,
    /// A sentence for each thing that was not judged, with the reason.
    pub failures: Vec<String>,
    pub coverage: Coverage,
}

/// The policies of a run; no reader is needed for none.
#[derive(Default)]
pub(super) struct Policies(Option<Box<dyn PolicySet>>);

impl Policies {
    /// Reads the policies that the configurations read so far name. Also returns the errors.
    pub fn read(
        reader: Option<&dyn PolicyReader>,
        configurations: &Configurations<'_>,
    ) -> (Policies, Vec<Finding>) {
        let named = configurations.named_policies();
        if named.is_empty() {
            return (Policies::default(), Vec::new());
        }
        let Some(reader) = reader else {
            let why = "this program does not judge policies";
            let refused = named.iter().map(|it| it.refused(why, |problem, _| problem));
            return (Policies::default(), refused.collect());
        };
        let (policies, mut problems) = reader.read(configurations);
        if problems.is_empty() {
            let ids = |dir: &Path| {
                let rules = policies.rules(dir).iter();
                rules.filter_map(|it| it.id.policy().map(Into::into)).collect()
            };
            problems = configurations.unknown_policy_rules(&ids);
        }
        (Policies(Some(policies)), problems)
    }

    /// The policies; `None` if no configuration names any.
    pub fn set(&self) -> Option<&dyn PolicySet> {
        self.0.as_deref()
    }

    /// Remarks on rules that judged nothing in the whole run, for the policies of configurations in these trees
    /// (absolute). A policy with a module that was not judged gets none: its rules may be about that.
    pub fn idle(&self, covered: &BTreeMap<PathBuf, Covered>, trees: &[PathBuf]) -> Vec<Finding> {
        let Some(set) = self.set() else { return Vec::new() };
        let is_whole = |dir: &&Path| trees.iter().any(|tree| dir.starts_with(tree));
        let nothing = Covered::default();
        let remarks = set.demanding().into_iter().filter(is_whole).flat_map(|dir| {
            let covered = covered.get(dir).unwrap_or(&nothing);
            if covered.is_partial { Vec::new() } else { set.idle(dir, &covered.coverage) }
        });
        remarks.collect()
    }

    /// The options for reading modules: rules may read blocks that nothing else needs.
    pub fn options(&self, options: &LoadOptions) -> LoadOptions {
        LoadOptions { keeps_blocks: self.0.is_some(), ..*options }
    }
}

/// Every rule of a policy that is not off, as findings name it.
pub(super) fn rules_of(set: &dyn PolicySet, demanding: &Path) -> BTreeSet<String> {
    let rules = set.rules(demanding).iter().filter(|it| it.is_on);
    rules.map(|it| it.id.to_string()).collect()
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
pub(super) struct PolicyFindings {
    pub findings: Vec<Finding>,
    /// The parts that only a plan can judge, and those that a problem keeps from being judged.
    pub not_judged: Vec<NotJudged>,
    /// The error that broke the check off.
    pub failure: Option<String>,
    pub work: u64,
    /// What the rules were about, by the directory of the file that demands them.
    pub covered: BTreeMap<PathBuf, Covered>,
}

impl PolicyFindings {
    /// Adds the findings of further policies.
    pub fn add(&mut self, other: PolicyFindings) {
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
        let blocked = BlockedParts::new(rules, is_more, Vec::new(), problem, false);
        self.not_judged
            .push(NotJudged { module: module.to_owned(), what: NotJudgedKind::Blocked(blocked) });
    }
}
