//! The listings of a root's directories: each is read once in a run.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use super::{Root, kind_of, or_here};
use crate::{DirEntry, EntryKind};

/// The number of entries up to which a listing is kept.
const MAX_KEPT: usize = 1000;

impl Root {
    /// The entries of a directory whose path has no links, sorted by name. All but the largest listings
    /// are kept, since a module's directory is read when it is found, loaded and judged.
    pub(super) fn entries(&self, real: &Path) -> io::Result<Arc<[DirEntry]>> {
        if let Some(known) = self.listed(real) {
            return Ok(known);
        }
        let mut entries = Vec::new();
        for entry in self.dir.read_dir(or_here(real))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.push(DirEntry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort();
        let entries: Arc<[DirEntry]> = entries.into();
        if entries.len() <= MAX_KEPT {
            let mut listings = self.listings.write().unwrap_or_else(PoisonError::into_inner);
            listings.insert(real.to_owned(), Arc::clone(&entries));
        }
        Ok(entries)
    }

    /// The kind of a path according to the listing of its directory; `None` if the path itself must be
    /// checked: for a link, and for a missing name where letter case may differ.
    pub(super) fn known_kind(&self, real: &Path) -> Option<io::Result<EntryKind>> {
        let name = real.file_name()?.to_str()?;
        // The system has another error for what can be no name.
        if name.len() > MOST_OF_A_NAME || name.contains('\0') {
            return None;
        }
        let entries = self.listed(real.parent()?)?;
        match entries.binary_search_by(|it| it.name.as_str().cmp(name)) {
            Ok(at) => match entries[at].kind {
                kind @ (EntryKind::File | EntryKind::Directory) => Some(Ok(kind)),
                _ => None,
            },
            // In the words of the system, so that it makes no difference whether the directory was listed before.
            Err(_) if cfg!(target_os = "linux") => Some(Err(io::Error::from_raw_os_error(ENOENT))),
            Err(_) => None,
        }
    }

    /// Forgets a directory after a write in it.
    pub(super) fn forget(&self, real: &Path) {
        self.listings.write().unwrap_or_else(PoisonError::into_inner).remove(real);
    }

    fn listed(&self, real: &Path) -> Option<Arc<[DirEntry]>> {
        let listings = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        listings.get(real).map(Arc::clone)
    }
}

/// The bytes of a name.
const MOST_OF_A_NAME: usize = 255;
/// "No such file or directory" of Linux.
const ENOENT: i32 = 2;

/// Directories by their paths relative to the root.
pub(super) type Listings = std::collections::HashMap<PathBuf, Arc<[DirEntry]>>;
