//! The releases that `terraschema compat` compares with: the newest version tag, or that of each module.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use anyhow::bail;

use super::compat::{CompatArgs, Source, compared, state};
use check::FileRole;
use compat::{Owners, is_newest, owners, releases, version_of_tag};
use git::Repository;
use report::{Compat, Report, ReportBody};
use system::{System, paths};

/// The newest tags that the head descends from, by module name; tags without one have an empty name.
/// Errors: there is no such tag.
pub(super) fn newest_tags(
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<BTreeMap<String, String>> {
    let revision = match head {
        Source::Directory(_) => bail!(
            "BASE is missing: name the directory or revision to \
            compare with"
        ),
        Source::Schema(_) => bail!(
            "BASE is missing: name the schema, directory or revision to \
            compare with"
        ),
        Source::Revision(name) => name.as_str(),
        Source::WorkTree => "HEAD",
    };
    let repository = Repository::here(system)?;
    let is_wanted = |it: &str| version_of_tag(it).is_some();
    let tags = repository.tags_before(revision, &is_wanted, &is_newest)?;
    let newest = releases(&tags).into_iter().filter_map(|(name, all)| Some((name, all.last()?.1)));
    let newest: BTreeMap<String, String> =
        newest.map(|(name, tag)| (name.to_owned(), tag.to_owned())).collect();
    if newest.is_empty() {
        bail!(
            "{revision} has no ancestor with a version tag such as v1.2.3: name BASE, for \
            example `terraschema compat origin/main`{}",
            repository.depth_hint()
        );
    }
    Ok(newest)
}

/// Compares each module that has tags of its own with the newest of them. Errors: no module has a tag's
/// name.
pub(super) fn of_each(
    args: &CompatArgs,
    tags: &BTreeMap<String, String>,
    head: &Source,
    system: &dyn System,
) -> anyhow::Result<Report> {
    let here = CurrentDirectory::of(system)?;
    let now = directories(state(head, true, system)?.system(system))?;
    let mut report = Report::default();
    let (mut modules, mut left_out, mut shown) = (Vec::new(), Vec::new(), String::new());
    for (name, tag) in tags {
        let base = Source::Revision(tag.clone());
        let names = tags.keys().map(String::as_str);
        let mut own = here.owners(name, names.clone(), &now);
        if own.is_none() {
            // The module may be gone.
            let before = directories(state(&base, false, system)?.system(system))?;
            own = here.owners(name, names, &before);
        }
        let Some(paths) = own.and_then(|it| asked_for(it, &args.paths)) else { continue };
        let found = compared(args, &base, head, paths, system)?;
        report.findings.extend(found.findings);
        report.failures.extend(found.failures);
        if let ReportBody::Compat(it) = found.body {
            modules.extend(it.modules);
            left_out.extend(it.left_out);
            shown = it.head;
        }
    }
    if shown.is_empty() {
        bail!(
            "{}: name BASE, for example `terraschema compat origin/main`",
            no_owner(tags.keys().map(String::as_str))
        );
    }
    modules.sort_by(|one, other| one.path.cmp(&other.path));
    left_out.sort_unstable();
    let base = match tags.values().next() {
        Some(tag) if tags.len() == 1 => tag.clone(),
        _ => "the newest tag of each module".to_owned(),
    };
    report.body =
        ReportBody::Compat(Compat { base, head: shown, modules, left_out, history: None });
    report.sort();
    Ok(report)
}

/// Says that version tags are of no module.
pub(super) fn no_owner<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.take(3).collect();
    let names = names.join(", ");
    format!("there are version tags of {names}, but no module directory has such a name")
}

/// The current directory.
pub(super) struct CurrentDirectory {
    here: PathBuf,
    is_root: bool,
}

impl CurrentDirectory {
    pub(super) fn of(system: &dyn System) -> anyhow::Result<CurrentDirectory> {
        let here = system.canonicalize(&system.current_dir()?)?;
        let is_root = Repository::here(system)?.root() == here;
        Ok(CurrentDirectory { here, is_root })
    }

    /// The modules that tags of a name are releases of, among these directories.
    pub(super) fn owners<'n>(
        &self,
        name: &str,
        names: impl Iterator<Item = &'n str> + Clone,
        all: &BTreeSet<PathBuf>,
    ) -> Option<Owners> {
        owners(name, names, &self.here, self.is_root, all)
    }
}

/// The directories that contain module files.
pub(super) fn directories(system: &dyn System) -> anyhow::Result<BTreeSet<PathBuf>> {
    let files = system.walk(Path::new("."), &|_| true)?;
    let is_source = |path: &&PathBuf| {
        path.file_name()
            .and_then(|it| it.to_str())
            .is_some_and(|it| FileRole::of(it) == FileRole::Source)
    };
    Ok(files.iter().filter(is_source).filter_map(|it| it.parent()).map(paths::clean).collect())
}

/// The paths to compare, if some of the modules are asked for; none are all.
pub(super) fn asked_for(owners: Owners, wanted: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let wanted: Vec<PathBuf> = wanted.iter().map(|it| paths::clean(it)).collect();
    let Owners::Directories(mut own) = owners else { return Some(wanted) };
    let is_wanted =
        |dir: &PathBuf| wanted.iter().any(|it| dir.starts_with(it) || it == Path::new("."));
    own.retain(|it| wanted.is_empty() || is_wanted(it));
    (!own.is_empty()).then_some(own)
}
