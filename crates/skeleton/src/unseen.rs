//! What the walls hide: a system that notes what it does not look at, and can act as if none of it existed.

use std::{
    collections::BTreeSet,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use system::{DirEntry, Enters, EntryKind, Refusal, System, forward, paths};

/// The home directory of a system that must not know it: no file is there.
const HOME: &str = "/~";

/// Another system, with the paths that it refuses to look at.
pub struct Unseen<'s> {
    inner: &'s dyn System,
    /// Whether nothing exists at these paths; else they stay refused, and what depends on them undecided.
    is_absent: bool,
    paths: Mutex<BTreeSet<String>>,
}

impl<'s> Unseen<'s> {
    pub fn noting(inner: &'s dyn System) -> Unseen<'s> {
        Unseen { inner, is_absent: false, paths: Mutex::default() }
    }

    pub fn absent(inner: &'s dyn System) -> Unseen<'s> {
        Unseen { inner, is_absent: true, paths: Mutex::default() }
    }

    /// The paths that nobody looked at, as shown.
    pub fn into_paths(self) -> BTreeSet<String> {
        self.paths.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, path: &Path) {
        let shown = paths::display(path);
        let shown = shown.strip_prefix('/').filter(|it| it.starts_with('~')).unwrap_or(&shown);
        let mut all = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(shown.to_owned());
    }

    fn answer<T>(&self, path: &Path, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            if !Refusal::of(&error).is_some_and(Refusal::leaves_unknown) {
                return error;
            }
            self.note(path);
            if self.is_absent { ErrorKind::NotFound.into() } else { error }
        })
    }
}

impl System for Unseen<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.answer(path, self.inner.read(path))
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.answer(path, self.inner.read_at_most(path, limit))
    }

    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        self.inner.content_id(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.answer(dir, self.inner.list(dir))
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        self.answer(root, self.inner.walk(root, enters))
    }

    fn walk_all(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        self.answer(root, self.inner.walk_all(root))
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        self.answer(path, self.inner.kind(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.answer(path, self.inner.canonicalize(path))
    }

    fn home_dir(&self) -> io::Result<Option<String>> {
        match self.inner.home_dir() {
            Err(error) if Refusal::of(&error).is_some_and(Refusal::leaves_unknown) => {
                if self.is_absent {
                    return Ok(Some(HOME.to_owned()));
                }
                self.note(Path::new("~"));
                Err(error)
            }
            other => other,
        }
    }

    forward!(inner: unread_ignores, is_ignored, holds_tracked, replace, create_dir_all, env,
        env_with_prefix, current_dir, now);
}
