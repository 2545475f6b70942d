//! A [`System`] with walls: it reaches files below the run's roots, and no others.
//!
//! A checked tree comes from a stranger, who can put a symbolic link anywhere and name any path. Every
//! path is first resolved inside of its root, link by link, so that a link that leaves is reported with
//! its place. The file is then opened by a handle of the root that no link can leave (`cap-std`). So
//! exchanging a link between the check and the use gains nothing.

mod listing;
mod resolve;
mod write;

use std::{
    collections::HashMap,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, RwLock},
};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, FileType, OpenOptions},
};

use self::listing::Listings;
use super::{
    DirEntry, Enters, EntryKind, ExpectedContent, Refusal, System, Walls, forward, or_here, paths,
    walk,
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
