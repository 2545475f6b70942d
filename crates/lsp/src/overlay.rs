//! A system in which the texts of open documents replace the files on the disk.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use check::FileRole;
use module::is_override_file;
use stack::checkpoint;
use system::{DirEntry, Enters, EntryKind, ExpectedContent, System, forward, paths};

/// Paths that a run asked for, absolute: one by one, and as sets that runs share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    single: HashSet<PathBuf>,
    shared: Vec<Arc<HashSet<PathBuf>>>,
}

impl Touched {
    pub fn contains(&self, path: &Path) -> bool {
        self.single.contains(path) || self.shared.iter().any(|it| it.contains(path))
    }
}

/// The texts of open documents by path, absolute and clean.
pub(crate) type Texts = BTreeMap<PathBuf, Arc<str>>;

/// A system with another current directory, which is absolute.
pub(crate) struct Within<'a> {
    pub inner: &'a dyn System,
    pub current_dir: PathBuf,
}

impl Within<'_> {
    fn at(&self, path: &Path) -> PathBuf {
        self.current_dir.join(path)
    }
}

impl System for Within<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.inner.read(&self.at(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.inner.list(&self.at(dir))
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        self.inner.kind(&self.at(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonicalize(&self.at(path))
    }

    fn replace(&self, path: &Path, _: ExpectedContent<'_>, _: &[u8]) -> io::Result<()> {
        Err(refused(path))
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        Err(refused(dir))
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.current_dir.clone())
    }

    forward!(inner: env, env_with_prefix, home_dir, now);
}

/// What walks of the trees found, until somebody makes or deletes a file.
#[derive(Debug, Default)]
pub(crate) struct Walks(Mutex<KnownWalks>);

#[derive(Debug, Default)]
struct KnownWalks {
    /// The number of times that everything was forgotten.
    generation: u64,
    found: HashMap<(PathBuf, Extent), Arc<Vec<PathBuf>>>,
}

/// How far a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    /// Not into other modules.
    Own,
    All,
}

impl Walks {
    /// Forgets everything, including what walks under way will find.
    pub fn forget(&self) {
        let mut known = self.known();
        known.generation += 1;
        known.found.clear();
    }

    /// What is known of a root, and the generation to which a walk of it belongs that begins now.
    fn find(&self, root: &Path, extent: Extent) -> (Option<Arc<Vec<PathBuf>>>, u64) {
        let known = self.known();
        (known.found.get(&(root.to_owned(), extent)).cloned(), known.generation)
    }

    /// Keeps what a walk found, unless it may have missed a change since it began.
    fn keep(&self, root: PathBuf, extent: Extent, found: &Arc<Vec<PathBuf>>, generation: u64) {
        let mut known = self.known();
        if known.generation == generation {
            known.found.insert((root, extent), Arc::clone(found));
        }
    }

    fn known(&self) -> MutexGuard<'_, KnownWalks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The disk behind walls, with the texts of open documents.
///
/// A walk does not enter directories below its root that have source files. They are modules of their own, and no
/// values file in them can belong to a module further up that the server judges: so a directory with 10,000 modules
/// costs as much as one. Patterns of a configuration go into them: they name modules, and files in them. The files that OpenTofu alone reads are an exception, since they decide which product runs
/// the modules of a tree.
pub(crate) struct Overlay<'a> {
    inner: &'a dyn System,
    current_dir: PathBuf,
    texts: &'a Texts,
    walks: &'a Walks,
    /// The files of the tree that only OpenTofu reads, and their neighbours; absolute.
    tofu: &'a [PathBuf],
    /// Whether the current directory is a module that is worked on. If not, a walk of it only asks for the files that
    /// OpenTofu reads, which are known.
    walks_root: AtomicBool,
    /// The number of the state of all files below `folders`, if the client reports their changes.
    watched: Option<u64>,
    folders: &'a [PathBuf],
    touched: Mutex<Touched>,
    /// The files that a run would write, absolute; `None` refuses to write any.
    written: Option<Mutex<BTreeMap<PathBuf, Vec<u8>>>>,
}

