//! The policies of a check: `policy` blocks name files with rules, and modules are held to them.
//!
//! The `policy` blocks of the configurations that a [`check::run()`] has read go in; [`Reader`] reads the rules that they
//! name, and judges each module as it is written. For example: with
//!
//! ```hcl
//! policy {
//!   rules = ["rules"]
//! }
//! ```
//!
//! in `.terraschema.hcl`, [`read_policy`] reads `rules/names.rules.hcl`, and a resource that breaks a rule of it is a
//! finding `policy/ID` of every module below.
//!
//! `check` itself knows no language of rules. To add one, extend [`policy::read`]; nothing here changes.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use check::{DemandedRule, JudgedByPolicy, PolicyReader, PolicySet, WrittenModule};
use config::{Configurations, NamedPolicy};
use diagnostics::{Coverage, Diagnostics, Finding, LintId};
use policy::{GivenContexts, LockedProviders, Policy, rule_files};
use system::LimitedSystem;
use tf_eval::Meter;

/// The reader for [`check::CheckRequest::policies`].
pub fn reader() -> Option<Arc<dyn PolicyReader>> {
    Some(Arc::new(Reader))
}

/// Reads the languages that the crate `policy` reads.
#[derive(Debug)]
pub struct Reader;

impl PolicyReader for Reader {
    fn read(&self, configurations: &Configurations<'_>) -> (Box<dyn PolicySet>, Vec<Finding>) {
        let (mut all, mut problems) = (BTreeMap::new(), Vec::new());
        for named in configurations.named_policies() {
            match read_policy(configurations, &named) {
                Ok(policy) => _ = all.insert(named.dir, Demanded::new(policy)),
                Err(found) => problems.extend(found),
            }
        }
        (Box::new(Policies(all)), problems)
    }

    fn is_rules(&self, file: &Path) -> bool {
        policy::is_rules(file)
    }
}

/// Reads the rules that a policy names. Errors: those in the rules, with their places.
pub fn read_policy(
    configurations: &Configurations<'_>,
    named: &NamedPolicy,
) -> Result<Policy, Vec<Finding>> {
    let settings = configurations.settings(&named.dir);
    let limited = LimitedSystem::new(configurations.system(), settings.max_file_size);
    let files = rule_files(named.rules(), &|it| configurations.shown(it), &limited);
    let files = files.map_err(|error| {
        let why = error.to_string();
        vec![named.refused(&why, |problem, sources| error.diagnostic(sources, || problem))]
    })?;
    let given = GivenContexts {
        values: named.settings.context.clone(),
        values_file: Some((named.file.path.clone(), named.file.bytes.clone())),
        ..GivenContexts::default()
    };
    let has_files = !files.is_empty();
    let (policy, problems) = policy::read(files, &given, &Meter::new(settings.limits));
    if !problems.is_empty() {
        return Err(problems.iter().map(|it| Finding::new(it, "", &policy.sources)).collect());
    }
    if policy.rules.is_empty() && has_files {
        let why = "the named files contain no rules";
        return Err(vec![named.refused(why, |problem, _| problem)]);
    }
    Ok(policy)
}

/// A policy, and what a check wants to know of its rules.
struct Demanded {
    policy: Policy,
    rules: Vec<DemandedRule>,
}

impl Demanded {
    fn new(policy: Policy) -> Demanded {
        let rules = policy.rules.iter().map(|it| DemandedRule {
            id: LintId::of_policy(&it.id),
            is_on: it.level.is_some(),
            is_of_one: it.needs.is_empty() && it.counts.is_empty(),
        });
        Demanded { rules: rules.collect(), policy }
    }
}

/// Every policy of a run, by the directory (absolute) of the configuration that names it.
struct Policies(BTreeMap<PathBuf, Demanded>);

impl PolicySet for Policies {
    fn demanding(&self) -> Vec<&Path> {
        self.0.keys().map(PathBuf::as_path).collect()
    }

    fn rules(&self, demanding: &Path) -> &[DemandedRule] {
        self.0.get(demanding).map_or(&[], |it| &it.rules)
    }

    fn follows_references(&self, demanding: &Path) -> bool {
        self.0.get(demanding).is_some_and(|it| !it.policy.referred.is_empty())
    }

    fn judge(
        &self,
        demanding: &[&Path],
        module: &WrittenModule<'_>,
        meter: &Meter,
    ) -> Result<Vec<JudgedByPolicy>, Diagnostics> {
        let WrittenModule { system, dir, ready, rest, sources } = *module;
        let policies: Vec<&Policy> =
            demanding.iter().filter_map(|it| self.0.get(*it)).map(|it| &it.policy).collect();
        let locked = LockedProviders::read(system, dir);
        let judged = policy::judge_written(&policies, ready, rest, sources, &locked, meter)?;
        let judged = judged.into_iter().map(|it| JudgedByPolicy {
            findings: it.findings,
            failures: it.failures,
            coverage: it.coverage,
        });
        Ok(judged.collect())
    }

    fn idle(&self, demanding: &Path, coverage: &Coverage) -> Vec<Finding> {
        self.0.get(demanding).map_or_else(Vec::new, |it| it.policy.idle(coverage))
    }
}
