//! A state of the files as callers see it: with some directories as they were.

use std::{
    io,
    path::{Path, PathBuf},
};

use system::{DirEntry, Enters, EntryKind, System, forward, paths};

/// Another system, in which some directories are replaced by other ones.
pub struct View<'a> {
    inner: &'a dyn System,
    current: PathBuf,
    /// The replaced directories (absolute), each with the system and directory in its place; the longest first.
    moved: Vec<(PathBuf, &'a dyn System, PathBuf)>,
}

impl<'a> View<'a> {
    /// A view in which nothing is replaced yet. Errors: there is no current directory.
    pub fn new(inner: &'a dyn System) -> io::Result<View<'a>> {
        Ok(View { inner, current: paths::clean(&inner.current_dir()?), moved: Vec::new() })
    }

    /// Replaces everything below a directory by everything below another one.
    pub fn with(mut self, dir: &Path, system: &'a dyn System, there: &Path) -> View<'a> {
        self.moved.push((self.absolute(dir), system, there.to_owned()));
        self.moved.sort_by_key(|it| std::cmp::Reverse(it.0.components().count()));
        self
    }

    pub fn absolute(&self, path: &Path) -> PathBuf {
        paths::clean(&self.current.join(path))
    }

    /// The system and the path that a path leads to.
    fn find(&self, path: &Path) -> (&dyn System, PathBuf) {
        let absolute = self.absolute(path);
        for (dir, system, there) in &self.moved {
            if let Ok(rest) = absolute.strip_prefix(dir) {
                return (*system, paths::clean(&there.join(rest)));
            }
        }
        (self.inner, path.to_owned())
    }
}

impl System for View<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let (system, path) = self.find(path);
        system.read(&path)
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let (system, path) = self.find(path);
        system.read_at_most(&path, limit)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let (system, dir) = self.find(dir);
        system.list(&dir)
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        let (system, root) = self.find(root);
        system.walk(&root, enters)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let (system, path) = self.find(path);
        system.kind(&path)
    }

    forward!(inner: unread_ignores, canonicalize, replace, create_dir_all, env, env_with_prefix, home_dir,
        current_dir, now);
}
