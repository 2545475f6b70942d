//! The modules that a change touches.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    CheckRequest, Directories, FileRole, PolicyReader, Remotes,
    callers::{Callers, Search},
    links::Links,
    readmes::{Reader, Readme, is_readme_path},
};
use config::{Configurations, FILE_NAME, NamedPolicy};
use module::is_terragrunt_file;
use system::{System, paths};

/// A change, as git reports it. All paths are absolute.
#[derive(Clone, Debug, Default)]
pub struct ChangedFiles {
    /// The repository's root; nothing above it is touched.
    pub root: PathBuf,
    /// Files edited, added and deleted, and both names of renamed ones.
    pub paths: Vec<PathBuf>,
    /// Every configuration file of the repository, changed or not.
    pub configurations: Vec<PathBuf>,
    /// Every module file of the repository, changed or not.
    pub sources: Vec<PathBuf>,
    /// Every symbolic link of the repository, changed or not.
    pub links: Vec<PathBuf>,
    /// Every README of the repository, changed or not.
    pub readmes: Vec<PathBuf>,
}

/// Finds the modules that a change touches, and the directories on the way to them.
pub(super) struct Changed<'a> {
    system: &'a dyn System,
    current_dir: PathBuf,
    /// The changed paths, and links to them.
    paths: HashSet<PathBuf>,
    /// Whether the configuration that governs everything changed.
    everything: bool,
    root: &'a Path,
    /// Directories above a touched module.
    ways: HashSet<PathBuf>,
    /// Directories below which everything is touched.
    trees: HashSet<PathBuf>,
    /// Directories of changed files that units of Terragrunt further down may include.
    included: HashSet<PathBuf>,
    /// Every README of the repository.
    readmes: &'a [PathBuf],
    /// The modules that changed READMEs name.
    named: HashSet<PathBuf>,
    callers: Callers,
    reader: Option<&'a dyn PolicyReader>,
}

impl<'a> Changed<'a> {
    pub fn new(
        system: &'a dyn System,
        change: &'a ChangedFiles,
        request: &'a CheckRequest,
        configurations: &Configurations<'_>,
    ) -> io::Result<Self> {
        let current_dir = system.current_dir()?;
        let mut paths: HashSet<PathBuf> = change.paths.iter().cloned().collect();
        let links = Links::of(change, system);
        let of_links: Vec<PathBuf> = links.to(&paths, system).cloned().collect();
        paths.extend(of_links);
        let config = request.config_file.as_ref().map(|it| paths::clean(&current_dir.join(it)));
        let everything = config.as_ref().is_some_and(|it| paths.contains(it));
        let (ways, trees, included) = (HashSet::new(), HashSet::new(), HashSet::new());
        let root = change.root.as_path();
        let (callers, readmes) = (Callers::default(), change.readmes.as_slice());
        let mut it = Changed {
            system,
            current_dir,
            paths,
            everything,
            root,
            ways,
            trees,
            included,
            readmes,
            named: HashSet::new(),
            callers,
            reader: request.policies.as_deref(),
        };
        if everything {
            return Ok(it);
        }
        it.look_at_paths();
        it.look_at_readmes(&links, &request.remotes);
        let governing: Vec<&Path> = match &config {
            Some(_) => vec![&it.current_dir],
            None => change.configurations.iter().filter_map(|it| it.parent()).collect(),
        };
        for dir in &governing {
            // A finding that a changed baseline no longer lists is new everywhere below it.
            if configurations.own_baseline(dir).is_some_and(|file| it.paths.contains(&file)) {
                it.trees.insert((*dir).to_owned());
            }
            if configurations.own_policy(dir).is_some_and(|policy| it.changes(&policy)) {
                it.trees.insert((*dir).to_owned());
            }
        }
        let contracts = configurations.contracts_of(governing.iter().copied());
        let search = Search::new(system, &it.paths, &links, configurations, contracts);
        let callers = search.callers(change);
        let owners = governing.iter().flat_map(|it| configurations.owners_of_outside(it));
        for dir in owners.collect::<Vec<_>>() {
            it.add_ways(&dir);
            it.trees.insert(dir);
        }
        for dir in callers.calling.iter().chain(&callers.reading) {
            it.add_ways(dir);
        }
        it.callers = callers;
        Ok(it)
    }

    /// Whether a unit of Terragrunt may include a file of this name: HCL, but neither a configuration nor rules.
    fn may_be_included(&self, file: &Path) -> bool {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let is_hcl = file.extension().is_some_and(|it| it == "hcl");
        let is_rules = || self.reader.is_some_and(|it| it.is_rules(file));
        is_hcl && !name.starts_with('.') && !is_rules()
    }

    /// Whether a rule file of a policy changed.
    fn changes(&self, policy: &NamedPolicy) -> bool {
        policy.rules().any(|rules| self.paths.iter().any(|it| it.starts_with(&rules)))
    }

