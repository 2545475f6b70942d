//! A [`System`] whose walks leave out nothing that git tracks: a file that was added by force is not
//! ignored, whatever `.gitignore` says.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::SystemTime,
};

use super::Repository;
use crate::system::{Enters, Entry, EntryKind, System};

/// Another system, and the index of the repository that its current directory is in, if any.
pub struct WorkTreeSystem<'a> {
    inner: &'a dyn System,
    tracked: LazyLock<Option<Files>, Box<dyn FnOnce() -> Option<Files> + Send + 'a>>,
}

/// What an index names.
struct Files {
    /// The repository's, absolute.
    root: PathBuf,
    /// Relative to `root`, sorted bytewise.
    paths: Vec<String>,
}

impl<'a> WorkTreeSystem<'a> {
    /// The index is read when it is first needed.
    pub fn new(inner: &'a dyn System) -> Self {
        WorkTreeSystem { inner, tracked: LazyLock::new(Box::new(|| Files::read(inner))) }
    }

    /// Tracked files below `root` that are not among the found ones, in directories that are not
    /// hidden and that `enters` lets in.
    fn left_out(&self, root: &Path, found: &[PathBuf], enters: Enters<'_>) -> Vec<PathBuf> {
        let Some(files) = &*self.tracked else { return Vec::new() };
        let Ok(absolute) = self.inner.canonicalize(root) else { return Vec::new() };
        let Ok(inside) = absolute.strip_prefix(&files.root) else { return Vec::new() };
        let found: HashSet<&Path> = found.iter().map(PathBuf::as_path).collect();
        let (mut left_out, mut way) = (Vec::new(), Way { root, enters, dirs: Vec::new() });
        for rest in files.below(inside) {
            let rest = Path::new(rest);
            if !way.leads_to(rest.parent().unwrap_or(Path::new(""))) {
                continue;
            }
            let path = root.join(rest);
            let is_file = |it: &Path| matches!(self.inner.kind(it), Ok(EntryKind::File));
            if !found.contains(path.as_path()) && is_file(&path) {
                left_out.push(path);
            }
        }
        left_out
    }
}

/// The directories from a walk's root to the one last asked for, and whether the walk would go into
/// each. Sorted files ask for each directory once.
struct Way<'a> {
    root: &'a Path,
    enters: Enters<'a>,
    /// Relative to `root`.
    dirs: Vec<(PathBuf, bool)>,
}

impl Way<'_> {
    fn leads_to(&mut self, dir: &Path) -> bool {
        while self.dirs.last().is_some_and(|(it, _)| !dir.starts_with(it)) {
            self.dirs.pop();
        }
        let (mut at, mut is_entered) = self.dirs.last().cloned().unwrap_or((PathBuf::new(), true));
        let rest = dir.strip_prefix(&at).unwrap_or(dir).to_owned();
        for name in &rest {
            at.push(name);
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            is_entered = is_entered && !is_hidden && (self.enters)(&self.root.join(&at));
            self.dirs.push((at.clone(), is_entered));
        }
        is_entered
    }
}

impl Files {
    /// Nothing outside of a repository, and of one that cannot be read.
    fn read(system: &dyn System) -> Option<Files> {
        let Repository { inner, root } = Repository::here(system).ok()?;
        let index = inner.index().ok()?;
        let paths = index.iter().filter_map(|it| String::from_utf8(it.path).ok());
        Some(Files { paths: paths.collect(), root })
    }

    /// Relative to a directory, which is itself relative to the repository's.
    fn below(&self, dir: &Path) -> impl Iterator<Item = &str> {
        let mut prefix = crate::system::paths::slashes(dir);
        if !prefix.is_empty() {
            prefix.push('/');
        }
        let from = self.paths.partition_point(|it| *it < prefix);
        let rest = self.paths.get(from..).unwrap_or_default();
        rest.iter().map_while(move |it| it.strip_prefix(&prefix))
    }
}

impl System for WorkTreeSystem<'_> {
    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let mut files = self.inner.walk(root, enters)?;
        let left_out = self.left_out(root, &files, enters);
        if !left_out.is_empty() {
            files.extend(left_out);
            files.sort_unstable();
        }
        Ok(files)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.inner.read(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        self.inner.list(dir)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        self.inner.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonicalize(path)
    }

    fn write_atomic(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.inner.write_atomic(path, bytes)
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        self.inner.create_dir_all(dir)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.inner.env(name)
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        self.inner.env_with_prefix(prefix)
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        self.inner.current_dir()
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }
}
