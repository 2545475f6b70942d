//! Which modules a change touches.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Directories, FileRole};
use crate::{
    config::{Configurations, FILE_NAME},
    system::{System, paths},
};

/// Paths that changed: edited, added, deleted, and both names of renamed ones.
pub(super) struct Changed<'a> {
    system: &'a dyn System,
    current_dir: PathBuf,
    /// Absolute.
    paths: &'a [PathBuf],
    /// The configuration that governs everything, if one changed that does.
    everything: bool,
}

impl<'a> Changed<'a> {
    pub fn new(
        system: &'a dyn System,
        changed: &'a [PathBuf],
        config_file: Option<&Path>,
    ) -> io::Result<Self> {
        let current_dir = system.current_dir()?;
        let config = config_file.map(|it| paths::clean(&current_dir.join(it)));
        let everything = config.is_some_and(|it| changed.contains(&it));
        Ok(Changed { system, current_dir, paths: changed, everything })
    }

    /// Keeps the directories that a change touches: by a file in the module, its schema, an input
    /// that belongs to it, or a configuration that governs it.
    pub fn select(&self, found: Directories, configurations: &Configurations<'_>) -> Directories {
        if self.everything {
            return found;
        }
        let dirs: Vec<PathBuf> = found.keys().map(|it| self.absolute(it)).collect();
        let touched = |dir: &Path| {
            let settings = configurations.settings(dir);
            let schema = paths::clean(&dir.join(&settings.schema_file));
            self.paths.iter().any(|it| {
                *it == schema
                    || is_configuration_of(it, dir)
                    || settings.inputs.iter().any(|input| input.names(it))
                    || belongs(it, dir, &dirs)
            })
        };
        found.into_iter().zip(&dirs).filter(|(_, dir)| touched(dir)).map(|(it, _)| it).collect()
    }

    /// A directory as git knows it: a link on the way is followed.
    fn absolute(&self, dir: &Path) -> PathBuf {
        let plain = paths::clean(&self.current_dir.join(dir));
        self.system.canonicalize(&plain).unwrap_or(plain)
    }
}

fn is_configuration_of(file: &Path, dir: &Path) -> bool {
    file.file_name().is_some_and(|it| it == FILE_NAME)
        && file.parent().is_some_and(|it| dir.starts_with(it))
}

/// Whether a file is in a module: no other module's directory is nearer. Values files may belong to
/// any module further up, since nearer ones may declare no variables.
fn belongs(file: &Path, dir: &Path, dirs: &[PathBuf]) -> bool {
    if !file.starts_with(dir) {
        return false;
    }
    let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let is_nearer = |it: &&PathBuf| file.starts_with(it) && it.starts_with(dir) && *it != dir;
    FileRole::of(name) == FileRole::Values || !dirs.iter().any(|it| is_nearer(&it))
}
