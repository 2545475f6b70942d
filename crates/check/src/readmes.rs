//! The READMEs of a run, each read once, and the names of the repositories.

mod address;
mod fences;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use self::fences::fences;
use system::{System, paths};

pub(super) use self::{
    address::{Identity, Named, of_remote},
    fences::Fence,
};

/// The names of a README, by which it is looked for.
const NAMES: [&str; 2] = ["README.md", "readme.md"];

/// Whether a file of this name may hold code that is judged.
pub(super) fn is_readme(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The READMEs of a run, each read once, and the names of the repositories.
#[derive(Default)]
pub(super) struct Readmes {
    known: Mutex<HashMap<PathBuf, Option<Arc<Readme>>>>,
    identities: Mutex<HashMap<PathBuf, Arc<Identity>>>,
}

/// A file with fenced code that may be about a module.
pub(super) struct Readme {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub fences: Vec<Fence>,
}

impl Readmes {
    /// The README of a directory; `None` if it has none with code to judge.
    pub fn of(&self, dir: &Path, system: &dyn System) -> Option<Arc<Readme>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known().get(dir) {
            return it.clone();
        }
        let read = |name: &&str| {
            let path = paths::clean(&dir.join(name));
            let bytes = system.read(&path).ok()?;
            let fences = std::str::from_utf8(&bytes).map(fences).unwrap_or_default();
            Some(Readme { path, bytes, fences })
        };
        let found = NAMES.iter().find_map(read).filter(|it| !it.fences.is_empty()).map(Arc::new);
        known().insert(dir.to_owned(), found.clone());
        found
    }

    /// The names of the repository that a directory (absolute) is in. `remotes` are the URLs of those of each.
    pub fn identity(
        &self,
        dir: &Path,
        remotes: &BTreeMap<PathBuf, Vec<String>>,
        system: &dyn System,
    ) -> Arc<Identity> {
        let known = || self.identities.lock().unwrap_or_else(PoisonError::into_inner);
        let root = address::root(dir, system);
        if let Some(it) = known().get(&root) {
            return Arc::clone(it);
        }
        let real = system.canonicalize(&root).unwrap_or_else(|_| root.clone());
        let urls = remotes.get(&real).map(Vec::as_slice).unwrap_or_default();
        let found = Arc::new(Identity::of(root.clone(), urls));
        known().insert(root, Arc::clone(&found));
        found
    }
}
