//! A [`System`] that refuses everything: for evaluations that must not depend on the world.

use std::{
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{DirEntry, EntryKind, ExpectedContent, Refusal, System};

/// A system whose files cannot be read, listed or written, and whose clock shows the epoch.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeniedSystem;

fn denied<T>() -> io::Result<T> {
    Err(Refusal::Denied.into())
}

impl System for DeniedSystem {
    fn read(&self, _path: &Path) -> io::Result<Vec<u8>> {
        denied()
    }

    fn list(&self, _dir: &Path) -> io::Result<Vec<DirEntry>> {
        denied()
    }

    fn kind(&self, _path: &Path) -> io::Result<EntryKind> {
        denied()
    }

    fn canonicalize(&self, _path: &Path) -> io::Result<PathBuf> {
        denied()
    }

    fn replace(
        &self,
        _path: &Path,
        _expected: ExpectedContent<'_>,
        _bytes: &[u8],
    ) -> io::Result<()> {
        denied()
    }

    fn create_dir_all(&self, _dir: &Path) -> io::Result<()> {
        denied()
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }

    fn env_with_prefix(&self, _prefix: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        denied()
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
}
