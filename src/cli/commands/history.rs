//! `terraschema compat --history`: compares each release with the one before.

use std::path::PathBuf;

use super::compat::{CompatArgs, flags};
use crate::{
    compat::{self, Request, Revision, claimed, releases},
    config::Configurations,
    git::{IndexSystem, Repository},
    release::Version,
    report::{Bump, Compat, History, ModuleChanges, ReleaseChanges, Report},
    system::{LimitedSystem, System, paths},
};

/// Compares all releases of the repository. Errors: there are fewer than two releases.
pub(super) fn report(args: &CompatArgs, system: &dyn System) -> anyhow::Result<Report> {
    let repository = Repository::here(system)?;
    let tags = repository.tags()?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (name, all) in releases(&tags) {
        let mut before: Option<(Version, &str, IndexSystem<'_>)> = None;
        for (version, tag) in all {
            let after = IndexSystem::at(Repository::here(system)?, tag, system)?;
            if let Some((last, base, files)) = &before {
                let both = [(*base, files), (tag, &after)];
                let found = compared(args, name, both)?;
                failures.extend(found.failures.iter().map(|it| format!("{base} → {tag}: {it}")));
                rows.push(row(found, (base, *last), (tag, version)));
            }
            before = Some((version, tag, after));
        }
    }
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        anyhow::bail!(
            "--history compares version tags such as v1.2.3, and there are no two{}",
            repository.depth_hint()
        );
    };
    let (base, head) = (first.base.clone(), last.head.clone());
    let history = Some(History::new(rows));
    let compat = Some(Compat { base, head, modules: Vec::new(), history });
    Ok(Report { failures, compat, ..Report::default() })
}

fn row(found: Report, base: (&str, Version), head: (&str, Version)) -> ReleaseChanges {
    let modules = found.compat.map(|it| it.modules).unwrap_or_default();
    // An unreadable module, for example of Terraform 0.11, does not mean that our work ended.
    let is_unread = |it: &ModuleChanges| it.level == Bump::CannotTell && it.changes.is_empty();
    let is_open = |it: &&ModuleChanges| it.level == Bump::CannotTell && !is_unread(it);
    let unread = modules.iter().filter(|it| is_unread(it)).count();
    ReleaseChanges {
        base: base.0.to_owned(),
        head: head.0.to_owned(),
        level: modules.iter().map(|it| it.level).max().unwrap_or_default(),
        claimed: claimed(base.1, head.1),
        modules: modules.len() - unread,
        cannot_tell: modules.iter().filter(is_open).count(),
        unread,
    }
}

/// Compares two releases of the modules with a name; of all modules if no directory has it.
fn compared<'s>(
    args: &CompatArgs,
    name: &str,
    [base, head]: [(&str, &'s IndexSystem<'_>); 2],
) -> anyhow::Result<Report> {
    let limited =
        |it: (_, &'s IndexSystem<'_>)| LimitedSystem::new(it.1, args.limits.max_file_size());
    let systems = [limited(base), limited(head)];
    let configurations = Configurations::new(&systems[1], flags(args), args.config.as_deref())?;
    let mut paths: Vec<PathBuf> = args.paths.iter().map(|it| paths::clean(it)).collect();
    if paths.is_empty() && !name.is_empty() {
        let files = head.1.walk(".".as_ref(), &|_| true)?;
        let dirs = files.iter().filter_map(|it| it.parent()).filter(|it| it.ends_with(name));
        paths.extend(dirs.map(paths::clean));
        paths.dedup();
    }
    let request = Request {
        base: revision(base.0, &systems[0]),
        head: revision(head.0, &systems[1]),
        paths,
        unlike: None,
        version: None,
        callers: Vec::new(),
    };
    Ok(compat::run(&request, &configurations)?)
}

fn revision<'a>(tag: &str, system: &'a dyn System) -> Revision<'a> {
    let root = PathBuf::from(".");
    Revision { system, root, shown: tag.to_owned(), prefix: format!("{tag}:"), described: None }
}
