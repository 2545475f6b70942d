//! `*.policytest.hcl`: mocks of resources, providers and modules, and whether policies accept each of them.
//!
//! ```hcl
//! policytest {
//!   targets = ["encrypted.policy.hcl"]
//! }
//!
//! resource "aws_ebs_volume" "open" {
//!   expect_failure = true
//!   attrs          = { encrypted = false }
//! }
//! ```

mod file;
mod mocks;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{ParsedPolicies, SUFFIX, TEST_SUFFIX};
use crate::{
    GivenContexts, Policy, Tested,
    files::{RuleFile, read},
    judge::judge_world,
};
use diagnostics::{
    Decision, Diagnostic, Finding, LintId, Location, PolicyFacts, Role, Sources, did_you_mean,
    lints,
};
use system::paths;
use tf_eval::Meter;
use tf_value::Value;

use file::{Mock, TestFile};
use mocks::Mocks;

/// Reads the policy files behind a name: a file, or a directory. An error is a sentence.
pub type FindFiles<'a> = &'a dyn Fn(&Path) -> Result<Vec<RuleFile>, String>;

/// Runs the tests in some files (path as shown, text). A test without targets is about all policy files among
/// them. `given`: the values of inputs that the tests do not set.
pub fn test(
    files: &[RuleFile],
    find_files: FindFiles<'_>,
    given: &GivenContexts,
    meter: &Meter,
) -> Tested {
    let mut tested = Tested::default();
    let mut declared = BTreeSet::new();
    for file in files.iter().filter(|it| it.0.ends_with(TEST_SUFFIX)) {
        let mut sources = Sources::new();
        let (test, problems) = TestFile::read(file, &mut sources, meter);
        tested.findings.extend(problems.iter().map(|it| Finding::new(it, "", &sources)));
        if !problems.is_empty() {
            tested.total += 1;
            tested.failed += 1;
            continue;
        }
        let run = Run { path: &file.0, test: &test, sources: &sources, given, meter };
        let before = tested.failures.len();
        match run.policies(files, find_files) {
            Ok(policies) => {
                declared.extend(ParsedPolicies::new(policies.clone(), meter).inputs());
                run.run(&policies, &mut tested);
            }
            Err(why) => tested.failures.push(format!("{}: {why}", file.0)),
        }
        if tested.failures.len() > before {
            tested.total += 1;
            tested.failed += 1;
        }
    }
    for (name, _) in given.texts.iter().filter(|it| !declared.contains(it.0.as_str())) {
        let hint = did_you_mean(name, declared.iter().map(SmolStr::as_str));
        tested.failures.push(format!("No tested policy declares the input {name:?}.{hint}"));
    }
    tested
}

/// One file of tests.
struct Run<'a> {
    path: &'a str,
    test: &'a TestFile,
    sources: &'a Sources,
    given: &'a GivenContexts,
    meter: &'a Meter,
}

