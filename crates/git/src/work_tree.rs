//! A [`System`] whose walks leave out nothing that git tracks: a file that was added by force is not
//! ignored, whatever `.gitignore` says.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::{MAIN_SEPARATOR_STR, Path, PathBuf},
    sync::{LazyLock, PoisonError},
};

use super::{IndexFiles, Repository, narrow::Contents};
use system::{Enters, EntryKind, System, forward, paths};

/// Another system, and the index of the repository that its current directory is in, if any.
pub struct WorkTreeSystem<'a> {
    inner: &'a dyn System,
    files: LazyLock<Option<Files>, Box<dyn FnOnce() -> Option<Files> + Send + 'a>>,
    ids: LazyLock<Option<Ids>, Box<dyn FnOnce() -> Option<Ids> + Send + 'a>>,
}

/// The ids of files that were not touched since the index saw them.
struct Ids {
    /// The repository's, absolute.
    root: PathBuf,
    by_path: HashMap<Vec<u8>, [u8; 20]>,
}

/// What an index names.
struct Files {
    /// The repository's, absolute.
    root: PathBuf,
    /// Relative to `root`, sorted bytewise.
    paths: Vec<String>,
}

impl<'a> WorkTreeSystem<'a> {
    /// With the repository that the current directory is in; it is opened when it is first needed.
    pub fn new(inner: &'a dyn System) -> Self {
        let files = || Files::read(&Repository::here(inner).ok()?.into_tracked());
        let ids = || Ids::read(&Repository::here(inner).ok()?);
        let (files, ids) = (LazyLock::new(Box::new(files) as _), LazyLock::new(Box::new(ids) as _));
        WorkTreeSystem { inner, files, ids }
    }

    /// With a repository that is open already.
    pub fn of(inner: &'a dyn System, tracked: IndexFiles) -> Self {
        let files = move || Files::read(&tracked);
        let ids = || Ids::read(&Repository::here(inner).ok()?);
        let (files, ids) = (LazyLock::new(Box::new(files) as _), LazyLock::new(Box::new(ids) as _));
        WorkTreeSystem { inner, files, ids }
    }

    /// IndexFiles files below `root` that are not among the found ones, in directories that are not
    /// hidden and that `enters` lets in.
    fn left_out(&self, root: &Path, found: &[PathBuf], enters: Enters<'_>) -> Vec<PathBuf> {
        let Some(files) = &*self.files else { return Vec::new() };
        let Ok(absolute) = self.inner.canonicalize(root) else { return Vec::new() };
        let Ok(inside) = absolute.strip_prefix(&files.root) else { return Vec::new() };
        // Their bytes: to compare paths takes them apart.
        let found: HashSet<&[u8]> = found.iter().map(|it| bytes(it)).collect();
        let mut way = Way { root, enters, dirs: Vec::new() };
        let (mut left_out, mut dir, mut is_entered) = (Vec::new(), "", true);
        for rest in files.below(inside) {
            let (parent, _) = rest.rsplit_once('/').unwrap_or_default();
            if parent != dir {
                (dir, is_entered) = (parent, way.leads_to(Path::new(parent)));
            }
            if !is_entered {
                continue;
            }
            let path = match MAIN_SEPARATOR_STR {
                "/" => root.join(rest),
                native => root.join(rest.replace('/', native)),
            };
            let is_file = |it: &Path| matches!(self.inner.kind(it), Ok(EntryKind::File));
            if !found.contains(bytes(&path)) && is_file(&path) {
                left_out.push(path);
            }
        }
        left_out
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
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

impl Ids {
    /// `None` where the index cannot be read, or most files were touched.
    fn read(repository: &Repository) -> Option<Ids> {
        let contents = Contents::of(&repository.inner).ok()?;
        let by_path = contents.untouched(&repository.root)?;
        Some(Ids { root: repository.root.clone(), by_path })
    }
}

impl Files {
    /// Nothing of an index that cannot be read.
    fn read(tracked: &IndexFiles) -> Option<Files> {
        let repository = tracked.repository.lock().unwrap_or_else(PoisonError::into_inner);
        let index = repository.index().ok()?;
        let paths = index.iter().filter_map(|it| String::from_utf8(it.path).ok());
        Some(Files { paths: paths.collect(), root: tracked.root.clone() })
    }

    /// Relative to a directory, which is itself relative to the repository's.
    fn below(&self, dir: &Path) -> impl Iterator<Item = &str> {
        let mut prefix = paths::slashes(dir);
        if !prefix.is_empty() {
            prefix.push('/');
        }
        let from = self.paths.partition_point(|it| *it < prefix);
        let rest = self.paths.get(from..).unwrap_or_default();
        rest.iter().map_while(move |it| it.strip_prefix(&prefix))
    }
}

impl System for WorkTreeSystem<'_> {
    /// What git converts on its way to the work tree, such as the ends of lines, counts as equal.
    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        let ids = self.ids.as_ref()?;
        let absolute = paths::clean(&self.inner.current_dir().ok()?.join(path));
        let inside = absolute.strip_prefix(&ids.root).ok()?;
        ids.by_path.get(bytes(inside)).copied()
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        // The index is read meanwhile.
        let (files, _) = rayon::join(|| self.inner.walk(root, enters), || self.files.is_some());
        let mut files = files?;
        let left_out = self.left_out(root, &files, enters);
        if !left_out.is_empty() {
            files.extend(left_out);
            files.sort_unstable();
        }
        Ok(files)
    }

    fn holds_tracked(&self, dir: &Path) -> bool {
        let Some(files) = &*self.files else { return false };
        let Ok(absolute) = self.inner.canonicalize(dir) else { return false };
        let inside = absolute.strip_prefix(&files.root);
        inside.is_ok_and(|it| files.below(it).next().is_some())
    }

    forward!(inner: unread_ignores, read, list, is_ignored, kind, canonicalize, replace, create_dir_all, env,
        env_with_prefix, home_dir, current_dir, now);
}
