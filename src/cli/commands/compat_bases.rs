//! The default bases of `terraschema compat`: the newest version tag, or that of each module.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use anyhow::bail;

use super::compat::{CompatArgs, Source, compared, state};
use crate::{
    check::FileRole,
    compat::version_of_tag,
    git::Repository,
    release::Version,
    report::{Compat, Report},
    system::{System, paths},
};

/// The newest tags that the head descends from, by module name; tags without one have an empty name.
/// Errors: there is no such tag.
pub(super) fn newest_tags(
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<BTreeMap<String, String>> {
    let revision = match head {
        Source::Directory(_) => bail!("BASE is missing: what to compare the directory with"),
        Source::Schema(_) => bail!("BASE is missing: what to compare the schema with"),
        Source::Revision(name) => name.as_str(),
        Source::WorkTree => "HEAD",
    };
    let repository = Repository::here(system)?;
    let is_wanted = |it: &str| version_of_tag(it).is_some();
    let tags = repository.tags_before(revision, &is_wanted)?;
    let mut newest: BTreeMap<&str, (Version, &str)> = BTreeMap::new();
    for tag in &tags {
        let Some((name, version)) = version_of_tag(tag) else { continue };
        let best = newest.entry(name).or_insert((version, tag));
        *best = (*best).max((version, tag));
    }
    if newest.contains_key("") {
        newest.retain(|name, _| name.is_empty());
    }
    if newest.is_empty() {
        bail!(
            "no version tag such as v1.2.3 that {revision} descends from: name BASE{}",
            repository.depth_hint()
        );
    }
    Ok(newest.into_iter().map(|(name, it)| (name.to_owned(), it.1.to_owned())).collect())
}

/// Compares each module that has tags of its own with the newest of them. Errors: no module has a tag's
/// name.
pub(super) fn of_each(
    args: &CompatArgs,
    tags: &BTreeMap<String, String>,
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let now = directories(head, system)?;
    let mut report = Report::default();
    let mut modules = Vec::new();
    let mut shown = String::new();
    for (name, tag) in tags {
        let base = Source::Revision(tag.clone());
        let mut dirs = own(name, &now, tags);
        if dirs.is_empty() {
            dirs = own(name, &directories(&base, system)?, tags);
        }
        dirs.retain(|it| is_asked_for(it, &args.paths));
        if dirs.is_empty() {
            continue;
        }
        let found = compared(args, (&base, head), dirs, system)?;
        report.findings.extend(found.findings);
        report.failures.extend(found.failures);
        if let Some(it) = found.compat {
            modules.extend(it.modules);
            shown = it.head;
        }
    }
    if shown.is_empty() {
        let names: Vec<&str> = tags.keys().map(String::as_str).take(3).collect();
        let names = names.join(", ");
        bail!(
            "there are version tags of several modules ({names}), and none of these directories: name BASE"
        );
    }
    modules.sort_by(|one, other| one.path.cmp(&other.path));
    let base = "the newest tag of each module".to_owned();
    report.compat = Some(Compat { base, head: shown, modules, history: None });
    report.sort();
    Ok(report)
}

/// The directories that contain module files.
fn directories(source: &Source, system: &dyn System) -> anyhow::Result<BTreeSet<PathBuf>> {
    let state = state(source, true, system)?;
    let files = state.system(system).walk(Path::new("."), &|_| true)?;
    let is_source = |path: &&PathBuf| {
        path.file_name()
            .and_then(|it| it.to_str())
            .is_some_and(|it| FileRole::of(it) == FileRole::Source)
    };
    Ok(files.iter().filter(is_source).filter_map(|it| it.parent()).map(paths::clean).collect())
}

/// The directories with this name, without those that a longer name covers.
fn own(name: &str, all: &BTreeSet<PathBuf>, tags: &BTreeMap<String, String>) -> Vec<PathBuf> {
    let is_other = |dir: &Path| tags.keys().any(|it| it.len() > name.len() && dir.ends_with(it));
    all.iter().filter(|it| it.ends_with(name) && !is_other(it)).cloned().collect()
}

fn is_asked_for(dir: &Path, wanted: &[PathBuf]) -> bool {
    wanted.is_empty()
        || wanted
            .iter()
            .map(|it| paths::clean(it))
            .any(|it| dir.starts_with(&it) || it == Path::new("."))
}
