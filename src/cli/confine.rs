//! Runs a command behind walls: nothing outside of the run's root is read, listed or written, but for
//! what the user names.

use std::path::{Path, PathBuf};

use crate::{
    git,
    system::{System, paths},
};

/// Gives `work` the system with walls around what is named (nothing is the current directory), or
/// around `root`. `files` are those that the user names, wherever they lie.
///
/// Errors: a repository that git refuses, a root that cannot be opened, and what `work` says.
pub(super) fn with_walls<T>(
    system: &dyn System,
    named: &[PathBuf],
    root: Option<&Path>,
    files: &[PathBuf],
    work: impl FnOnce(&dyn System) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut walls = git::walls(system, named, root)?;
    let current_dir = system.current_dir()?;
    walls.named = files.iter().map(|it| paths::clean(&current_dir.join(it))).collect();
    match system.confine(walls)? {
        Some(confined) => work(&confined),
        None => work(system),
    }
}
