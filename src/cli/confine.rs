//! Runs a command behind walls: nothing outside of the run's root is read, listed or written, except
//! files that the user names.

use std::path::{Path, PathBuf};

use crate::{
    git,
    system::{LimitedSystem, System, paths},
};

/// The part of a command line that sets up the walls.
pub(super) struct Asked<'a> {
    /// The paths to work on; the current directory if empty.
    pub named: &'a [PathBuf],
    /// `--root`.
    pub root: Option<&'a Path>,
    /// Files that the user names, wherever they are.
    pub files: &'a [PathBuf],
    /// Bytes of the largest file that is read.
    pub max_file_size: u64,
}

/// Runs `work` with a system whose walls are around the named paths, or around the requested root.
///
/// Errors: a repository that git refuses, a root that cannot be opened, and the errors of `work`.
pub(super) fn with_walls<T>(
    system: &dyn System,
    asked: &Asked<'_>,
    work: impl FnOnce(&dyn System) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let current_dir = system.current_dir()?;
    let mut walls = git::walls(system, asked.named, asked.root)?;
    walls.named = asked.files.iter().map(|it| paths::clean(&current_dir.join(it))).collect();
    walls.max_file_size = asked.max_file_size;
    match system.confine(walls)? {
        Some(confined) => work(&confined),
        None => work(&LimitedSystem::new(system, asked.max_file_size)),
    }
}
