//! The READMEs of a run: each is read once, and its code is sorted by the modules that it is about.
//!
//! A README anywhere in the run may name a module: by a path, or by the address of the repository. So all of them are
//! read before the first module is judged.

mod address;
mod fences;

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use memchr::memmem;

use self::{
    address::{Identity, of_remote},
    fences::fences,
};
use super::{Remotes, mentions::is_local, ordered};
use system::{System, paths};

pub(super) use self::{address::Named, fences::Fence};

/// The names of a README, by which it is looked for.
const NAMES: [&str; 3] = ["README.md", "readme.md", "Readme.md"];

/// The units of work of reading a file, and of following a source.
const FILE: u64 = 300;
const SOURCE: u64 = 100;
/// The bytes of a text that are parsed in one unit of work.
const TEXT: u64 = 8;

/// Whether a file of this name may hold code that is judged.
pub fn is_readme(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether a file at this path may hold code that is judged.
pub(super) fn is_readme_path(file: &Path) -> bool {
    file.file_name().and_then(|it| it.to_str()).is_some_and(is_readme)
}

/// The READMEs above a directory (absolute), up to the current directory or the root of a repository.
pub(super) fn above(dir: &Path, current_dir: &Path, system: &dyn System) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let is_end = |it: &Path| it == current_dir || system.kind(&it.join(".git")).is_ok();
    let mut at = dir;
    while let Some(up) = at.parent().filter(|_| !is_end(at)) {
        let files = NAMES.iter().map(|it| up.join(it)).filter(|it| system.kind(it).is_ok());
        found.extend(files.map(|it| paths::relative(current_dir, &it)));
        at = up;
    }
    found
}

/// The READMEs of a run, and the code in them about each module.
#[derive(Default)]
pub(super) struct Readmes {
    all: Vec<Readme>,
    /// The places in `all` and in the fences there, by the module's directory (absolute).
    about: HashMap<PathBuf, Vec<(usize, usize)>>,
    /// The number of files that the budget did not suffice for.
    pub left_out: usize,
}

impl Readmes {
    /// Reads these files, within the budget, and keeps what is about a wanted module (absolute). One in an
    /// excluded directory (absolute) is dropped.
    pub fn read(
        files: &[PathBuf],
        reader: &Reader<'_>,
        budget: u64,
        is_wanted: &(dyn Fn(&Path) -> bool + Sync),
        is_excluded: &(dyn Fn(&Path) -> bool + Sync),
    ) -> Readmes {
        let done = ordered::run(files.len(), budget, |index| {
            let (readme, work) = reader.read(&files[index]);
            let mut modules = readme.as_ref().map(Readme::modules).unwrap_or_default();
            modules.retain(|it| is_wanted(&it.0));
            let is_kept = |it: &Readme| !modules.is_empty() && !is_excluded(&it.dir);
            (readme.filter(is_kept).map(|it| (it, modules)), work)
        });
        let left_out = files.len() - done.within.len();
        let mut it = Readmes { left_out, ..Readmes::default() };
        for (readme, modules) in reader.without_links(done.within.into_iter().flatten().collect()) {
            for (module, fence) in modules {
                it.about.entry(module).or_default().push((it.all.len(), fence));
            }
            it.all.push(readme);
        }
        it
    }

    /// The code about the module in a directory (absolute), by the file that has it.
    pub fn about(
        &self,
        module: &Path,
    ) -> impl Iterator<Item = (&Readme, impl Iterator<Item = &Fence>)> {
        let places = self.about.get(module).map(Vec::as_slice).unwrap_or_default();
        places.chunk_by(|a, b| a.0 == b.0).map(|places| {
            let readme = &self.all[places[0].0];
            (readme, places.iter().map(|it| &readme.fences[it.1]))
        })
    }
}

/// A file with fenced code that may be about modules.
pub(super) struct Readme {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// The directory that the file is in (absolute).
    dir: PathBuf,
    /// The names of the repository that the directory is in.
    identity: Arc<Identity>,
    fences: Vec<Fence>,
}

