//! The symbolic links of a repository: where a path leads, and whether a change leads it elsewhere.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use super::ChangedFiles;
use system::{EntryKind, System};

/// The links that git knows, and whether some changed.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Absolute.
    all: HashSet<PathBuf>,
    /// Whether a link was added or leads elsewhere now.
    is_changed: bool,
    /// Whether a deleted path may have been a link.
    is_deleted: bool,
}

impl Links {
    pub fn of(change: &ChangedFiles, system: &dyn System) -> Links {
        let parents: HashSet<&Path> = change.paths.iter().filter_map(|it| it.parent()).collect();
        let changed: HashSet<&Path> = change.paths.iter().map(PathBuf::as_path).collect();
        let (mut all, mut found) = (HashSet::new(), 0);
        all.extend(change.links.iter().cloned());
        let mut is_changed = false;
        for dir in parents {
            for entry in system.list(dir).unwrap_or_default() {
                let path = dir.join(&entry.name);
                if changed.contains(path.as_path()) {
                    found += 1;
                    if entry.kind == EntryKind::Symlink {
                        is_changed = true;
                        all.insert(path);
                    }
                }
            }
        }
        Links { all, is_changed, is_deleted: found < changed.len() }
    }

    /// Links (absolute) to one of these files.
    pub fn to<'a>(
        &'a self,
        files: &'a HashSet<PathBuf>,
        system: &'a dyn System,
    ) -> impl Iterator<Item = &'a PathBuf> {
        self.all.iter().filter(|path| system.canonicalize(path).is_ok_and(|it| files.contains(&it)))
    }

    /// Whether a path (absolute) leads over a link.
    pub fn pass(&self, path: &Path) -> bool {
        !self.all.is_empty() && path.ancestors().any(|it| self.all.contains(it))
    }

    /// The target of a path (absolute, clean); the path itself if it leads nowhere.
    pub fn follow(&self, path: &Path, system: &dyn System) -> PathBuf {
        let real = self.pass(path).then(|| system.canonicalize(path).ok()).flatten();
        real.unwrap_or_else(|| path.to_owned())
    }

    /// Whether a path (absolute, clean) may lead elsewhere than before the change.
    pub fn touch(&self, path: &Path, changed: &HashSet<PathBuf>, system: &dyn System) -> bool {
        let is_on_the_way = || path.ancestors().any(|it| changed.contains(it));
        let may_differ = self.is_changed || self.is_deleted;
        may_differ
            && (is_on_the_way()
                || self.pass(path)
                    && (self.is_changed || self.is_deleted && system.canonicalize(path).is_err()))
    }
}
