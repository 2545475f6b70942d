//! `terraschema compat --history`: compares each release with the one before.

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    compat::{CompatArgs, flags},
    compat_bases::{CurrentDirectory, asked_for, directories, no_owner},
};
use compat::{CompatRequest, Revision, claimed, releases, version_of_tag};
use config::Configurations;
use diagnostics::lints;
use git::{IndexSystem, Repository};
use release::Version;
use report::{
    Bump, Compat, ContractChange, History, ModuleChanges, ReleaseChanges, Report, ReportBody,
};
use system::{LimitedSystem, System};

/// Compares all releases of the repository. Errors: there are fewer than two releases.
pub(super) fn report(args: &CompatArgs, system: &dyn System) -> anyhow::Result<Report> {
    let repository = Repository::here(system)?;
    let tags = repository.tags(&|it| version_of_tag(it).is_some())?;
    let all = releases(&tags);
    // Whatever release is compared, the configuration is that of the work tree.
    let configurations = Configurations::new(system, flags(args), args.config.as_deref())?;
    let history = Of { args, place: CurrentDirectory::of(system)?, configurations };
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (name, releases) in &all {
        let mut before: Option<(Version, &str, IndexSystem<'_>)> = None;
        for (version, tag) in releases {
            let after = IndexSystem::at(Repository::here(system)?, tag, system)?;
            if let Some((last, base, files)) = &before
                && let Some(found) = history.compared(
                    name,
                    &all.keys().copied(),
                    [(*base, files), (*tag, &after)],
                )?
            {
                failures.extend(found.failures.iter().map(|it| format!("{base} → {tag}: {it}")));
                rows.push(row(&found, (base, *last), (tag, *version)));
            }
            before = Some((*version, tag, after));
        }
    }
    let problems = history.configurations.problems();
    if !problems.is_empty() {
        return Ok(Report { findings: problems, ..Report::default() });
    }
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        if all.values().any(|it| it.len() > 1) {
            anyhow::bail!("{}", no_owner(all.keys().copied()));
        }
        anyhow::bail!("--history needs two version tags such as v1.2.3{}", repository.depth_hint());
    };
    let (base, head) = (first.base.clone(), last.head.clone());
    let history = Some(History::new(rows));
    let (modules, left_out) = (Vec::new(), Vec::new());
    let body = ReportBody::Compat(Compat { base, head, modules, left_out, history });
    Ok(Report { body, failures, ..Report::default() })
}

fn row(found: &Report, base: (&str, Version), head: (&str, Version)) -> ReleaseChanges {
    let left_out = found.compat().map_or(0, |it| it.left_out.len());
    let modules = found.compat().map_or(&[][..], |it| &it.modules);
    let is_of_versions = |it: &ContractChange| {
        it.rule == lints::PROVIDER_RAISED || it.rule == lints::REQUIRED_VERSION_RAISED
    };
    let versions = modules.iter().flat_map(|it| &it.changes).any(is_of_versions);
    // An unreadable module, for example of Terraform 0.11, does not mean that our work ended.
    let is_unread = |it: &ModuleChanges| it.bump == Bump::CannotTell && it.changes.is_empty();
    let is_open = |it: &&ModuleChanges| it.bump == Bump::CannotTell && !is_unread(it);
    let unread = modules.iter().filter(|it| is_unread(it)).count();
    ReleaseChanges {
        base: base.0.to_owned(),
        head: head.0.to_owned(),
        bump: modules.iter().map(|it| it.bump).max().unwrap_or_default(),
        versions,
        claimed: claimed(base.1, head.1),
        modules: modules.len() - unread,
        cannot_tell: modules.iter().filter(is_open).count(),
        unread,
        left_out,
    }
}

/// What all comparisons of a history have in common.
struct Of<'h> {
    args: &'h CompatArgs,
    place: CurrentDirectory,
    configurations: Configurations<'h>,
}

impl Of<'_> {
    /// Compares two releases of the modules with a name; `None` if there are none that are asked for.
    fn compared<'s, 'n>(
        &self,
        name: &str,
        names: &(impl Iterator<Item = &'n str> + Clone),
        [base, head]: [(&str, &'s IndexSystem<'_>); 2],
    ) -> anyhow::Result<Option<Report>> {
        let of = |files: &IndexSystem<'_>| -> anyhow::Result<_> {
            let all = if name.is_empty() { BTreeSet::new() } else { directories(files)? };
            Ok(self.place.owners(name, names.clone(), &all))
        };
        let own = match of(head.1)? {
            Some(it) => Some(it),
            None => of(base.1)?,
        };
        let Some(paths) = own.and_then(|it| asked_for(it, &self.args.paths)) else {
            return Ok(None);
        };
        let limited = |it: (_, &'s IndexSystem<'_>)| {
            LimitedSystem::new(it.1, self.args.limits.max_file_size())
        };
        let systems = [limited(base), limited(head)];
        let request = CompatRequest {
            base: revision(base.0, &systems[0]),
            head: revision(head.0, &systems[1]),
            paths,
            unlike: None,
            version: None,
            callers: Vec::new(),
            examples: self.args.examples,
            witnesses: false,
        };
        Ok(Some(compat::run(&request, &self.configurations)?))
    }
}

fn revision<'a>(tag: &str, system: &'a dyn System) -> Revision<'a> {
    let root = PathBuf::from(".");
    Revision { system, root, shown: tag.to_owned(), prefix: format!("{tag}:"), described: None }
}
