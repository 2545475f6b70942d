//! The module as the file that demands a policy has it, whatever a nearer file says: with the engine, the
//! contracts, the limits and the inputs of the demanding file and of those further out. What a nearer file adds
//! is judged as well.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use super::{
    governed,
    inputs::{self, InputSet},
    module_calls, named,
    policies::Said,
    subject::{CheckedModule, RunContext},
};
use config::{Configurations, Settings};
use diagnostics::{Decision, Diagnostics, Finding, LintId, Location, Span};
use module::is_override_file;
use policy::Policy;
use report::NotJudgedKind;
use system::paths;
use verdict::{Hole, tree};

/// A policy, and the directory (absolute) of the file that demands it.
pub(super) struct Demanded<'a> {
    pub by: &'a Path,
    pub policy: &'a Policy,
}

/// The values files of a module, for a policy.
pub(super) struct Values<'a> {
    /// Those that no `input` block names.
    pub own: &'a [PathBuf],
    /// Those that are named by the `input` blocks of files nearer than a policy.
    pub taken: &'a [PathBuf],
}

impl Demanded<'_> {
    /// Judges a module. `nearest` is the module as its nearest file has it.
    pub fn judge(
        &self,
        nearest: &CheckedModule<'_>,
        context: &RunContext<'_>,
        values: &Values<'_>,
    ) -> io::Result<Said> {
        let outer = context.configurations.settings_for(nearest.dir, self.by);
        let mut releases = vec![outer.release];
        // What the nearer file's engine reads may be what is applied.
        if nearest.settings.release.product() != outer.release.product() {
            releases.push(nearest.settings.release);
        }
        let mut said = Said::default();
        for release in releases {
            let settings = Settings { release, ..outer.clone() };
            said.add(self.judge_by(settings, nearest, context, values)?);
        }
        Ok(said)
    }

    fn judge_by(
        &self,
        settings: Settings,
        nearest: &CheckedModule<'_>,
        context: &RunContext<'_>,
        values: &Values<'_>,
    ) -> io::Result<Said> {
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
        governed::judge(&mut subject, context, &[(self.by.to_owned(), self.policy)], &sets);
        let mut said = std::mem::take(&mut subject.of_policies);
        if unread.is_some() {
            self.keep_certain(&mut said, &subject);
            said.add(self.blocked(unread, &subject));
        }
        said.work = said.work.saturating_add(subject.meter.spent());
        let (found, _) = verdict::tell_budgets(Diagnostics::new(), &subject.meter);
        let found =
            found.iter().map(|it| Finding::new(it, &subject.shown, &subject.module.sources));
        said.findings.extend(found);
        Ok(said)
    }

    /// Whether the parts of a module that does not parse are judged. An override that was not read may change all of
    /// them, and so may an object to which others are linked.
    fn is_judged_in_part(&self, subject: &CheckedModule<'_>) -> bool {
        let is_override = |it: &Hole| {
            let path = &subject.module.sources.file(it.span.file).path;
            is_override_file(path.rsplit('/').next().unwrap_or(path))
        };
        subject.is_loaded
            && self.policy.referred.is_empty()
            && !subject.module.distrusted().holes.iter().any(is_override)
    }

    /// Every rule, because of the first error in the module's files.
    fn blocked(&self, problem: Option<Span>, subject: &CheckedModule<'_>) -> Said {
        let mut said = Said::default();
        if let Some(problem) = problem {
            let rules = governed::rules_of(self.policy);
            said.block(self.by, rules, &subject.shown, subject.location(problem));
        }
        said
    }

    /// Leaves out what a part of the module that was not read may change: all but what fails for an object that was
    /// read, whatever else there is.
    fn keep_certain(&self, said: &mut Said, subject: &CheckedModule<'_>) {
        let holes = &subject.module.distrusted().holes;
        let unread: Vec<Location> = holes.iter().map(|it| subject.location(it.span)).collect();
        let of_one: HashSet<LintId> = {
            let rules = self.policy.rules.iter();
            let of_one = rules.filter(|it| it.needs.is_empty() && it.counts.is_empty());
            of_one.map(|it| LintId::of_policy(&it.id)).collect()
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
        said.findings.retain(|finding| {
            let Some(facts) = &finding.policy else { return true };
            let inside = finding.address.strip_prefix("module.");
            let call = inside.and_then(|it| it.split(['.', '[']).next());
            facts.outcome == Decision::Fail
                && of_one.contains(&finding.rule)
                && finding.locations.first().is_some_and(is_read)
                && call.is_none_or(|name| !calls.contains(name))
        });
        said.not_judged.retain(|it| !matches!(it.what, NotJudgedKind::Rule(_)));
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