impl Readme {
    /// The modules (absolute) that the code is about, with the places of the code in `fences`, each once and in order.
    pub fn modules(&self) -> Vec<(PathBuf, usize)> {
        let mut found = Vec::new();
        for (place, fence) in self.fences.iter().enumerate() {
            let named = fence.sources.iter().filter_map(|it| self.module(it));
            let named: BTreeSet<PathBuf> = named.map(|it| it.0).chain(self.owner(fence)).collect();
            found.extend(named.into_iter().map(|it| (it, place)));
        }
        found
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

/// Reads READMEs, and finds out which repositories they are in.
pub(super) struct Reader<'a> {
    system: &'a dyn System,
    remotes: &'a Remotes,
    current_dir: PathBuf,
    /// By the root of the repository.
    identities: Mutex<HashMap<PathBuf, Arc<Identity>>>,
    /// The roots of the repositories that directories are in.
    roots: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl<'a> Reader<'a> {
    pub fn new(system: &'a dyn System, remotes: &'a Remotes, current_dir: PathBuf) -> Reader<'a> {
        let (identities, roots) = (Mutex::default(), Mutex::default());
        Reader { system, remotes, current_dir, identities, roots }
    }

    /// A README (relative to the current directory or absolute) and the work of reading it; `None` if no code in it is
    /// judged.
    pub fn read(&self, path: &Path) -> (Option<Readme>, u64) {
        let Ok(bytes) = self.system.read(path) else { return (None, FILE) };
        let text = std::str::from_utf8(&bytes).ok().filter(|it| has_code(it));
        let Some(text) = text else { return (None, FILE) };
        let fences = fences(text);
        let sources = || fences.iter().flat_map(|it| &it.sources);
        let work = FILE + bytes.len() as u64 / TEXT + SOURCE * sources().count() as u64;
        if fences.is_empty() {
            return (None, work);
        }
        let whole = self.current_dir.join(path);
        let dir = paths::clean(whole.parent().unwrap_or(&whole));
        // Who the repository is takes a while to find out.
        let is_remote = sources().any(|it| !is_local(it) && of_remote(it).is_some());
        let identity = if is_remote { self.identity(&dir) } else { Arc::default() };
        (Some(Readme { path: path.to_owned(), bytes, dir, identity, fences }), work)
    }

    /// The names of the repository that a directory (absolute) is in.
    fn identity(&self, dir: &Path) -> Arc<Identity> {
        let root = self.root(dir);
        let known = || self.identities.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known().get(&root) {
            return Arc::clone(it);
        }
        let real = self.system.canonicalize(&root).unwrap_or_else(|_| root.clone());
        let found = Arc::new(Identity::of(root.clone(), self.remotes.of(&real)));
        known().insert(root, Arc::clone(&found));
        found
    }

    /// The root of the repository that a directory (absolute) is in, or else the current directory.
    fn root(&self, dir: &Path) -> PathBuf {
        let known = || self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut passed, mut root) = (Vec::new(), None);
        for at in dir.ancestors() {
            root = known().get(at).cloned();
            passed.push(at);
            if root.is_none() && self.system.kind(&at.join(".git")).is_ok() {
                root = Some(at.to_owned());
            }
            if root.is_some() {
                break;
            }
        }
        let root = root.unwrap_or_else(|| self.current_dir.clone());
        known().extend(passed.into_iter().map(|it| (it.to_owned(), root.clone())));
        root
    }

    /// Leaves out links to others of the files: what they say is said there.
    fn without_links<T>(&self, mut readmes: Vec<(Readme, T)>) -> Vec<(Readme, T)> {
        let mut same: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (at, (readme, _)) in readmes.iter().enumerate() {
            same.entry(&readme.bytes).or_default().push(at);
        }
        let mut links = BTreeSet::new();
        for places in same.into_values().filter(|it| it.len() > 1) {
            let mut by_target: HashMap<PathBuf, usize> = HashMap::new();
            for at in places {
                let path = self.current_dir.join(&readmes[at].0.path);
                let Ok(real) = self.system.canonicalize(&path) else { continue };
                let is_real = real == paths::clean(&path);
                match by_target.get_mut(&real) {
                    None => _ = by_target.insert(real, at),
                    Some(other) if is_real => _ = links.insert(std::mem::replace(other, at)),
                    Some(_) => _ = links.insert(at),
                }
            }
        }
        let mut at = 0..;
        readmes.retain(|_| at.next().is_none_or(|it| !links.contains(&it)));
        readmes
    }
}

/// Whether a text may hold code that is judged: most READMEs hold none, and parsing them takes a while.
fn has_code(text: &str) -> bool {
    let has = |it: &str| memmem::find(text.as_bytes(), it.as_bytes()).is_some();
    let mut words = text.as_bytes().windows(6);
    // The language of code may be `TFVARS`.
    (has("```") || has("~~~"))
        && (has("source") || words.any(|it| it.eq_ignore_ascii_case(b"tfvars")))
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
        let dir = PathBuf::from("/r/docs");
        let readme = Readme { path, bytes: text.into(), dir, identity, fences: fences(text) };
        let modules = readme.modules();
        let about = |dir: &str| {
            let places = modules.iter().filter(|it| it.0 == Path::new(dir)).map(|it| it.1);
            let fences = places.map(|it| &text[readme.fences[it].body.clone()]);
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

    #[test]
    fn texts_without_code_are_not_parsed() {
        assert!(has_code("```hcl\nsource = 1\n```"));
        assert!(has_code("~~~TfVars\nx = 1\n~~~"));
        assert!(!has_code("```hcl\nx = 1\n```"));
        assert!(!has_code("source = \"./\", tfvars"));
    }
}