impl<'a> Overlay<'a> {
    pub fn new(
        inner: &'a dyn System,
        current_dir: &Path,
        texts: &'a Texts,
        walks: &'a Walks,
        tofu: &'a [PathBuf],
        walks_root: bool,
    ) -> Overlay<'a> {
        let current_dir = current_dir.to_owned();
        let (watched, folders, touched, written) = (None, [].as_slice(), Mutex::default(), None);
        Overlay {
            inner,
            current_dir,
            texts,
            walks,
            tofu,
            walks_root: AtomicBool::new(walks_root),
            watched,
            folders,
            touched,
            written,
        }
    }

    /// Trusts the client to report changes of files below `folders`; `state` is the number of the last one.
    pub fn watching(self, state: Option<u64>, folders: &'a [PathBuf]) -> Overlay<'a> {
        Overlay { watched: state, folders, ..self }
    }

    /// Has the current directory walked as a module.
    pub fn walk_root(&self) {
        self.walks_root.store(true, Ordering::Relaxed);
    }

    /// Keeps what is written instead of refusing it.
    pub fn keeping_writes(self) -> Overlay<'a> {
        Overlay { written: Some(Mutex::default()), ..self }
    }

    /// The files that a run would have written, absolute.
    pub fn into_written(self) -> BTreeMap<PathBuf, Vec<u8>> {
        let written =
            self.written.map(|it| it.into_inner().unwrap_or_else(PoisonError::into_inner));
        written.unwrap_or_default()
    }

    pub fn into_touched(self) -> Touched {
        self.touched.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        paths::clean(&self.current_dir.join(path))
    }

    fn touch(&self, path: &Path) -> PathBuf {
        checkpoint();
        let path = self.absolute(path);
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        if !touched.single.contains(&path) {
            touched.single.insert(path.clone());
        }
        path
    }

    /// The open documents in a directory.
    fn texts_in<'s>(&'s self, dir: &'s Path) -> impl Iterator<Item = &'s PathBuf> {
        let below = self.texts.range(dir.to_owned()..).map(|it| it.0);
        let below = below.take_while(move |it| it.starts_with(dir));
        below.filter(move |it| it.parent() == Some(dir))
    }

    /// The files that a walk finds on the disk, and the new documents in their directories.
    fn walked(
        &self,
        root: &Path,
        absolute: &Path,
        extent: Extent,
        enters: Enters<'_>,
    ) -> io::Result<Vec<PathBuf>> {
        let below = match self.walks.find(absolute, extent) {
            (Some(it), _) => it,
            (None, generation) => {
                let found = self.inner.walk(root, enters)?;
                let below = found.iter().filter_map(|it| Some(it.strip_prefix(root).ok()?.into()));
                let below = Arc::new(below.collect::<Vec<PathBuf>>());
                self.walks.keep(absolute.to_owned(), extent, &below, generation);
                below
            }
        };
        let mut files: Vec<PathBuf> = below.iter().map(|it| root.join(it)).collect();
        let in_dirs: HashSet<&Path> = below.iter().filter_map(|it| it.parent()).collect();
        let known: HashSet<&Path> = below.iter().map(PathBuf::as_path).collect();
        for it in self.texts.keys().filter_map(|it| it.strip_prefix(absolute).ok()) {
            let is_inside = |it: &Path| it == Path::new("") || in_dirs.contains(it);
            // A new document, which git may ignore.
            if it.parent().is_some_and(is_inside)
                && !known.contains(it)
                && !self.inner.is_ignored(&root.join(it))
            {
                files.push(root.join(it));
            }
        }
        Ok(files)
    }

    pub fn has_sources(&self, dir: &Path) -> bool {
        let is_source =
            |name: &str| FileRole::of(name) == FileRole::Source && !is_override_file(name);
        self.list(dir).is_ok_and(|entries| entries.iter().any(|it| is_source(&it.name)))
    }
}

