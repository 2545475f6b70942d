//! Writes inside of a root. No part of a written path may be a symbolic link.

use std::{
    io,
    path::{Component, Path},
};

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

use super::Root;
use crate::{ExpectedContent, Refusal, atomic, walls::is_git_directory};

impl Root {
    /// Replaces or creates a file. `shown` is its path as the caller has it.
    pub(super) fn write(
        &self,
        inside: &Path,
        shown: &Path,
        expected: ExpectedContent<'_>,
        bytes: &[u8],
    ) -> io::Result<()> {
        let parent = inside.parent().unwrap_or(Path::new(""));
        let Some(name) = inside.file_name().filter(|it| it.to_str() != Some(".git")) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"));
        };
        let dir = self.descend(parent, false)?;
        match dir.symlink_metadata(name) {
            Ok(it) if it.is_symlink() => {
                Err(Refusal::WriteThroughLink { link: self.shown(inside) }.into())
            }
            Ok(it) if it.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(it) if !it.is_file() => Err(Refusal::NotRegular.into()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(_) | Err(_) => {
                atomic::replace(&dir, Path::new(name), shown, (expected, bytes))?;
                self.forget(parent);
                Ok(())
            }
        }
    }

    /// Creates a directory and its parents.
    pub(super) fn make_directory(&self, inside: &Path) -> io::Result<()> {
        self.descend(inside, true).map(drop)
    }

    /// Opens a directory part by part, so that no link is followed; with `create` missing ones are
    /// created.
    fn descend(&self, inside: &Path, create: bool) -> io::Result<Dir> {
        let (mut dir, mut way) = (self.dir.try_clone()?, std::path::PathBuf::new());
        for part in inside.components() {
            let Component::Normal(name) = part else { continue };
            way.push(name);
            if name.to_str().is_some_and(is_git_directory) {
                return Err(Refusal::GitDirectory { path: self.shown(inside) }.into());
            }
            if create && dir.symlink_metadata(name).is_err() {
                self.forget(way.parent().unwrap_or(Path::new("")));
                match dir.create_dir(name) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(error);
                    }
                    _ => (),
                }
            }
            if dir.symlink_metadata(name)?.is_symlink() {
                return Err(Refusal::WriteThroughLink { link: self.shown(&way) }.into());
            }
            dir = dir.open_dir_nofollow(name)?;
        }
        Ok(dir)
    }
}
