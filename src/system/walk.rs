//! Lists the files below a directory.

use std::{
    cmp::Ordering,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::prelude::*;

use super::{Enters, Entry, EntryKind, System, paths, walls::is_git_directory};

/// Every file (and symbolic link) below `root`, sorted. Hidden directories, files that git ignores and
/// directories that `enters` rejects are left out; links to directories are not followed, so that no
/// loop is walked.
/// Hidden files are kept: Terraform loads `.x.auto.tfvars`. `exclude` is a repository (absolute) with
/// the text of its `info/exclude`.
pub(super) fn walk(
    system: &dyn System,
    root: &Path,
    enters: Enters<'_>,
    exclude: Option<&(PathBuf, String)>,
) -> io::Result<Vec<PathBuf>> {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let walk = Walk { system, enters, exclude };
    let mut files = Vec::new();
    let absolute = paths::clean(&system.current_dir()?.join(root));
    let ignores = walk.ignores_above(&absolute);
    let mut pending = vec![(root.to_owned(), absolute, ignores)];
    // Directories of the same depth are listed in parallel.
    while !pending.is_empty() {
        let listed: Vec<_> = pending
            .into_par_iter()
            .map(|(dir, absolute, it)| walk.list(&dir, &absolute, it))
            .collect();
        pending = Vec::new();
        for found in listed {
            let (mut own, below) = found?;
            files.append(&mut own);
            pending.extend(below);
        }
    }
    files.par_sort_unstable_by(|a, b| compare(a, b));
    Ok(files)
}

/// Whether git ignores the path, itself or a directory that it is in. `exclude` as for [`walk`].
pub(super) fn is_ignored(
    system: &dyn System,
    path: &Path,
    exclude: Option<&(PathBuf, String)>,
) -> bool {
    let Ok(current_dir) = system.current_dir() else { return false };
    let path = paths::clean(&current_dir.join(path));
    let walk = Walk { system, enters: &|_| true, exclude };
    let ignored =
        |it: &Path, is_dir| walk.ignores_above(it).is_some_and(|by| by.ignores(it, is_dir));
    // A repository inside of another one is independent.
    let inside = path.ancestors().skip(1).take_while(|it| system.kind(&it.join(".git")).is_err());
    ignored(&path, false) || inside.into_iter().any(|it| ignored(it, true))
}

struct Walk<'a> {
    system: &'a dyn System,
    enters: Enters<'a>,
    exclude: Option<&'a (PathBuf, String)>,
}

/// A directory as written, its absolute path, and the patterns of ignored files in it.
type Pending = (PathBuf, PathBuf, Option<Arc<Ignores>>);

/// The patterns of files that git ignores in a directory; `None` outside of a repository.
struct Ignores {
    /// The directory's own patterns: its `.gitignore`, and at the root of a repository also those for
    /// all of it.
    own: Vec<Gitignore>,
    above: Option<Arc<Ignores>>,
}

impl Ignores {
    /// Whether a path is ignored; the nearest file with a matching pattern decides.
    fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        let mut at = Some(self);
        while let Some(ignores) = at {
            for own in &ignores.own {
                let matched = own.matched(path, is_dir);
                if !matched.is_none() {
                    return matched.is_ignore();
                }
            }
            at = ignores.above.as_deref();
        }
        false
    }
}

impl Walk<'_> {
    /// The files of a directory, and the directories in it.
    fn list(
        &self,
        dir: &Path,
        absolute: &Path,
        above: Option<Arc<Ignores>>,
    ) -> io::Result<(Vec<PathBuf>, Vec<Pending>)> {
        let entries = self.system.list(dir).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", paths::display(dir)))
        })?;
        let ignores = self.ignores(absolute, &entries, above);
        let (mut files, mut below) = (Vec::new(), Vec::new());
        for Entry { name, kind } in entries {
            let (path, absolute) = (dir.join(&name), absolute.join(&name));
            let is_dir = kind == EntryKind::Directory;
            if (is_dir && (name.starts_with('.') || is_git_directory(&name)))
                || ignores.as_ref().is_some_and(|it| it.ignores(&absolute, is_dir))
            {
                continue;
            }
            if !is_dir {
                files.push(path);
            } else if (self.enters)(&path) {
                below.push((path, absolute, ignores.clone()));
            }
        }
        Ok((files, below))
    }

    /// The patterns that the directories above apply to a walk's first directory.
    fn ignores_above(&self, dir: &Path) -> Option<Arc<Ignores>> {
        // Nothing is ignored outside of a repository.
        let above: Vec<&Path> = dir.ancestors().skip(1).collect();
        let begin = above.iter().position(|it| self.system.kind(&it.join(".git")).is_ok())?;
        above[..=begin].iter().rev().fold(None, |ignores, at| {
            let entries = self.system.list(at).unwrap_or_default();
            self.ignores(at, &entries, ignores)
        })
    }

    /// The patterns for a directory, with those from above.
    fn ignores(
        &self,
        dir: &Path,
        entries: &[Entry],
        above: Option<Arc<Ignores>>,
    ) -> Option<Arc<Ignores>> {
        let has = |name: &str| entries.iter().any(|it| it.name == name);
        let begins = has(".git");
        // A repository inside of another one is independent.
        let above = if begins { None } else { above };
        if !begins && (above.is_none() || !has(".gitignore")) {
            return above;
        }
        let mut own = Vec::new();
        if has(".gitignore") {
            let text = self.system.read(&dir.join(".gitignore")).unwrap_or_default();
            own.push(patterns(dir, &String::from_utf8_lossy(&text)));
        }
        if begins {
            let exclude = self.exclude.filter(|(root, _)| root == dir);
            own.extend(exclude.map(|(_, text)| patterns(dir, text)));
            own.push(GitignoreBuilder::new(dir).build_global().0);
        }
        Some(Arc::new(Ignores { own, above }))
    }
}

/// The patterns of a `.gitignore`. An unreadable one is skipped, as git does.
fn patterns(dir: &Path, text: &str) -> Gitignore {
    let mut builder = GitignoreBuilder::new(dir);
    for line in text.trim_start_matches('\u{feff}').lines() {
        _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Orders paths that are written alike by component, like `Path`, but without splitting every path for
/// every comparison.
fn compare(a: &Path, b: &Path) -> Ordering {
    ranks(a).cmp(ranks(b))
}

/// Ranks characters; a separator comes first.
fn ranks(path: &Path) -> impl Iterator<Item = Option<u8>> {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|byte| Some(*byte).filter(|it| !std::path::is_separator(char::from(*it))))
}
