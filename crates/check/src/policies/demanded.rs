//! The module as the file that demands a policy has it, whatever a nearer file says: with the engine, the
//! contracts, the limits and the inputs of the demanding file and of those further out. What a nearer file adds
//! is judged as well.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use super::judge::{self, Values};
use crate::{
    inputs::{self, InputSet},
    module_calls, named,
    policy_set::{PolicyFindings, PolicySet, rules_of},
    subject::{CheckedModule, RunContext},
};
use config::{Configurations, Settings};
use diagnostics::{Decision, Diagnostics, Finding, LintId, Location, Span};
use module::is_override_file;
use report::NotJudgedKind;
use system::paths;
use verdict::{Hole, tree};

/// A policy, and the directory (absolute) of the file that demands it.
pub(super) struct Demanded<'a> {
    pub by: &'a Path,
    pub set: &'a dyn PolicySet,
}

impl Demanded<'_> {
    /// Judges a module. `nearest` is the module as its nearest file has it.
    pub fn judge(
        &self,
        nearest: &CheckedModule<'_>,
        context: &RunContext<'_>,
        values: &Values<'_>,
    ) -> io::Result<PolicyFindings> {
        let outer = context.configurations.settings_for(nearest.dir, self.by);
        let mut releases = vec![outer.release];
        // What the nearer file's engine reads may be what is applied.
        if nearest.settings.release.product() != outer.release.product() {
            releases.push(nearest.settings.release);
        }
        let mut found = PolicyFindings::default();
        for release in releases {
            let settings = Settings { release, ..outer.clone() };
            found.add(self.judge_by(settings, nearest, context, values)?);
        }
        Ok(found)
    }

    fn judge_by(
        &self,
        settings: Settings,
        nearest: &CheckedModule<'_>,
        context: &RunContext<'_>,
        values: &Values<'_>,
    ) -> io::Result<PolicyFindings> {
        let contracts = &OuterFirst { context, by: self.by };
        let mut subject = CheckedModule::load_by(context, nearest.dir, settings, contracts)?;
        let unread = subject.unreadable();
        if unread.is_some() && !self.is_judged_in_part(&subject) {
            return Ok(self.blocked(unread, &subject));
        }
        if subject.settings.calls {
            module_calls::follow(&mut subject, context, contracts);
        }
        subject.diagnostics.clear();
        let sets = self.sets(&mut subject, nearest, context.configurations, values)?;
        judge::judge(&mut subject, context, self.set, &[self.by.to_owned()], &sets);
        let mut found = std::mem::take(&mut subject.of_policies);
        if unread.is_some() {
            self.keep_certain(&mut found, &subject);
            found.add(self.blocked(unread, &subject));
        }
        found.work = found.work.saturating_add(subject.meter.spent());
        let (of_budgets, _) = verdict::report_budgets(Diagnostics::new(), &subject.meter);
        let of_budgets =
            of_budgets.iter().map(|it| Finding::new(it, &subject.shown, &subject.module.sources));
        found.findings.extend(of_budgets);
        Ok(found)
    }

    /// Whether the parts of a module that does not parse are judged. An override that was not read may change all of
    /// them, and so may an object to which others are linked.
    fn is_judged_in_part(&self, subject: &CheckedModule<'_>) -> bool {
        let is_override = |it: &Hole| {
            let path = &subject.module.sources.file(it.span.file).path;
            is_override_file(path.rsplit('/').next().unwrap_or(path))
        };
        subject.is_loaded
            && !self.set.follows_references(self.by)
            && !subject.module.distrusted().holes.iter().any(is_override)
    }

    /// Every rule, because of the first error in the module's files.
    fn blocked(&self, problem: Option<Span>, subject: &CheckedModule<'_>) -> PolicyFindings {
        let mut found = PolicyFindings::default();
        if let Some(problem) = problem {
            let rules = rules_of(self.set, self.by);
            found.block(self.by, rules, &subject.shown, subject.location(problem));
        }
        found
    }

    /// Leaves out what a part of the module that was not read may change: all but what fails for an object that was
    /// read, whatever else there is.
    fn keep_certain(&self, found: &mut PolicyFindings, subject: &CheckedModule<'_>) {
        let holes = &subject.module.distrusted().holes;
        let unread: Vec<Location> = holes.iter().map(|it| subject.location(it.span)).collect();
        let of_one: HashSet<LintId> = {
            let rules = self.set.rules(self.by).iter();
            rules.filter(|it| it.is_of_one).map(|it| it.id.clone()).collect()
        };
        let is_in = |hole: &Location, it: &Location| {
            hole.file == it.file && hole.line <= it.line && it.line <= hole.end_line
        };
        let is_read = |it: &Location| !unread.iter().any(|hole| is_in(hole, it));
        let calls: HashSet<&str> = {
            let calls = subject.module.calls.values();
            let unread = calls.filter(|it| !is_read(&subject.location(it.span)));
            unread.map(|it| it.name.as_str()).collect()
        };
        found.findings.retain(|finding| {
            let Some(facts) = &finding.policy else { return true };
            let inside = finding.address.strip_prefix("module.");
            let call = inside.and_then(|it| it.split(['.', '[']).next());
            facts.outcome == Decision::Fail
                && of_one.contains(&finding.rule)
                && finding.locations.first().is_some_and(is_read)
                && call.is_none_or(|name| !calls.contains(name))
        });
        found.not_judged.retain(|it| !matches!(it.what, NotJudgedKind::Rule(_)));
    }

    /// The inputs that the demanding file and those further out name, or else the conventional ones; and those
    /// that nearer files name.
    fn sets(
        &self,
        subject: &mut CheckedModule<'_>,
        nearest: &CheckedModule<'_>,
        configurations: &Configurations<'_>,
        values: &Values<'_>,
    ) -> io::Result<Vec<InputSet>> {
        let is_named = !subject.settings.inputs.is_empty();
        let (mut sets, _) = named::sets(subject)?;
        if !is_named {
            let is_free = |it: &&PathBuf| configurations.is_unnamed_for(it, self.by);
            let files: Vec<PathBuf> =
                values.own.iter().chain(values.taken).filter(is_free).cloned().collect();
            sets.extend(inputs::conventional(subject.dir, &files));
        }
        subject.settings.inputs.clone_from(&nearest.settings.inputs);
        let (nearer, _) = named::sets(subject)?;
        for set in nearer {
            match sets.iter_mut().find(|it| it.files == set.files) {
                Some(known) => known.missing = known.missing.max(set.missing),
                None => sets.push(set),
            }
        }
        Ok(sets)
    }
}

/// Contracts as a policy's file has them.
struct OuterFirst<'c> {
    context: &'c RunContext<'c>,
    by: &'c Path,
}

impl tree::ContractDirectories for OuterFirst<'_> {
    fn dir(&self, caller: &Path, source: &str, version: Option<&str>) -> Option<PathBuf> {
        let configurations = self.context.configurations;
        let found = configurations.settings_for(caller, self.by).contract(source, version)?;
        Some(paths::relative(&self.context.system.current_dir().ok()?, &found))
    }
}
