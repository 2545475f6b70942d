//! A [`System`] with walls: it reaches files below the run's roots, and no others.
//!
//! A checked tree comes from a stranger, who can put a symbolic link anywhere and name any path. Every
//! path is first resolved inside of its root, link by link, so that a link that leaves is reported with
//! its place. The file is then opened by a handle of the root that no link can leave (`cap-std`). So
//! exchanging a link between the check and the use gains nothing.

use std::{
    collections::HashMap,
    ffi::OsString,
    io::{self, Read},
    path::{Component, Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use super::{
    DirEntry, Enters, EntryKind, ExpectedContent, Refusal, System, Walls, atomic, forward, or_here,
    paths, walk,
};
use crate::walls::is_git_directory;
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, FileType, OpenOptions},
};

/// The longest path in bytes, as in Linux. Paths are resolved part by part, and a tree may name one with
/// millions of parts.
const MAX_PATH: usize = 4096;

/// An initial capacity that most files fit into.
const TYPICAL: usize = 8192;

/// The machine's files below some roots, its environment and its clock.
pub struct ConfinedSystem<'a> {
    /// The environment, the clock, and files that the user names.
    outside: &'a dyn System,
    current_dir: PathBuf,
    /// The trees with the longest names first.
    trees: Vec<Tree>,
    walls: Walls,
    ignoring: walk::Ignoring,
}

/// [`super::WalledDirectory`] with its root opened.
struct Tree {
    name: PathBuf,
    inside: PathBuf,
    root: Arc<Root>,
}

/// A directory that nothing can leave.
struct Root {
    /// Absolute, with links resolved.
    path: PathBuf,
    /// The run's current directory, from which paths are shown.
    current_dir: PathBuf,
    dir: Dir,
    /// Directories that were resolved before: as written, and without links. Both relative.
    known: RwLock<HashMap<PathBuf, PathBuf>>,
    listings: RwLock<Listings>,
}

impl<'a> ConfinedSystem<'a> {
    /// Opens the roots. Errors: one of them is not a directory, or cannot be opened.
    pub fn new(outside: &'a dyn System, walls: Walls) -> io::Result<ConfinedSystem<'a>> {
        let current_dir = outside.current_dir()?;
        let mut roots: HashMap<&Path, Arc<Root>> = HashMap::new();
        let mut trees = Vec::new();
        for tree in &walls.trees {
            let root = match roots.get(tree.root.as_path()) {
                Some(root) => Arc::clone(root),
                None => Arc::new(Root::open(&tree.root, &current_dir)?),
            };
            roots.insert(&tree.root, Arc::clone(&root));
            trees.push(Tree { name: tree.name.clone(), inside: tree.inside.clone(), root });
        }
        trees.sort_by_key(|it| std::cmp::Reverse(it.name.components().count()));
        let ignoring = walk::Ignoring::default();
        Ok(ConfinedSystem { outside, current_dir, trees, walls, ignoring })
    }

    /// The root of a path, and the path inside of it, lexically.
    fn locate(&self, path: &Path) -> io::Result<(&Root, PathBuf)> {
        let absolute = self.absolute(path);
        if absolute.as_os_str().len() > MAX_PATH {
            return Err(io::Error::new(io::ErrorKind::InvalidFilename, "the path is too long"));
        }
        for tree in &self.trees {
            if let Ok(below) = absolute.strip_prefix(&tree.name) {
                return Ok((&tree.root, tree.inside.join(below)));
            }
        }
        Err(Refusal::Outside { path: path.to_owned() }.into())
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        paths::clean(&self.current_dir.join(path))
    }

    /// Whether the user named this very file.
    fn is_named(&self, path: &Path) -> bool {
        !self.walls.named.is_empty() && self.walls.named.contains(&self.absolute(path))
    }
}

impl Root {
    fn open(path: &Path, current_dir: &Path) -> io::Result<Root> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())
            .map_err(|it| io::Error::new(it.kind(), format!("{}: {it}", paths::display(path))))?;
        let (path, current_dir) = (path.to_owned(), current_dir.to_owned());
        let (known, listings) = (RwLock::default(), RwLock::default());
        Ok(Root { path, current_dir, dir, known, listings })
    }

    /// A path inside of the root, as people and reports see it.
    fn shown(&self, inside: &Path) -> PathBuf {
        paths::relative(&self.current_dir, &self.path.join(inside))
    }

    /// Opens a file whose path has no links; a pipe does not block.
    fn open_plain(&self, path: &Path) -> io::Result<cap_std::fs::File> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        self.dir.open_with(path, &options)
    }

    /// Opens a file by its path as written.
    fn open_file(&self, path: &Path) -> io::Result<cap_std::fs::File> {
        // Hardly any file is a link: opening it as a plain file takes one call instead of two.
        let plain = self.beside(path)?;
        if let Some(Err(absent)) = self.known_kind(&plain) {
            return Err(absent);
        }
        match self.open_plain(&plain) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
            Err(_) if self.is_link(&plain) => self.open_plain(&self.resolve(path)?),
            other => other,
        }
    }

    fn is_link(&self, path: &Path) -> bool {
        self.dir.symlink_metadata(path).is_ok_and(|it| it.is_symlink())
    }
}

