//! Resolves symbolic links inside of a root, and reports a link that leaves it.

use std::{
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
    sync::PoisonError,
};

use super::{Root, or_here};
use crate::{Refusal, walls::is_git_directory};

/// The limit for a chain of links, as in Linux.
const MAX_LINKS: usize = 40;

/// The unresolved parts of a path, the next one last.
#[derive(Default)]
struct Pending(Vec<Part>);

enum Part {
    Up,
    Name(OsString),
}

impl Pending {
    fn push(&mut self, path: &Path) {
        let parts = path.components().rev().filter_map(|it| match it {
            Component::Normal(name) => Some(Part::Name(name.to_owned())),
            Component::ParentDir => Some(Part::Up),
            _ => None,
        });
        self.0.extend(parts);
    }
}

impl Root {
    /// The path (relative to the root, like the result) without symbolic links; its last part need not
    /// exist. A link is followed if it is relative and stays inside.
    ///
    /// Errors: [`Refusal`] for a link that leaves, or a path into git's directory; a directory on the
    /// way does not exist.
    pub(super) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let (mut real, mut pending) = (PathBuf::new(), Pending::default());
        pending.push(path);
        let mut links = 0;
        let mut last_link = None;
        while let Some(part) = pending.0.pop() {
            let name = match part {
                Part::Name(name) => name,
                Part::Up if real.pop() => continue,
                Part::Up => return Err(self.leaves(path, last_link)),
            };
            if name.to_str().is_some_and(is_git_directory) {
                return Err(Refusal::GitDirectory { path: self.shown(path) }.into());
            }
            let next = real.join(name);
            let is_last = pending.0.is_empty();
            let target = match self.dir.symlink_metadata(&next) {
                Ok(found) if found.is_symlink() => self.dir.read_link_contents(&next)?,
                Ok(_) => {
                    real = next;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound && is_last => {
                    return Ok(next);
                }
                Err(error) => return Err(error),
            };
            links += 1;
            if links > MAX_LINKS {
                let text = format!("too many symbolic links at {}", path.display());
                return Err(io::Error::other(text));
            }
            if target.has_root() || target.is_absolute() {
                return Err(Refusal::LinkIsAbsolute { link: self.shown(&next), target }.into());
            }
            pending.push(&target);
            last_link = Some((next, target));
        }
        Ok(real)
    }

    /// A directory whose path has no links; the answer is remembered.
    pub(super) fn directory(&self, path: &Path) -> io::Result<PathBuf> {
        if path.as_os_str().is_empty() {
            return Ok(PathBuf::new());
        }
        if let Some(known) = self.known_directory(path) {
            return Ok(known);
        }
        // If the parent is known, only one part must be checked.
        let plain = self.beside(path)?;
        let real = match self.known_kind(&plain) {
            Some(known) => known.map(|_| plain)?,
            None if self.dir.symlink_metadata(or_here(&plain))?.is_symlink() => {
                self.resolve(path)?
            }
            None => plain,
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_owned(), real.clone());
        Ok(real)
    }

    /// A directory that was resolved before, without links.
    pub(super) fn known_directory(&self, path: &Path) -> Option<PathBuf> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// The path with its directory resolved and its last name unchanged.
    pub(super) fn beside(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(name) = path.file_name() else { return Ok(path.to_owned()) };
        if name.to_str().is_some_and(is_git_directory) {
            return Err(Refusal::GitDirectory { path: self.shown(path) }.into());
        }
        Ok(self.directory(path.parent().unwrap_or(Path::new("")))?.join(name))
    }

    fn leaves(&self, path: &Path, link: Option<(PathBuf, PathBuf)>) -> io::Error {
        let root = self.path.clone();
        match link {
            Some((link, target)) => {
                Refusal::LinkLeaves { link: self.shown(&link), target, root }.into()
            }
            None => Refusal::Outside { path: self.shown(path) }.into(),
        }
    }
}
