//! Lists the files below a directory.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::prelude::*;

use super::{DirEntry, Enters, EntryKind, System, paths, walls::is_git_directory};

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
    ignoring: &Ignoring,
) -> io::Result<Vec<PathBuf>> {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let walk = Walk { system, enters, exclude, ignoring };
    let mut files = Vec::new();
    let absolute = paths::clean(&system.current_dir()?.join(root));
    let ignores = absolute.parent().and_then(|it| walk.ignores_in(it));
    let mut pending = vec![(root.to_owned(), absolute, ignores)];
    let mut room = MAX_PATTERNS;
    // Directories of the same depth are listed in parallel. The room for patterns is given out in order, so that
    // any number of threads reads the same ones.
    while !pending.is_empty() {
        let listed: Vec<_> = pending.into_par_iter().map(|it| walk.list(it)).collect();
        let mut directories = listed.into_iter().collect::<io::Result<Vec<_>>>()?;
        directories.iter_mut().for_each(|it| walk.cut(&it.absolute, &mut it.own, &mut room));
        let sorted: Vec<_> = directories.into_par_iter().map(|it| walk.sort_out(it)).collect();
        pending = Vec::new();
        for (mut own, below) in sorted {
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
    ignoring: &Ignoring,
) -> bool {
    let Ok(current_dir) = system.current_dir() else { return false };
    let path = paths::clean(&current_dir.join(path));
    let walk = Walk { system, enters: &|_| true, exclude, ignoring };
    let ignored = |it: &Path, is_dir| {
        let by = it.parent().and_then(|dir| walk.ignores_in(dir));
        by.is_some_and(|by| by.ignores(it, is_dir))
    };
    // A repository inside of another one is independent.
    let inside = path.ancestors().skip(1).take_while(|it| system.kind(&it.join(".git")).is_err());
    ignored(&path, false) || inside.into_iter().any(|it| ignored(it, true))
}

/// What is known of the patterns of ignored files from one walk or look to the next.
#[derive(Default)]
pub(super) struct Ignoring {
    /// The files whose patterns are not all read, and the first line that is not.
    unread: Mutex<BTreeMap<PathBuf, u32>>,
    /// The patterns in a directory, for directories above a walk and around a path.
    known: Mutex<HashMap<PathBuf, Option<Arc<Ignores>>>>,
}

impl Ignoring {
    pub fn unread(&self) -> Vec<(PathBuf, u32)> {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        unread.iter().map(|(path, line)| (path.clone(), *line)).collect()
    }
}

/// The limit for the patterns that a walk reads, and those of a directory and all above it, in bytes of patterns that
/// are names or endings. Any other one becomes a part of an automaton, and takes [`COST`] times as much.
const MAX_PATTERNS: usize = 16 << 20;
const COST: usize = 128;

/// The number of directories whose patterns are remembered.
const MAX_KNOWN: usize = 256;

struct Walk<'a> {
    system: &'a dyn System,
    enters: Enters<'a>,
    exclude: Option<&'a (PathBuf, String)>,
    ignoring: &'a Ignoring,
}

/// A directory as written, its absolute path, and the patterns of ignored files in it.
type Pending = (PathBuf, PathBuf, Option<Arc<Ignores>>);

/// A directory that was read.
struct Listed {
    dir: PathBuf,
    absolute: PathBuf,
    entries: Vec<DirEntry>,
    own: Own,
    above: Option<Arc<Ignores>>,
}

/// What a directory says about ignored files.
#[derive(Default)]
struct Own {
    /// Whether a repository begins here.
    begins: bool,
    /// The text of its `.gitignore`.
    gitignore: Option<String>,
}

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
    fn list(&self, (dir, absolute, above): Pending) -> io::Result<Listed> {
        let entries = self.system.list(&dir).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", paths::display(&dir)))
        })?;
        let own = self.own(&absolute, &entries, above.is_some());
        Ok(Listed { dir, absolute, entries, own, above })
    }

    /// The files of a directory, and the directories in it.
    fn sort_out(&self, listed: Listed) -> (Vec<PathBuf>, Vec<Pending>) {
        let Listed { dir, absolute, entries, own, above } = listed;
        let ignores = self.ignores(&absolute, own, above);
        let (mut files, mut below) = (Vec::new(), Vec::new());
        for DirEntry { name, kind } in entries {
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
        (files, below)
    }

    /// The patterns in a directory (absolute), its own and those from above.
    fn ignores_in(&self, dir: &Path) -> Option<Arc<Ignores>> {
        let known = |dir: &Path| {
            let known = self.ignoring.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(dir).cloned()
        };
        if let Some(known) = known(dir) {
            return known;
        }
        // Nothing is ignored outside of a repository.
        let all: Vec<&Path> = dir.ancestors().collect();
        let begin = all.iter().position(|it| self.system.kind(&it.join(".git")).is_ok());
        let (mut ignores, mut room) = (None, MAX_PATTERNS);
        for at in all[..begin.map_or(0, |it| it + 1)].iter().rev() {
            let entries = self.system.list(at).unwrap_or_default();
            let mut own = self.own(at, &entries, ignores.is_some());
            self.cut(at, &mut own, &mut room);
            ignores = self.ignores(at, own, ignores);
        }
        let mut known = self.ignoring.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(dir.to_owned(), ignores.clone());
        ignores
    }

    fn own(&self, dir: &Path, entries: &[DirEntry], is_in_repository: bool) -> Own {
        let has = |name: &str| entries.iter().any(|it| it.name == name);
        let begins = has(".git");
        let text = || {
            let text = self.system.read(&dir.join(".gitignore")).unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        };
        let is_read = (begins || is_in_repository) && has(".gitignore");
        Own { begins, gitignore: is_read.then(text) }
    }

    /// Cuts off the patterns for which there is no room. What they ignore is then walked.
    fn cut(&self, dir: &Path, own: &mut Own, room: &mut usize) {
        let Some(text) = &mut own.gitignore else { return };
        let mut end = 0;
        for (line, pattern) in (1..).zip(text.split_inclusive('\n')) {
            let cost = pattern.len() * if is_plain(pattern) { 1 } else { COST };
            let Some(left) = room.checked_sub(cost) else {
                let mut unread =
                    self.ignoring.unread.lock().unwrap_or_else(PoisonError::into_inner);
                unread.insert(dir.join(".gitignore"), line);
                text.truncate(end);
                return;
            };
            (*room, end) = (left, end + pattern.len());
        }
    }

    /// The patterns for a directory, with those from above.
    fn ignores(
        &self,
        dir: &Path,
        Own { begins, gitignore }: Own,
        above: Option<Arc<Ignores>>,
    ) -> Option<Arc<Ignores>> {
        // A repository inside of another one is independent.
        let above = if begins { None } else { above };
        if !begins && gitignore.is_none() {
            return above;
        }
        let mut own: Vec<Gitignore> = gitignore.iter().flat_map(|it| patterns(dir, it)).collect();
        if begins {
            let exclude = self.exclude.filter(|(root, _)| root == dir);
            own.extend(exclude.iter().flat_map(|(_, text)| patterns(dir, text)));
            own.push(GitignoreBuilder::new(dir).build_global().0);
        }
        Some(Arc::new(Ignores { own, above }))
    }
}