impl System for ConfinedSystem<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.is_named(path) {
            return self.outside.read_at_most(path, self.walls.max_file_size);
        }
        let (root, inside) = self.locate(path)?;
        read_whole(root.open_file(&inside)?.into_std(), self.walls.max_file_size)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let (root, inside) = self.locate(dir)?;
        Ok(root.entries(&root.directory(&inside)?)?.to_vec())
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        walk::walk(self, root, enters, self.walls.exclude.as_ref(), &self.ignoring)
    }

    fn is_ignored(&self, path: &Path) -> bool {
        walk::is_ignored(self, path, self.walls.exclude.as_ref(), &self.ignoring)
    }

    fn unread_ignores(&self) -> Vec<(PathBuf, u32)> {
        self.ignoring.unread()
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        if self.is_named(path) {
            return self.outside.kind(path);
        }
        let (root, inside) = self.locate(path)?;
        // The place where a repository begins is not secret.
        let real = if inside.ends_with(".git") {
            root.directory(inside.parent().unwrap_or(Path::new("")))?.join(".git")
        } else {
            let plain = root.beside(&inside)?;
            if root.known_kind(&plain).is_none() { root.resolve(&inside)? } else { plain }
        };
        if let Some(known) = root.known_kind(&real) {
            return known;
        }
        Ok(kind_of(root.dir.symlink_metadata(or_here(&real))?.file_type()))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let (root, inside) = self.locate(path)?;
        if let Some(known) = root.known_directory(&inside) {
            return Ok(paths::clean(&root.path.join(known)));
        }
        let real = root.resolve(&inside)?;
        root.dir.symlink_metadata(or_here(&real))?;
        Ok(paths::clean(&root.path.join(real)))
    }

    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        let (root, inside) = self.locate(path)?;
        root.write(&inside, path, expected, bytes)
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        let (root, inside) = self.locate(dir)?;
        root.make_directory(&inside)
    }

    forward!(outside: env, env_with_prefix, now);

    fn home_dir(&self) -> io::Result<Option<String>> {
        Err(Refusal::Outside { path: PathBuf::from("~") }.into())
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.current_dir.clone())
    }
}

/// All bytes of a file, which must be a regular one of at most `limit` bytes.
pub(super) fn read_whole(file: std::fs::File, limit: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(Refusal::NotRegular.into());
    }
    read_at_most(file, limit)
}

/// All bytes of a reader, at most `limit`.
pub(super) fn read_at_most(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(TYPICAL);
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Refusal::TooLarge { limit }.into());
    }
    // Many small files are kept.
    bytes.shrink_to_fit();
    Ok(bytes)
}

fn kind_of(it: FileType) -> EntryKind {
    EntryKind::of(it.is_file(), it.is_dir(), it.is_symlink())
}

// The listings of a root's directories: each is read once in a run.

/// The number of entries up to which a listing is kept.
const MAX_KEPT: usize = 1000;

