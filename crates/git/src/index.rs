//! A [`System`] that shows the work tree as the index holds it, so that unstaged edits neither
//! fail nor pass a commit.

use std::{
    collections::BTreeMap,
    io::{self, ErrorKind},
    ops::Bound,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use git2::{IndexEntry, Oid};

use super::{
    GitError, Repository,
    trees::{Directory, Held, LINK_MODE, Trees},
};
use system::{DirEntry, EntryKind, ExpectedContent, Refusal, System, forward, paths};

/// The mode of a submodule's entry.
const SUBMODULE_MODE: u32 = 0o160_000;

/// The bits of an entry's flags that distinguish the sides of a conflict.
const STAGE_MASK: u16 = 0x3000;
/// The bit of an entry's further flags that `git add --intent-to-add` sets.
const INTENT_TO_ADD: u16 = 1 << 13;

/// Whether a commit would hold the entry.
pub(super) fn is_committed(entry: &IndexEntry) -> bool {
    entry.flags_extended & INTENT_TO_ADD == 0
}

pub(super) fn is_link(entry: &IndexEntry) -> bool {
    entry.mode & 0o170_000 == LINK_MODE
}

/// Links that lead to links, as deep as Linux follows them.
const MAX_LINKS: usize = 40;

/// Inside the repository: the index, read-only. Outside of it: another system.
pub struct IndexSystem<'a> {
    outside: &'a dyn System,
    root: PathBuf,
    files: Files,
    blobs: Mutex<git2::Repository>,
}

/// The files, by path relative to the root.
enum Files {
    Index(BTreeMap<PathBuf, (Oid, EntryKind)>),
    Commit(Trees),
}

impl<'a> IndexSystem<'a> {
    /// Takes the index as it is now. Errors: it cannot be read, or has conflicts in it.
    pub fn new(repository: Repository, outside: &'a dyn System) -> Result<Self, GitError> {
        let mut entries = BTreeMap::new();
        for entry in repository.inner.index()?.iter() {
            if entry.flags & STAGE_MASK != 0 {
                let path = String::from_utf8_lossy(&entry.path).into_owned();
                return Err(GitError::Unmerged(path));
            }
            if !is_committed(&entry) {
                continue;
            }
            let kind = match entry.mode & 0o170_000 {
                SUBMODULE_MODE => continue,
                LINK_MODE => EntryKind::Symlink,
                _ => EntryKind::File,
            };
            let Ok(path) = String::from_utf8(entry.path) else { continue };
            entries.insert(PathBuf::from(path), (entry.id, kind));
        }
        let Repository { inner, root } = repository;
        let files = Files::Index(entries);
        Ok(IndexSystem { outside, root, files, blobs: Mutex::new(inner) })
    }

    /// The files of a commit. Errors: there is no such revision.
    pub fn at(
        repository: Repository,
        revision: &str,
        outside: &'a dyn System,
    ) -> Result<Self, GitError> {
        let root_tree = repository.commit(revision)?.tree_id();
        let files = Files::Commit(Trees::new(revision, root_tree));
        let Repository { inner, root } = repository;
        Ok(IndexSystem { outside, root, files, blobs: Mutex::new(inner) })
    }

    /// The path relative to the repository's root; `None` outside of it.
    fn inside(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        let absolute = paths::clean(&self.outside.current_dir()?.join(path));
        if let Ok(inside) = absolute.strip_prefix(&self.root) {
            return Ok(Some(inside.to_owned()));
        }
        // The way here may lead over a symbolic link that the root's own path has resolved.
        let resolved = self.outside.canonicalize(path).ok();
        let inside = resolved.and_then(|it| Some(it.strip_prefix(&self.root).ok()?.to_owned()));
        Ok(inside)
    }

    /// A file or a link.
    fn entry(&self, path: &Path) -> io::Result<Option<(Oid, EntryKind)>> {
        match &self.files {
            Files::Index(entries) => Ok(entries.get(path).copied()),
            Files::Commit(trees) => {
                let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
                    return Ok(None);
                };
                let dir = trees.directory(dir, &self.blobs)?;
                Ok(match dir.as_ref().zip(name.to_str()).and_then(|(dir, name)| dir.get(name)) {
                    Some(Held::File(id, kind)) => Some((*id, *kind)),
                    _ => None,
                })
            }
        }
    }

    fn is_directory(&self, path: &Path) -> io::Result<bool> {
        match &self.files {
            Files::Index(entries) => Ok(below(entries, path).next().is_some()),
            Files::Commit(trees) => Ok(trees.directory(path, &self.blobs)?.is_some()),
        }
    }

    /// Where a chain of links (relative to the root) ends, if that is in the index too.
    fn linked(&self, link: &Path) -> io::Result<Option<PathBuf>> {
        let mut at = link.to_owned();
        for _ in 0..MAX_LINKS {
            let Some((id, kind)) = self.entry(&at)? else {
                return Ok(self.is_directory(&at)?.then(|| self.root.join(at)));
            };
            if kind != EntryKind::Symlink {
                return Ok(Some(self.root.join(at)));
            }
            let target = PathBuf::from(String::from_utf8_lossy(&self.blob(id)?).into_owned());
            let place = paths::relative(&self.outside.current_dir()?, &self.root.join(&at));
            if target.has_root() {
                return Err(Refusal::LinkIsAbsolute { link: place, target }.into());
            }
            at = paths::clean(&at.parent().unwrap_or(Path::new("")).join(&target));
            if at.starts_with("..") {
                let root = self.root.clone();
                return Err(Refusal::LinkLeaves { link: place, target, root }.into());
            }
        }
        Err(io::Error::other(format!("{}: the symbolic links form a cycle", link.display())))
    }

    fn blob(&self, id: Oid) -> io::Result<Vec<u8>> {
        let repository = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        let blob = repository.find_blob(id).map_err(io::Error::other)?;
        Ok(blob.content().to_owned())
    }
}