impl Run<'_> {
    /// The policy files that the tests are about. Errors: a target that leads to none.
    fn policies(
        &self,
        named: &[RuleFile],
        find_files: FindFiles<'_>,
    ) -> Result<Vec<RuleFile>, String> {
        let is_policy = |it: &&RuleFile| it.0.ends_with(SUFFIX);
        let Some(targets) = &self.test.targets else {
            let all: Vec<RuleFile> = named.iter().filter(is_policy).cloned().collect();
            let none = "it has no targets, and no policy file is named with it".to_owned();
            return if all.is_empty() { Err(none) } else { Ok(all) };
        };
        let dir = Path::new(self.path).parent().unwrap_or(Path::new(""));
        let mut found: BTreeMap<String, RuleFile> = BTreeMap::new();
        for target in targets {
            let path: PathBuf = paths::clean(&dir.join(target));
            let files = find_files(&path)?;
            let files: Vec<&RuleFile> = files.iter().filter(is_policy).collect();
            if files.is_empty() {
                return Err(format!("the target {target:?} leads to no {SUFFIX} file"));
            }
            found.extend(files.into_iter().map(|it| (it.0.clone(), it.clone())));
        }
        Ok(found.into_values().collect())
    }

    fn run(&self, policies: &[RuleFile], tested: &mut Tested) {
        for (inputs, mocks) in self.groups() {
            let values = inputs.iter().map(|it| (it.0.clone(), it.1.0.clone(), it.1.1)).collect();
            let values_file = self
                .sources
                .files()
                .next()
                .map(|(_, it)| (it.path.clone(), std::sync::Arc::clone(&it.bytes)));
            let given = GivenContexts { values, values_file, ..self.given.clone() };
            let (mut policy, problems) = read(policies.to_vec(), &given, self.meter);
            if !problems.is_empty() {
                tested.total += mocks.len();
                tested.failed += mocks.len();
                let findings = problems.iter().map(|it| Finding::new(it, "", &policy.sources));
                let is_new = |it: &Finding| !tested.findings.contains(it);
                let findings: Vec<Finding> = findings.filter(is_new).collect();
                tested.findings.extend(findings);
                continue;
            }
            // A test expects outcomes, not levels.
            for rule in &mut policy.rules {
                rule.level = Some(diagnostics::Level::Error);
                rule.undecided = Some(diagnostics::Level::Warning);
            }
            let rules = policy.rules.iter().flat_map(|it| &it.demands);
            for it in rules.filter_map(|it| it.conditions.as_ref()).flat_map(|it| it.doubts()) {
                let finding = Finding::new(it, "", &policy.sources);
                if !tested.remarks.contains(&finding) {
                    tested.remarks.push(finding);
                }
            }
            self.judge(&policy, &mocks, tested);
        }
    }

    /// The mocks by the values of their inputs.
    fn groups(&self) -> Vec<(file::Inputs, Vec<&Mock>)> {
        let mut groups: Vec<(file::Inputs, Vec<&Mock>)> = Vec::new();
        for mock in self.test.mocks.iter().filter(|it| it.is_judged()) {
            let mut inputs = self.test.inputs.clone();
            inputs.extend(mock.inputs.iter().map(|(name, it)| (name.clone(), it.clone())));
            match groups.iter_mut().find(|it| it.0 == inputs) {
                Some(group) => group.1.push(mock),
                None => groups.push((inputs, vec![mock])),
            }
        }
        groups
    }

    fn judge(&self, policy: &Policy, mocks: &[&Mock], tested: &mut Tested) {
        let all = Mocks::new(self.test, inputs_of(policy), self.meter);
        tested.total += mocks.len();
        if let Some(error) = &all.error {
            tested.failed += mocks.len();
            let finding = Finding::new(error, "", self.sources);
            tested.findings.push(finding);
            return;
        }
        let judged = judge_world(policy, &all, self.meter, true);
        let covered: BTreeSet<&SmolStr> = judged.covered.values().flatten().collect();
        let is_other = |it: &&Finding| it.policy.is_none();
        let others: Vec<Finding> = judged.findings.iter().filter(is_other).cloned().collect();
        for mock in mocks {
            if all.is_empty(mock) {
                let message = format!("{}: is skipped, because it has no arguments", mock.address);
                let remark = Diagnostic::new(&lints::NOTHING_JUDGED, message);
                let remark = remark.at(Role::Rule, mock.span);
                tested.remarks.push(Finding::new(&remark, "", self.sources));
                tested.total -= 1;
                continue;
            }
            let of_policies = judged.findings.iter().filter(|it| it.address == mock.address);
            let of_policies: Vec<&Finding> = of_policies.filter(|it| it.policy.is_some()).collect();
            let outcome =
                |it: &&Finding| it.policy.as_ref().map_or(Decision::Pass, |facts| facts.outcome);
            let worst = of_policies.iter().map(outcome).max().unwrap_or_default();
            let wanted = if mock.expects_failure { Decision::Fail } else { Decision::Pass };
            if worst != wanted {
                tested.failed += 1;
                let reason = of_policies.iter().find(|it| outcome(it) == worst).copied();
                tested.findings.push(self.unmet(mock, wanted, worst, reason));
            } else if wanted == Decision::Pass && !covered.contains(&mock.address) {
                let message = format!("{}: passes, because no policy is about it", mock.address);
                let remark = Diagnostic::new(&lints::NOTHING_JUDGED, message);
                let remark = remark.at(Role::Rule, mock.span);
                tested.remarks.push(Finding::new(&remark, "", self.sources));
            }
        }
        let (doubts, others): (Vec<Finding>, Vec<Finding>) =
            others.into_iter().partition(|it| it.rule == lints::DOUBTFUL_POLICY);
        tested.findings.extend(others);
        let is_new = |it: &Finding| !tested.remarks.contains(it);
        let doubts: Vec<Finding> = doubts.into_iter().filter(is_new).collect();
        tested.remarks.extend(doubts);
    }

    fn unmet(
        &self,
        mock: &Mock,
        wanted: Decision,
        found: Decision,
        reason: Option<&Finding>,
    ) -> Finding {
        let (expected, got) = (wanted.as_str(), found.as_str());
        let mut message = format!("{}: expected {expected}, found {got}", mock.address);
        if let Some(reason) = reason {
            message = format!("{message}\n{}", reason.message);
        }
        let diagnostic = Diagnostic::new(&lints::INVALID_CONFIGURATION, message);
        let diagnostic = diagnostic.at(Role::Rule, mock.span);
        let mut finding = Finding::new(&diagnostic, "", self.sources);
        let name = self.path.rsplit(['/', '\\']).next().unwrap_or(self.path);
        let name = name.strip_suffix(TEST_SUFFIX).unwrap_or(name);
        finding.rule = reason.map_or_else(|| LintId::of_policy(name), |it| it.rule.clone());
        finding.address.clone_from(&mock.address);
        let place: Option<Location> = reason.and_then(|it| it.locations.first()).cloned();
        finding.locations.extend(place);
        finding.policy = Some(Box::new(PolicyFacts {
            outcome: Decision::Fail,
            expected: Some(expected.to_owned()),
            found: Some(got.to_owned()),
            ..PolicyFacts::default()
        }));
        finding
    }
}

/// The inputs of all policies, as mocks refer to them.
fn inputs_of(policy: &Policy) -> Value {
    let demands = policy.rules.iter().flat_map(|it| &it.demands);
    let all = demands.filter_map(|it| it.conditions.as_ref());
    let all = all.filter_map(|it| it.file.input.as_mapping());
    Value::object(all.flatten().map(|(name, it)| (name.clone(), it.clone())).collect())
}