impl System for Overlay<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.texts.get(&self.touch(path)) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.inner.read(path),
        }
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.texts.get(&self.touch(path)) {
            Some(text) if text.len() as u64 > limit => {
                Err(system::Refusal::TooLarge { limit }.into())
            }
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.inner.read_at_most(path, limit),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let absolute = self.touch(dir);
        let listed = self.inner.list(dir);
        let mut open = self.texts_in(&absolute).peekable();
        if open.peek().is_none() {
            return listed;
        }
        // A document may be new, and so may its directory.
        let mut entries = listed.unwrap_or_default();
        for path in open {
            let Some(name) = path.file_name().and_then(|it| it.to_str()) else { continue };
            if let Err(at) = entries.binary_search_by(|it| it.name.as_str().cmp(name)) {
                entries.insert(at, DirEntry { name: name.to_owned(), kind: EntryKind::File });
            }
        }
        Ok(entries)
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        let absolute = self.touch(root);
        if absolute == self.current_dir && !self.walks_root.load(Ordering::Relaxed) {
            let tofu = self.tofu.iter().filter_map(|it| it.strip_prefix(&absolute).ok());
            return Ok(tofu.map(|it| root.join(it)).collect());
        }
        let own = |dir: &Path| enters(dir) && !self.has_sources(dir);
        let mut files = self.walked(root, &absolute, Extent::Own, &own)?;
        if absolute == self.current_dir {
            let tofu = self.tofu.iter().filter_map(|it| it.strip_prefix(&absolute).ok());
            files.extend(tofu.map(|it| root.join(it)));
        }
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    fn walk_all(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        let absolute = self.touch(root);
        let mut files = self.walked(root, &absolute, Extent::All, &|_| true)?;
        files.sort_unstable();
        Ok(files)
    }

    fn state_of(&self, paths: &Arc<HashSet<PathBuf>>) -> Option<u64> {
        let state = self.watched?;
        let is_watched = |path: &PathBuf| self.folders.iter().any(|it| path.starts_with(it));
        if !paths.iter().all(is_watched) {
            return None;
        }
        checkpoint();
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched.shared.push(Arc::clone(paths));
        Some(state)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let absolute = self.touch(path);
        if self.texts.contains_key(&absolute) {
            return Ok(EntryKind::File);
        }
        match self.inner.kind(path) {
            Err(_) if self.texts_in(&absolute).next().is_some() => Ok(EntryKind::Directory),
            kind => kind,
        }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let absolute = self.absolute(path);
        match self.inner.canonicalize(path) {
            Err(_) if self.texts.contains_key(&absolute) => Ok(absolute),
            found => found,
        }
    }

    fn replace(&self, path: &Path, _: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        let Some(written) = &self.written else { return Err(refused(path)) };
        let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(self.absolute(path), bytes.to_vec());
        Ok(())
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        if self.written.is_some() { Ok(()) } else { Err(refused(dir)) }
    }

    forward!(inner: is_ignored, holds_tracked, unread_ignores, env, env_with_prefix, home_dir, current_dir, now);
}

/// The server changes files through its client only.
fn refused(path: &Path) -> io::Error {
    let text = format!("{}: the language server writes no files", paths::display(path));
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change that comes while a walk is under way is seen by the next one.
    #[test]
    fn a_walk_that_began_before_a_change_is_not_kept() {
        let (walks, root, found) = (Walks::default(), PathBuf::from("/r"), Arc::new(Vec::new()));
        let (_, generation) = walks.find(&root, Extent::Own);
        walks.forget();
        walks.keep(root.clone(), Extent::Own, &found, generation);
        assert_eq!(walks.find(&root, Extent::Own).0, None);
        let (_, generation) = walks.find(&root, Extent::Own);
        walks.keep(root.clone(), Extent::Own, &found, generation);
        assert_eq!(walks.find(&root, Extent::Own).0, Some(found));
    }
}