impl System for IndexSystem<'_> {
    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        match self.entry(&self.inside(path).ok()??).ok()? {
            Some((id, EntryKind::File)) => id.as_bytes().try_into().ok(),
            _ => None,
        }
    }

    /// The size is known before a blob is read.
    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let Some(inside) = self.inside(path)? else {
            return self.outside.read_at_most(path, limit);
        };
        if let Some((id, EntryKind::File)) = self.entry(&inside)? {
            let repository = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
            let header = repository.odb().and_then(|it| it.read_header(id));
            if header.is_ok_and(|it| it.0 as u64 > limit) {
                return Err(Refusal::TooLarge { limit }.into());
            }
        }
        let bytes = self.read(path)?;
        if bytes.len() as u64 > limit { Err(Refusal::TooLarge { limit }.into()) } else { Ok(bytes) }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let Some(inside) = self.inside(path)? else { return self.outside.read(path) };
        match self.entry(&inside)? {
            Some((id, EntryKind::File)) => self.blob(id),
            Some(_) => match self.linked(&inside)? {
                Some(target) => self.read(&target),
                None => self.outside.read(path),
            },
            None => Err(not_staged(path)),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let Some(inside) = self.inside(dir)? else { return self.outside.list(dir) };
        let found: BTreeMap<String, EntryKind> = match &self.files {
            Files::Index(entries) => listed(entries, &inside),
            Files::Commit(trees) => {
                let found = trees.directory(&inside, &self.blobs)?;
                let found = found.ok_or_else(|| not_staged(dir))?;
                return Ok(of_directory(&found));
            }
        };
        if found.is_empty() && !inside.as_os_str().is_empty() {
            return Err(not_staged(dir));
        }
        Ok(found.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect())
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let Some(inside) = self.inside(path)? else { return self.outside.kind(path) };
        // The index does not say where a repository begins.
        if inside == Path::new(".git") {
            return self.outside.kind(path);
        }
        match self.entry(&inside)? {
            Some((_, EntryKind::File)) => Ok(EntryKind::File),
            Some(_) => match self.linked(&inside)? {
                Some(target) => self.kind(&target),
                None => self.outside.kind(path),
            },
            None if inside.as_os_str().is_empty() => Ok(EntryKind::Directory),
            None if self.is_directory(&inside)? => Ok(EntryKind::Directory),
            None => Err(not_staged(path)),
        }
    }

    /// Nothing else is here.
    fn holds_tracked(&self, dir: &Path) -> bool {
        matches!(self.kind(dir), Ok(EntryKind::Directory))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.outside.canonicalize(path)
    }

    fn replace(
        &self,
        path: &Path,
        _expected: ExpectedContent<'_>,
        _bytes: &[u8],
    ) -> io::Result<()> {
        let message = format!("{}: the index is not written to", path.display());
        Err(io::Error::new(ErrorKind::PermissionDenied, message))
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        self.replace(dir, ExpectedContent::Anything, b"")
    }

    forward!(outside: unread_ignores, is_ignored, env, env_with_prefix, home_dir, current_dir, now);
}

fn not_staged(path: &Path) -> io::Error {
    io::Error::new(ErrorKind::NotFound, format!("{} is not in the index", path.display()))
}

fn below<'b>(
    entries: &'b BTreeMap<PathBuf, (Oid, EntryKind)>,
    dir: &'b Path,
) -> impl Iterator<Item = (&'b PathBuf, EntryKind)> {
    let from = (Bound::Included(dir.to_owned()), Bound::Unbounded);
    let entries = entries.range::<PathBuf, _>(from);
    entries.take_while(move |(it, _)| it.starts_with(dir)).map(|(it, (_, kind))| (it, *kind))
}

/// What a directory holds, by name.
fn listed(
    entries: &BTreeMap<PathBuf, (Oid, EntryKind)>,
    dir: &Path,
) -> BTreeMap<String, EntryKind> {
    let mut found = BTreeMap::new();
    for (path, kind) in below(entries, dir) {
        let Ok(rest) = path.strip_prefix(dir) else { continue };
        let mut parts = rest.components();
        let Some(name) = parts.next().and_then(|it| it.as_os_str().to_str()) else { continue };
        let kind = if parts.next().is_some() { EntryKind::Directory } else { kind };
        found.insert(name.to_owned(), kind);
    }
    found
}

fn of_directory(directory: &Directory) -> Vec<DirEntry> {
    let entry = |(name, held): (&String, &Held)| {
        let kind = match held {
            Held::File(_, kind) => *kind,
            Held::Directory(_) => EntryKind::Directory,
        };
        DirEntry { name: name.clone(), kind }
    };
    directory.iter().map(entry).collect()
}
