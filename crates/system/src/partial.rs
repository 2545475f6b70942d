//! A tree in which files may be missing that are there elsewhere.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

#[cfg(not(target_family = "wasm"))]
use super::{ConfinedSystem, Walls};
use super::{DirEntry, EntryKind, Refusal, System, forward};

/// Another system that may lack files: whether something exists that it does not have, nobody knows.
///
/// ```
/// use std::path::Path;
/// use system::{MemorySystem, PartialSystem, Refusal, System};
///
/// let files = MemorySystem::new().file("a.pem", "");
/// let partial = PartialSystem::new(&files);
/// assert!(partial.read(Path::new("a.pem")).is_ok());
/// let error = partial.kind(Path::new("b.pem")).unwrap_err();
/// assert_eq!(Refusal::of(&error), Some(&Refusal::Denied));
/// ```
pub struct PartialSystem<'a> {
    inner: &'a dyn System,
}

impl<'a> PartialSystem<'a> {
    pub fn new(inner: &'a dyn System) -> PartialSystem<'a> {
        PartialSystem { inner }
    }
}

/// The answer, where something that does not exist is something that nobody may see.
fn open<T>(answer: io::Result<T>) -> io::Result<T> {
    answer.map_err(|it| match it.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Refusal::Denied.into(),
        _ => it,
    })
}

impl System for PartialSystem<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        open(self.inner.read(path))
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        open(self.inner.read_at_most(path, limit))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        open(self.inner.list(dir))
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        open(self.inner.kind(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        open(self.inner.canonicalize(path))
    }

    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        self.inner.content_id(path)
    }

    forward!(inner: unread_ignores, walk, walk_all, is_ignored, holds_tracked, replace, create_dir_all, env, env_with_prefix,
        home_dir, current_dir, now);

    #[cfg(not(target_family = "wasm"))]
    fn confine(&self, walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        self.inner.confine(walls)
    }
}
