//! What stands in the directories of a root: each is listed once in a run.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use super::{Root, kind_of, or_here};
use crate::system::{Entry, EntryKind};

/// Larger listings are not kept.
const MAX_KEPT: usize = 1000;

impl Root {
    /// The entries of a directory without links in its path, sorted by name. Every one but the largest
    /// is kept: a module's directory is looked at when it is found, loaded and judged.
    pub(super) fn entries(&self, real: &Path) -> io::Result<Arc<[Entry]>> {
        if let Some(known) = self.listed(real) {
            return Ok(known);
        }
        let mut entries = Vec::new();
        for entry in self.dir.read_dir(or_here(real))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.push(Entry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort();
        let entries: Arc<[Entry]> = entries.into();
        if entries.len() <= MAX_KEPT {
            let mut listings = self.listings.write().unwrap_or_else(PoisonError::into_inner);
            listings.insert(real.to_owned(), Arc::clone(&entries));
        }
        Ok(entries)
    }

    /// What is known of a path from the listing of its directory: `None` where it has to be looked at.
    /// A link, and what is not there where names differ in letter case, is looked at.
    pub(super) fn known_kind(&self, real: &Path) -> Option<io::Result<EntryKind>> {
        let name = real.file_name()?.to_str()?;
        let entries = self.listed(real.parent()?)?;
        match entries.binary_search_by(|it| it.name.as_str().cmp(name)) {
            Ok(at) => match entries[at].kind {
                kind @ (EntryKind::File | EntryKind::Directory) => Some(Ok(kind)),
                _ => None,
            },
            Err(_) if cfg!(target_os = "linux") => Some(Err(io::ErrorKind::NotFound.into())),
            Err(_) => None,
        }
    }

    /// Forgets a directory in which something was written.
    pub(super) fn forget(&self, real: &Path) {
        self.listings.write().unwrap_or_else(PoisonError::into_inner).remove(real);
    }

    fn listed(&self, real: &Path) -> Option<Arc<[Entry]>> {
        let listings = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        listings.get(real).map(Arc::clone)
    }
}

/// Directories by their paths relative to the root.
pub(super) type Listings = std::collections::HashMap<PathBuf, Arc<[Entry]>>;
