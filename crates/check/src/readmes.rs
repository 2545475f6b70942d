//! The READMEs of a run, each read once, and the names of the repositories.

mod address;
mod fences;

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use self::{
    address::{Identity, of_remote},
    fences::fences,
};
use super::{Remotes, mentions::is_local};
use system::{System, paths};

pub(super) use self::{address::Named, fences::Fence};

/// The names of a README, by which it is looked for.
const NAMES: [&str; 3] = ["README.md", "readme.md", "Readme.md"];

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
    /// The directory that the file is in (absolute).
    dir: PathBuf,
    /// The names of the repository that the directory is in.
    identity: Arc<Identity>,
    fences: Vec<Fence>,
    /// The places in `fences` of the code about a module, by its directory (absolute).
    about: HashMap<PathBuf, BTreeSet<usize>>,
}

impl Readme {
    /// Sorts the code by the modules that it is about, once: there can be many of both.
    fn new(
        path: PathBuf,
        bytes: Vec<u8>,
        fences: Vec<Fence>,
        dir: &Path,
        identity: Arc<Identity>,
    ) -> Readme {
        let (dir, about) = (dir.to_owned(), HashMap::new());
        let mut readme = Readme { path, bytes, dir, identity, fences, about };
        let mut about: HashMap<PathBuf, BTreeSet<usize>> = HashMap::new();
        for (place, fence) in readme.fences.iter().enumerate() {
            let named = fence.sources.iter().filter_map(|it| readme.module(it));
            for module in named.map(|it| it.0).chain(readme.owner(fence)) {
                about.entry(module).or_default().insert(place);
            }
        }
        readme.about = about;
        readme
    }

    /// The code about the module in a directory (absolute).
    pub fn about(&self, module: &Path) -> impl Iterator<Item = &Fence> {
        self.about.get(module).into_iter().flatten().map(|it| &self.fences[*it])
    }

    /// The directory (absolute) of the module that a source in the file leads to, and how surely it does.
    pub fn module(&self, source: &str) -> Option<(PathBuf, Named)> {
        if is_local(source) {
            return Some((paths::clean(&self.dir.join(source)), Named::Surely));
        }
        self.identity.find(&of_remote(source)?)
    }

    /// The directory (absolute) of the module whose values the code has.
    pub fn owner(&self, fence: &Fence) -> Option<PathBuf> {
        match fence.values_file.as_deref().map(Path::new).and_then(Path::parent) {
            None => fence.is_values.then(|| self.dir.clone()),
            Some(dir) => Some(paths::clean(&self.dir.join(dir))),
        }
    }
}

impl Readmes {
    /// The README of a directory (absolute), which is read as `shown`; `None` if it has none with code to judge.
    pub fn of(
        &self,
        dir: &Path,
        shown: &Path,
        remotes: &Remotes,
        system: &dyn System,
    ) -> Option<Arc<Readme>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known().get(dir) {
            return it.clone();
        }
        let read = |name: &&str| {
            let path = paths::clean(&shown.join(name));
            Some((path.clone(), system.read(&path).ok()?))
        };
        let found = NAMES.iter().find_map(read).and_then(|(path, bytes)| {
            let fences = std::str::from_utf8(&bytes).map(fences).unwrap_or_default();
            // Who the repository is takes a while to find out.
            (!fences.is_empty()).then(|| {
                let identity = self.identity(dir, remotes, system);
                Arc::new(Readme::new(path, bytes, fences, dir, identity))
            })
        });
        known().insert(dir.to_owned(), found.clone());
        found
    }

    /// The names of the repository that a directory (absolute) is in.
    fn identity(&self, dir: &Path, remotes: &Remotes, system: &dyn System) -> Arc<Identity> {
        let known = || self.identities.lock().unwrap_or_else(PoisonError::into_inner);
        let root = address::root(dir, system);
        if let Some(it) = known().get(&root) {
            return Arc::clone(it);
        }
        let real = system.canonicalize(&root).unwrap_or_else(|_| root.clone());
        let found = Arc::new(Identity::of(root.clone(), remotes.of(&real)));
        known().insert(root, Arc::clone(&found));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_sorted_by_the_modules_that_it_is_about() {
        let text = "```hcl\nmodule \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \
                    \"acme/x/aws//b\"\n}\n```\n\n`a/prod.tfvars`:\n\n```hcl\nname = 1\n```\n\n\
                    ```tfvars\nname = 2\n```\n";
        let urls = ["https://example.com/acme/terraform-aws-x".to_owned()];
        let identity = Arc::new(Identity::of(PathBuf::from("/r"), &urls));
        let path = PathBuf::from("docs/README.md");
        let dir = Path::new("/r/docs");
        let readme = Readme::new(path, text.into(), fences(text), dir, identity);
        let about = |dir: &str| {
            let fences = readme.about(Path::new(dir)).map(|it| &text[it.body.clone()]);
            fences.map(|it| it.lines().next().unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(about("/r/docs/a"), ["module \"a\" {", "name = 1"]);
        assert_eq!(about("/r/b"), ["module \"a\" {"]);
        assert_eq!(about("/r/docs"), ["name = 2"]);
        assert!(about("/r").is_empty());
        assert_eq!(readme.module("acme/x/aws"), Some((PathBuf::from("/r"), Named::Surely)));
        assert_eq!(readme.module("./a"), Some((PathBuf::from("/r/docs/a"), Named::Surely)));
        assert_eq!(readme.module("other/x/aws"), None);
    }
}
