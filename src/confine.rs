//! Runs a command behind walls: nothing outside of the run's root is read, listed or written, except
//! files that the user names.

use std::path::{Path, PathBuf};

use system::{EntryKind, LimitedSystem, System, WalledDirectory, Walls, paths};

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
    within(system, asked, git::walls(system, asked.named, asked.root)?, work)
}

/// Like [`with_walls`], for what a person has named to be read: a repository of another owner is fine.
pub(super) fn with_walls_for_reading<T>(
    system: &dyn System,
    asked: &Asked<'_>,
    work: impl FnOnce(&dyn System) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let walls = match git::walls(system, asked.named, asked.root) {
        Ok(it) => it,
        Err(_) => plain_walls(system, asked.named)?,
    };
    within(system, asked, walls, work)
}

/// Walls around the work tree of each path or, outside of any, around its directory, with any owner.
fn plain_walls(system: &dyn System, named: &[PathBuf]) -> anyhow::Result<Walls> {
    let current_dir = system.current_dir()?;
    let mut walls = Walls::default();
    for path in named {
        let name = paths::clean(&current_dir.join(path));
        let real = system.canonicalize(&name).unwrap_or_else(|_| name.clone());
        let is_directory = matches!(system.kind(&real), Ok(EntryKind::Directory));
        let dir = if is_directory { real.as_path() } else { real.parent().unwrap_or(&real) };
        let work_tree = dir.ancestors().find(|it| system.kind(&it.join(".git")).is_ok());
        let root = work_tree.unwrap_or(dir);
        walls.trees.extend(Walls::around(root).trees);
        if let (true, Ok(inside)) = (name != real, real.strip_prefix(root)) {
            walls.trees.push(WalledDirectory {
                name,
                root: root.to_owned(),
                inside: inside.to_owned(),
            });
        }
    }
    Ok(walls)
}

fn within<T>(
    system: &dyn System,
    asked: &Asked<'_>,
    mut walls: Walls,
    work: impl FnOnce(&dyn System) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let current_dir = system.current_dir()?;
    walls.named = asked.files.iter().map(|it| paths::clean(&current_dir.join(it))).collect();
    walls.max_file_size = asked.max_file_size;
    match system.confine(walls)? {
        Some(confined) => work(&confined),
        None => work(&LimitedSystem::new(system, asked.max_file_size)),
    }
}
