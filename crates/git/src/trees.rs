//! The files of a commit. A directory is read when it is asked for.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use git2::Oid;

use system::EntryKind;

/// The most files of a commit.
const MAX_FILES: usize = 2_000_000;

/// The longest path in bytes, as on Linux: no work tree can hold a longer one. A commit may have thousands of
/// directories in one another, and each path is looked up by its parts.
const MAX_PATH: usize = 4096;

/// The mode of a symbolic link's entry.
pub(super) const LINK_MODE: u32 = 0o120_000;

/// What a directory holds. A name that is not a text is left out, together with what is below it.
pub(super) type Directory = BTreeMap<String, Held>;

#[derive(Clone, Copy, Debug)]
pub(super) enum Held {
    File(Oid, EntryKind),
    Directory(Oid),
}

/// The directories of a commit that were asked for, by path; `None` where there is none.
pub(super) struct Trees {
    revision: String,
    root: Oid,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    directories: HashMap<PathBuf, Option<Arc<Directory>>>,
    /// Each tree once, in however many directories it is.
    trees: HashMap<Oid, Arc<Directory>>,
    /// Trees may hold one another more often than anybody can count.
    entries: usize,
}

impl Trees {
    pub fn new(revision: &str, root: Oid) -> Trees {
        Trees { revision: revision.to_owned(), root, known: Mutex::default() }
    }

    /// A directory. Errors: the commit has too many files or a path that is too long, or its trees cannot be read.
    pub fn directory(
        &self,
        path: &Path,
        repository: &Mutex<git2::Repository>,
    ) -> io::Result<Option<Arc<Directory>>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known().directories.get(path) {
            return Ok(it.clone());
        }
        if path.as_os_str().len() > MAX_PATH {
            let text = format!("{} has a path of more than {MAX_PATH} bytes", self.revision);
            return Err(io::Error::other(text));
        }
        // From the nearest one that is known on. Paths are as deep as somebody wrote them, and a walk asks for each.
        let mut last: Option<Arc<Directory>> = None;
        let mut ways: Vec<&Path> = Vec::new();
        for way in path.ancestors() {
            if let Some(it) = known().directories.get(way) {
                last.clone_from(it);
                break;
            }
            ways.push(way);
        }
        for way in ways.into_iter().rev() {
            let before = last.take();
            let name = way.file_name().and_then(|it| it.to_str());
            let id = match (name, before) {
                (None, _) => Some(self.root),
                (Some(name), Some(before)) => match before.get(name) {
                    Some(Held::Directory(id)) => Some(*id),
                    _ => None,
                },
                (Some(_), None) => None,
            };
            last = id.map(|id| self.read(id, repository)).transpose()?;
            known().directories.insert(way.to_owned(), last.clone());
        }
        Ok(last)
    }

    fn read(&self, id: Oid, repository: &Mutex<git2::Repository>) -> io::Result<Arc<Directory>> {
        let repository = repository.lock().unwrap_or_else(PoisonError::into_inner);
        let tree = repository.find_tree(id).map_err(io::Error::other)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entries += tree.len();
        if known.entries >= MAX_FILES {
            let text = format!("{} has more than {MAX_FILES} files", self.revision);
            return Err(io::Error::other(text));
        }
        if let Some(it) = known.trees.get(&id) {
            return Ok(Arc::clone(it));
        }
        let mut out = Directory::new();
        for entry in &tree {
            let Ok(name) = entry.name() else { continue };
            let held = match entry.filemode().cast_unsigned() & 0o170_000 {
                LINK_MODE => Held::File(entry.id(), EntryKind::Symlink),
                0o100_000 => Held::File(entry.id(), EntryKind::File),
                0o040_000 => Held::Directory(entry.id()),
                _ => continue,
            };
            out.insert(name.to_owned(), held);
        }
        let out = Arc::new(out);
        known.trees.insert(id, Arc::clone(&out));
        Ok(out)
    }
}