impl Root {
    /// The entries of a directory whose path has no links, sorted by name. All but the largest listings
    /// are kept, since a module's directory is read when it is found, loaded and judged.
    fn entries(&self, real: &Path) -> io::Result<Arc<[DirEntry]>> {
        if let Some(known) = self.listed(real) {
            return Ok(known);
        }
        let mut entries = Vec::new();
        for entry in self.dir.read_dir(or_here(real))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.push(DirEntry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort();
        let entries: Arc<[DirEntry]> = entries.into();
        if entries.len() <= MAX_KEPT {
            let mut listings = self.listings.write().unwrap_or_else(PoisonError::into_inner);
            listings.insert(real.to_owned(), Arc::clone(&entries));
        }
        Ok(entries)
    }

    /// The kind of a path according to the listing of its directory; `None` if the path itself must be
    /// checked: for a link, and for a missing name where letter case may differ.
    fn known_kind(&self, real: &Path) -> Option<io::Result<EntryKind>> {
        let name = real.file_name()?.to_str()?;
        // The system has another error for what can be no name.
        if name.len() > MOST_OF_A_NAME || name.contains('\0') {
            return None;
        }
        let entries = self.listed(real.parent()?)?;
        match entries.binary_search_by(|it| it.name.as_str().cmp(name)) {
            Ok(at) => match entries[at].kind {
                kind @ (EntryKind::File | EntryKind::Directory) => Some(Ok(kind)),
                _ => None,
            },
            // In the words of the system, so that it makes no difference whether the directory was listed before.
            Err(_) if cfg!(target_os = "linux") => Some(Err(io::Error::from_raw_os_error(ENOENT))),
            Err(_) => None,
        }
    }

    /// Forgets a directory after a write in it.
    fn forget(&self, real: &Path) {
        self.listings.write().unwrap_or_else(PoisonError::into_inner).remove(real);
    }

    fn listed(&self, real: &Path) -> Option<Arc<[DirEntry]>> {
        let listings = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        listings.get(real).map(Arc::clone)
    }
}

/// The bytes of a name.
const MOST_OF_A_NAME: usize = 255;
/// "No such file or directory" of Linux.
const ENOENT: i32 = 2;

/// Directories by their paths relative to the root.
type Listings = std::collections::HashMap<PathBuf, Arc<[DirEntry]>>;

// Resolves symbolic links inside of a root, and reports a link that leaves it.

/// The limit for a chain of links, as in Linux.
const MAX_LINKS: usize = 40;

/// The unresolved parts of a path, the next one last.
#[derive(Default)]
struct Pending(Vec<Part>);

enum Part {
    Up,
    Name(OsString),
}

impl Pending {
    fn push(&mut self, path: &Path) {
        let parts = path.components().rev().filter_map(|it| match it {
            Component::Normal(name) => Some(Part::Name(name.to_owned())),
            Component::ParentDir => Some(Part::Up),
            _ => None,
        });
        self.0.extend(parts);
    }
}

impl Root {
    /// The path (relative to the root, like the result) without symbolic links; its last part need not
    /// exist. A link is followed if it is relative and stays inside.
    ///
    /// Errors: [`Refusal`] for a link that leaves, or a path into git's directory; a directory on the
    /// way does not exist.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let (mut real, mut pending) = (PathBuf::new(), Pending::default());
        pending.push(path);
        let mut links = 0;
        let mut last_link = None;
        while let Some(part) = pending.0.pop() {
            let name = match part {
                Part::Name(name) => name,
                Part::Up if real.pop() => continue,
                Part::Up => return Err(self.leaves(path, last_link)),
            };
            if name.to_str().is_some_and(is_git_directory) {
                return Err(Refusal::GitDirectory { path: self.shown(path) }.into());
            }
            let next = real.join(name);
            let is_last = pending.0.is_empty();
            let target = match self.dir.symlink_metadata(&next) {
                Ok(found) if found.is_symlink() => self.dir.read_link_contents(&next)?,
                Ok(_) => {
                    real = next;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound && is_last => {
                    return Ok(next);
                }
                Err(error) => return Err(error),
            };
            links += 1;
            if links > MAX_LINKS {
                let text = format!("too many symbolic links at {}", path.display());
                return Err(io::Error::other(text));
            }
            if target.has_root() || target.is_absolute() {
                return Err(Refusal::LinkIsAbsolute { link: self.shown(&next), target }.into());
            }
            pending.push(&target);
            last_link = Some((next, target));
        }
        Ok(real)
    }