    /// Walks up from the changed paths: a module may own values files at any depth, and a configuration
    /// governs all below it.
    fn look_at_paths(&mut self) {
        for path in self.paths.clone() {
            let Some(parent) = path.parent() else { continue };
            if is_configuration(&path) {
                self.trees.insert(parent.to_owned());
            }
            if self.may_be_included(&path) {
                self.trees.insert(parent.to_owned());
                self.included.insert(parent.to_owned());
            }
            self.add_ways(parent);
        }
        let has_sources = |dir: &&PathBuf| {
            let entries = self.system.list(dir).unwrap_or_default();
            entries.iter().any(|it| FileRole::of(&it.name) == FileRole::Source)
        };
        self.trees.extend(self.ways.iter().filter(has_sources).cloned());
    }

    /// Finds the modules that changed READMEs name.
    fn look_at_readmes(&mut self, links: &Links, remotes: &Remotes) {
        let reader = Reader::new(self.system, remotes, self.current_dir.clone());
        let changed: Vec<&PathBuf> = self.paths.iter().filter(|it| is_readme_path(it)).collect();
        let read = |path: &&PathBuf| reader.read(path).0;
        let readmes = changed.par_iter().filter_map(read);
        let named =
            readmes.flat_map_iter(|readme: Readme| readme.modules().into_iter().map(|it| it.0));
        let named: HashSet<PathBuf> = named.collect();
        for dir in &named {
            self.add_ways(dir);
        }
        let real = named.iter().map(|it| links.follow(it, self.system));
        self.named = real.collect();
        for dir in self.named.clone() {
            self.add_ways(&dir);
        }
    }

    /// The READMEs below the current directory that may name a touched module, as seen from there.
    pub fn readmes(&self) -> impl Iterator<Item = PathBuf> {
        let all = self.readmes.iter().filter(|it| it.starts_with(&self.current_dir));
        all.map(|it| paths::relative(&self.current_dir, it))
    }

    fn add_ways(&mut self, dir: &Path) {
        for at in dir.ancestors().take_while(|it| it.starts_with(self.root)) {
            if !self.ways.insert(at.to_owned()) {
                break;
            }
        }
    }

    /// Whether a touched module may be in a directory (absolute) or below it.
    pub fn may_lie_below(&self, dir: &Path) -> bool {
        self.everything
            || self.ways.contains(dir)
            || dir.ancestors().any(|it| self.trees.contains(it))
    }

    /// Whether a file (relative to the current directory or absolute) changed.
    pub fn holds(&self, file: &Path) -> bool {
        let parent = file.parent().map(|it| self.absolute(it)).unwrap_or_default();
        self.everything || file.file_name().is_some_and(|it| self.paths.contains(&parent.join(it)))
    }

    /// Keeps the directories that a change touches: by a file in the module, its schema, an input that
    /// belongs to it, a configuration that governs it, a module that it calls, or a file that it reads.
    pub fn select(&self, found: Directories, configurations: &Configurations<'_>) -> Directories {
        if self.everything {
            return found;
        }
        let dirs: Vec<PathBuf> = found.keys().map(|it| self.absolute(it)).collect();
        let owners = self.owners(&dirs.iter().map(PathBuf::as_path).collect());
        let touched = |dir: &Path| {
            let settings = configurations.settings(dir);
            let schema = paths::clean(&dir.join(&settings.schema_file));
            let is_input = |path: &PathBuf| settings.inputs.iter().any(|it| it.names(path));
            owners.contains(dir)
                || self.callers.calling.contains(dir)
                || self.callers.reading.contains(dir)
                || self.paths.contains(&schema)
                || configurations.baseline(dir).is_some_and(|it| self.paths.contains(&it))
                || configurations.policies(dir).iter().any(|it| self.changes(it))
                || dir.ancestors().any(|it| self.paths.contains(&it.join(FILE_NAME)))
                || self.paths.iter().any(is_input)
                || self.includes(dir)
                || self.named.contains(dir)
        };
        found.into_iter().zip(&dirs).filter(|(_, dir)| touched(dir)).map(|(it, _)| it).collect()
    }

    /// Whether Terragrunt runs the module and may include a changed file.
    fn includes(&self, dir: &Path) -> bool {
        let is_unit = || {
            let entries = self.system.list(dir).unwrap_or_default();
            entries.iter().any(|it| is_terragrunt_file(&it.name))
        };
        !self.included.is_empty()
            && dir.ancestors().any(|it| self.included.contains(it))
            && is_unit()
    }

    /// The modules that contain a changed file: the nearest directory above it. A values file may belong
    /// to any module further up, since nearer ones may declare no variables.
    fn owners<'d>(&self, dirs: &HashSet<&'d Path>) -> HashSet<&'d Path> {
        let mut owners = HashSet::new();
        for path in &self.paths {
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            let above = path.ancestors().filter_map(|it| dirs.get(it));
            let most = if FileRole::of(name) == FileRole::Values { usize::MAX } else { 1 };
            owners.extend(above.take(most));
        }
        owners
    }

    /// A directory as git knows it, with links on the way followed.
    fn absolute(&self, dir: &Path) -> PathBuf {
        let plain = paths::clean(&self.current_dir.join(dir));
        self.system.canonicalize(&plain).unwrap_or(plain)
    }
}

fn is_configuration(file: &Path) -> bool {
    file.file_name().is_some_and(|it| it == FILE_NAME)
}
