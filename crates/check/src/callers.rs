//! Modules that call a touched module, directly or through others, and modules that read a changed file.
//!
//! Every module file that git knows is scanned once, as text; only files that may name something touched
//! are parsed. A source is a path from the directory of its `module` block, cleaned as text and then
//! followed over symbolic links, as Terraform does.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rayon::prelude::*;

use super::{
    ChangedFiles, FileRole,
    call_graph::{Graph, Looks},
    glance::{Glance, Seen},
    links::Links,
    mentions::{Mentions, Read},
};
use config::{Configurations, ContractBlock, ContractBlocks, FILE_NAME};
use system::{System, paths};

/// The limit for the bytes of files that are parsed. Beyond it every module that may be a caller counts
/// as one.
const MAX_PARSED: u64 = 64 << 20;

/// Modules (absolute, without links) that a change touches though nothing in them changed.
#[derive(Debug, Default)]
pub(super) struct Callers {
    /// Touched through a module that they call.
    pub calling: HashSet<PathBuf>,
    /// Touched through a file that they read.
    pub reading: HashSet<PathBuf>,
}

/// The data that the search uses.
pub(super) struct Search<'a> {
    system: &'a dyn System,
    /// Absolute.
    changed: &'a HashSet<PathBuf>,
    links: &'a Links,
    configurations: &'a Configurations<'a>,
    /// The contracts of all configuration files.
    contracts: ContractBlocks,
    /// The parsed modules by directory, and the bytes parsed so far.
    mentions: Mutex<HashMap<PathBuf, Arc<Mentions>>>,
    parsed: AtomicU64,
}

