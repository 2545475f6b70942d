//! Limits the size of files that are read from another system.

use std::{io, path::Path};

#[cfg(not(target_family = "wasm"))]
use super::{ConfinedSystem, Walls};
use super::{System, forward};

/// Another system, with the largest file in bytes that is read from it.
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

    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        self.inner.content_id(path)
    }

    forward!(inner: unread_ignores, state_of, list, walk, walk_all, is_ignored, holds_tracked, kind, canonicalize, replace,
        create_dir_all, env, env_with_prefix, home_dir, current_dir, now);

    #[cfg(not(target_family = "wasm"))]
    fn confine(&self, walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        self.inner.confine(walls)
    }
}