/// Whether a pattern is a name, a path or an ending, which is found by hashing: `node_modules/`, `/out/a`, `*.log`.
fn is_plain(pattern: &str) -> bool {
    let pattern = pattern.trim();
    let pattern = pattern.strip_prefix('!').unwrap_or(pattern);
    let pattern = pattern.strip_prefix("**/").unwrap_or(pattern);
    let pattern = pattern.strip_prefix("*.").filter(|it| !it.contains('.')).unwrap_or(pattern);
    pattern.starts_with('#') || !pattern.contains(['*', '?', '[', '\\'])
}

/// The patterns that become one automaton, at most: a larger one is refused.
const MAX_TOGETHER: usize = 250;

/// The patterns of a `.gitignore`, the last ones first, since they decide. An unreadable one is skipped, as git does.
fn patterns(dir: &Path, text: &str) -> Vec<Gitignore> {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let mut together = 0;
    let parts = lines.chunk_by(|_, next| {
        together =
            if together == MAX_TOGETHER { 0 } else { together + usize::from(!is_plain(next)) };
        together != 0 || is_plain(next)
    });
    let mut all: Vec<Gitignore> = parts.map(|it| part(dir, it)).collect();
    all.reverse();
    all
}

fn part(dir: &Path, lines: &[&str]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(dir);
    lines.iter().for_each(|it| _ = builder.add_line(None, it));
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