impl<'a> Search<'a> {
    pub fn new(
        system: &'a dyn System,
        changed: &'a HashSet<PathBuf>,
        links: &'a Links,
        configurations: &'a Configurations<'a>,
        contracts: ContractBlocks,
    ) -> Search<'a> {
        let (mentions, parsed) = (Mutex::default(), AtomicU64::default());
        Search { system, changed, links, configurations, contracts, mentions, parsed }
    }

    pub fn callers(&self, change: &ChangedFiles) -> Callers {
        if self.changed.is_empty() {
            return Callers::default();
        }
        let modules = self.modules(change);
        let reads = |it: &&Looks| it.may_read && self.reads_changed(it);
        let reading: HashSet<PathBuf> =
            modules.par_iter().filter(reads).map(|it| it.dir.clone()).collect();
        let mut touched: Vec<PathBuf> = self.dirs_of_sources().map(Path::to_owned).collect();
        touched.extend(reading.iter().cloned());
        // Their calls may lead elsewhere now.
        let governed =
            |it: &&Looks| it.dir.ancestors().any(|dir| self.changed.contains(&dir.join(FILE_NAME)));
        if self.changed.iter().any(|it| it.ends_with(FILE_NAME)) {
            touched.extend(modules.iter().filter(governed).map(|it| it.dir.clone()));
        }
        let graph = Graph::new(&modules, self.system, self.links);
        let mut calling = HashSet::new();
        let mut next: Vec<&Looks> = self.led_elsewhere(&modules, &graph);
        let mut known = HashSet::new();
        loop {
            for module in next {
                if calling.insert(module.dir.clone()) {
                    touched.push(module.dir.clone());
                }
            }
            let Some(dir) = touched.pop() else { break };
            let is_new = known.insert(dir.clone());
            next = if is_new { self.callers_of(&dir, &modules, &graph) } else { Vec::new() };
        }
        calling.retain(|it| self.configurations.settings(it).calls);
        Callers { calling, reading }
    }

    /// Directories with module files that changed.
    fn dirs_of_sources(&self) -> impl Iterator<Item = &Path> {
        self.changed.iter().filter(|it| is_source(it)).filter_map(|it| it.parent())
    }

    /// Every module that calls or reads something, judged by its text.
    fn modules(&self, change: &ChangedFiles) -> Vec<Looks> {
        let changed = self.changed.iter().filter(|it| is_source(it));
        let mut files: Vec<&PathBuf> = change.sources.iter().chain(changed).collect();
        // Sorted by directory: in the order of paths, another directory's files may come between.
        files.sort_unstable_by_key(|it| (it.parent(), it.file_name()));
        files.dedup();
        let names = self.changed.iter().filter_map(|it| it.file_name()?.to_str()).collect();
        let glance = Glance::new(&names, self.contracts.iter().map(ContractBlock::needle));
        let modules: Vec<_> = files.chunk_by(|a, b| a.parent() == b.parent()).collect();
        modules.into_par_iter().filter_map(|it| self.look(it, &glance)).collect()
    }

    /// Scans a module's files.
    fn look(&self, files: &[&PathBuf], glance: &Glance<'_>) -> Option<Looks> {
        let dir = files.first()?.parent()?;
        let mut seen = Seen::default();
        let mut bytes = 0;
        for file in files {
            let Ok(text) = self.system.read(file) else { continue };
            bytes += text.len() as u64;
            let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            glance.at(name, &text, &mut seen);
        }
        if seen.is_opaque
            && let Some(mentions) = self.mentions(dir, bytes)
        {
            seen.sources.extend(mentions.calls.iter().filter_map(|it| it.local()).map(Into::into));
            seen.may_read |= !mentions.reads.is_empty();
            seen.may_need_contract |= mentions.calls.iter().any(|it| it.local().is_none());
        }
        let targets = seen.sources.iter().map(|it| paths::clean(&dir.join(it)));
        let (may_read, may_need_contract) = (seen.may_read, seen.may_need_contract);
        let (dir, targets) = (dir.to_owned(), targets.collect::<Vec<_>>());
        let names_something = !targets.is_empty() || may_read || may_need_contract;
        names_something.then_some(Looks { dir, targets, bytes, may_read, may_need_contract })
    }

    /// Modules whose calls lead elsewhere because a link changed.
    fn led_elsewhere<'m>(&self, modules: &'m [Looks], graph: &Graph<'_>) -> Vec<&'m Looks> {
        let is_led = |it: &Path| self.links.touch(it, self.changed, self.system);
        let is_contract = self.contracts.iter().any(|it| is_led(it.dir()));
        let may_be_led = |looks: &&Looks| {
            looks.may_need_contract && is_contract || looks.targets.iter().any(|it| is_led(it))
        };
        let led = modules.iter().filter(may_be_led).filter(|it| self.calls(it, &is_led));
        led.chain(graph.naming_over_links(&is_led).map(|at| &modules[at])).collect()
    }

    fn callers_of<'m>(
        &self,
        dir: &Path,
        modules: &'m [Looks],
        graph: &Graph<'_>,
    ) -> Vec<&'m Looks> {
        let is_it = |it: &Path| it == dir || self.links.follow(it, self.system) == dir;
        let by_path = graph.callers(dir).iter().map(|at| &modules[*at]);
        let is_contract = self
            .contracts
            .iter()
            .any(|it| dir.starts_with(self.links.follow(it.dir(), self.system)));
        let by_contract = modules.iter().filter(|it| is_contract && it.may_need_contract);
        let callers = by_path.chain(by_contract).filter(|it| self.calls(it, &is_it));
        callers.chain(graph.callers_over_links(dir).iter().map(|at| &modules[*at])).collect()
    }

    /// Whether a `module` block really names such a directory: a text may only look like it.
    fn calls(&self, module: &Looks, is_it: &dyn Fn(&Path) -> bool) -> bool {
        let Some(mentions) = self.mentions(&module.dir, module.bytes) else { return true };
        let settings = self.configurations.settings(&module.dir);
        mentions.calls.iter().any(|call| {
            // Another file may govern its caller.
            let elsewhere = || self.contracts.of_each_file(&call.source, call.version.as_deref());
            let dirs = call.dir(&module.dir, &settings).map_or_else(elsewhere, |it| vec![it]);
            dirs.iter().any(|it| is_it(it))
        })
    }

    fn reads_changed(&self, module: &Looks) -> bool {
        let Some(mentions) = self.mentions(&module.dir, module.bytes) else { return true };
        mentions.reads.iter().any(|read| {
            let path = paths::clean(&module.dir.join(read.path()));
            let real = self.links.follow(&path, self.system);
            let is_below = |it: &PathBuf| it.starts_with(&path) || it.starts_with(&real);
            let is_read = match read {
                Read::File(_) => self.changed.contains(&path) || self.changed.contains(&real),
                Read::Below(_) => self.changed.iter().any(is_below),
            };
            is_read || self.links.touch(&path, self.changed, self.system)
        })
    }

    /// The mentions of a module of this size; `None` where too much was parsed already.
    fn mentions(&self, dir: &Path, bytes: u64) -> Option<Arc<Mentions>> {
        let known = || self.mentions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known().get(dir) {
            return Some(Arc::clone(it));
        }
        if self.parsed.fetch_add(bytes, Ordering::Relaxed) > MAX_PARSED {
            return None;
        }
        let release = self.configurations.settings(dir).release.first();
        let mentions = Arc::new(Mentions::of(self.system, dir, release));
        known().insert(dir.to_owned(), Arc::clone(&mentions));
        Some(mentions)
    }
}

fn is_source(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    FileRole::of(name) == FileRole::Source
}
