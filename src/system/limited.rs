//! Another system that reads no file beyond a bound of its own.

use std::{
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{ConfinedSystem, Enters, Entry, EntryKind, System, Walls};

/// Another system, and the bytes of the largest file that is read from it.
pub struct LimitedSystem<'a> {
    inner: &'a dyn System,
    max_file_size: u64,
}

impl<'a> LimitedSystem<'a> {
    pub fn new(inner: &'a dyn System, max_file_size: u64) -> LimitedSystem<'a> {
        LimitedSystem { inner, max_file_size }
    }
}

impl System for LimitedSystem<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.inner.read_at_most(path, self.max_file_size)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        self.inner.list(dir)
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        self.inner.walk(root, enters)
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

    fn home_dir(&self) -> io::Result<Option<String>> {
        self.inner.home_dir()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        self.inner.current_dir()
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }

    fn confine(&self, walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        self.inner.confine(walls)
    }
}