    /// A directory whose path has no links; the answer is remembered.
    fn directory(&self, path: &Path) -> io::Result<PathBuf> {
        if path.as_os_str().is_empty() {
            return Ok(PathBuf::new());
        }
        if let Some(known) = self.known_directory(path) {
            return Ok(known);
        }
        // If the parent is known, only one part must be checked.
        let plain = self.beside(path)?;
        let real = match self.known_kind(&plain) {
            Some(known) => known.map(|_| plain)?,
            None if self.dir.symlink_metadata(or_here(&plain))?.is_symlink() => {
                self.resolve(path)?
            }
            None => plain,
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_owned(), real.clone());
        Ok(real)
    }

    /// A directory that was resolved before, without links.
    fn known_directory(&self, path: &Path) -> Option<PathBuf> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// The path with its directory resolved and its last name unchanged.
    fn beside(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(name) = path.file_name() else { return Ok(path.to_owned()) };
        if name.to_str().is_some_and(is_git_directory) {
            return Err(Refusal::GitDirectory { path: self.shown(path) }.into());
        }
        Ok(self.directory(path.parent().unwrap_or(Path::new("")))?.join(name))
    }

    fn leaves(&self, path: &Path, link: Option<(PathBuf, PathBuf)>) -> io::Error {
        let root = self.path.clone();
        match link {
            Some((link, target)) => {
                Refusal::LinkLeaves { link: self.shown(&link), target, root }.into()
            }
            None => Refusal::Outside { path: self.shown(path) }.into(),
        }
    }
}

// Writes inside of a root. No part of a written path may be a symbolic link.

impl Root {
    /// Replaces or creates a file. `shown` is its path as the caller has it.
    fn write(
        &self,
        inside: &Path,
        shown: &Path,
        expected: ExpectedContent<'_>,
        bytes: &[u8],
    ) -> io::Result<()> {
        let parent = inside.parent().unwrap_or(Path::new(""));
        let Some(name) = inside.file_name().filter(|it| it.to_str() != Some(".git")) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"));
        };
        let dir = self.descend(parent, false)?;
        match dir.symlink_metadata(name) {
            Ok(it) if it.is_symlink() => {
                Err(Refusal::WriteThroughLink { link: self.shown(inside) }.into())
            }
            Ok(it) if it.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(it) if !it.is_file() => Err(Refusal::NotRegular.into()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(_) | Err(_) => {
                atomic::replace(&dir, Path::new(name), shown, expected, bytes)?;
                self.forget(parent);
                Ok(())
            }
        }
    }

    /// Creates a directory and its parents.
    fn make_directory(&self, inside: &Path) -> io::Result<()> {
        self.descend(inside, true).map(drop)
    }

    /// Opens a directory part by part, so that no link is followed; with `create` missing ones are
    /// created.
    fn descend(&self, inside: &Path, create: bool) -> io::Result<Dir> {
        let (mut dir, mut way) = (self.dir.try_clone()?, std::path::PathBuf::new());
        for part in inside.components() {
            let Component::Normal(name) = part else { continue };
            way.push(name);
            if name.to_str().is_some_and(is_git_directory) {
                return Err(Refusal::GitDirectory { path: self.shown(inside) }.into());
            }
            if create && dir.symlink_metadata(name).is_err() {
                self.forget(way.parent().unwrap_or(Path::new("")));
                match dir.create_dir(name) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(error);
                    }
                    _ => (),
                }
            }
            if dir.symlink_metadata(name)?.is_symlink() {
                return Err(Refusal::WriteThroughLink { link: self.shown(&way) }.into());
            }
            dir = dir.open_dir_nofollow(name)?;
        }
        Ok(dir)
    }
}
