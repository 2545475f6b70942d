//! Called modules, each read once while there is room to keep them.

use std::{
    collections::HashMap,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{ModuleTree, kept::KeptModules, passed::Passed};
use crate::{Distrust, PreparedJudge, graph::Leaf, hide};
use diagnostics::{Diagnostics, SourceFile, has_errors};
use memchr::memmem;
use module::{LoadOptions, Module};
use release::Release;
use system::{RecordingSystem, System};
use tf_eval::Meter;

/// The bytes of source text in one generation of modules. A module takes about ten times as much in
/// memory.
const MOST_BYTES: usize = 6_000_000;

/// A called module. It depends on its files alone, so all callers share it.
#[derive(Debug)]
pub struct Shared {
    pub module: Module,
    /// Diagnostics of loading it.
    pub diagnostics: Diagnostics,
    /// What its own errors make uncertain.
    pub distrust: Distrust,
    /// Its directory without links.
    pub real_dir: PathBuf,
    /// The work of reading it. Every caller is charged, since the cost of a verdict must not depend on
    /// earlier verdicts.
    work: u64,
    /// Whether Terraform's static pass finds nothing in it, whatever calls it.
    quiet: OnceLock<bool>,
    /// The values that its variables' rules accept, whatever calls it.
    pub passed: Passed,
    leaf: OnceLock<Leaf>,
    /// The judge of the last run that judged it by itself.
    judge: Mutex<Option<KeptJudge>>,
}

/// A judge that waits for the next run over the same texts, with the tree that it was made for.
pub(crate) struct KeptJudge {
    pub judge: PreparedJudge,
    pub tree: ModuleTree,
}

impl fmt::Debug for KeptJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptJudge").field("tree", &self.tree).finish_non_exhaustive()
    }
}

impl Shared {
    /// Loads the module of a directory. Errors: it cannot be read.
    fn load(
        system: &dyn System,
        dir: &Path,
        options: &LoadOptions,
        meter: &Meter,
    ) -> io::Result<Shared> {
        let before = meter.spent();
        let (mut module, mut diagnostics) = module::load_metered(system, dir, options, meter)?;
        // Terraform ignores the backend of a called module.
        let of_backend = module.backend.as_deref().unwrap_or_default();
        diagnostics.retain(|it| !of_backend.contains(it));
        hide::declared(&mut module);
        let distrust = Distrust::of(&module, &diagnostics);
        diagnostics.retain(|it| distrust.admits(it));
        let real_dir = system.canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        let work = meter.spent() - before;
        Ok(Shared {
            module,
            diagnostics,
            distrust,
            real_dir,
            work,
            quiet: OnceLock::new(),
            passed: Passed::default(),
            leaf: OnceLock::new(),
            judge: Mutex::default(),
        })
    }

    /// Keeps a judge of this module for the next run.
    pub(crate) fn keep_judge(&self, judge: KeptJudge) {
        *self.judge.lock().unwrap_or_else(PoisonError::into_inner) = Some(judge);
    }

    /// The judge of an earlier run, if all that is called is the same.
    pub(crate) fn take_judge(&self, tree: &ModuleTree) -> Option<PreparedJudge> {
        let kept = self.judge.lock().unwrap_or_else(PoisonError::into_inner).take();
        kept.filter(|it| it.tree.is_same(tree)).map(|it| it.judge)
    }

    /// The bytes of its source texts.
    pub(super) fn bytes(&self) -> usize {
        self.module.sources.files().map(|(_, it)| it.bytes.len()).sum()
    }

    /// Its part of the graph; `None` where it calls modules itself.
    pub(crate) fn leaf(&self) -> Option<&Leaf> {
        let is_leaf = self.module.calls.is_empty();
        is_leaf.then(|| self.leaf.get_or_init(|| Leaf::new(&self.module)))
    }

    /// Whether the static pass finds nothing in it beyond its variables' values, whatever calls it; `find` runs
    /// that pass. Where a module is makes no difference if it calls no other and mentions no paths, files or
    /// workspace.
    pub fn is_quiet(&self, find: impl FnOnce() -> bool) -> bool {
        *self.quiet.get_or_init(|| {
            let files = self.module.sources.files();
            let mut texts = files.map(|(_, it)| &it.bytes);
            let mentions = |text: &[u8]| {
                let words: [&[u8]; 3] = [b"path", b"file", b"workspace"];
                words.iter().any(|it| memmem::find(text, it).is_some())
            };
            self.module.calls.is_empty() && !texts.any(|it| mentions(it)) && find()
        })
    }
}

/// The modules that were read last. The generation before is kept until the next is full.
#[derive(Debug, Default)]
pub struct Library {
    generations: Mutex<[Generation; 2]>,
    /// What earlier runs read.
    kept: Option<Arc<KeptModules>>,
}

#[derive(Debug, Default)]
struct Generation {
    bytes: usize,
    modules: HashMap<Key, Arc<Shared>>,
}

/// The directory as written, since places are shown with it, and how it is read.
type Key = (PathBuf, Release);

impl Library {
    /// A library for one run. It shares modules whose files are unchanged with earlier and later runs.
    pub fn sharing(kept: Option<Arc<KeptModules>>) -> Library {
        Library { kept, ..Library::default() }
    }

    /// Loads the module of a directory. Errors: it cannot be read.
    pub fn load(
        &self,
        system: &dyn System,
        dir: &Path,
        options: &LoadOptions,
        meter: &Meter,
    ) -> io::Result<Arc<Shared>> {
        let key = (dir.to_owned(), options.release);
        if let Some(known) = self.find(&key) {
            meter.charge(known.work);
            return Ok(known);
        }
        let known = self.kept.as_ref().and_then(|it| it.find(system, dir, options));
        if let Some(known) = known.filter(|it| meter.has_room(it.work)) {
            meter.charge(known.work);
            self.keep(key, &known);
            return Ok(known);
        }
        let recording = self.kept.as_ref().map(|kept| (kept, RecordingSystem::new(system)));
        let source: &dyn System = recording.as_ref().map_or(system, |it| &it.1);
        let loaded = Arc::new(Shared::load(source, dir, options, meter)?);
        // A module that one caller's budget cut short is not kept for others.
        if !meter.is_exhausted() {
            if let Some((kept, recording)) = recording {
                kept.keep(system, options, &loaded, recording.into_answers());
            }
            self.keep(key, &loaded);
        }
        Ok(loaded)
    }

    /// Loads the module of a directory that is judged by itself for a copy, where later runs share it.
    pub fn prepare(&self, system: &dyn System, dir: &Path, options: &LoadOptions, meter: &Meter) {
        if self.kept.is_some() {
            // Errors are those of reading it afterwards.
            _ = self.load(system, dir, options, meter);
        }
    }

    /// A copy of the module of a directory, to be judged by itself, if a caller had it read: the same as
    /// reading the directory. Comes with the original where later runs share it. `None` where it has to be read, or
    /// where less may be read now than before.
    pub fn copy(
        &self,
        dir: &Path,
        options: &LoadOptions,
        max_file_size: u64,
        meter: &Meter,
    ) -> Option<(Module, Diagnostics, Option<Arc<Shared>>)> {
        let known = self.find(&(dir.to_owned(), options.release))?;
        let is_within = |it: &SourceFile| it.bytes.len() as u64 <= max_file_size;
        let is_whole = !has_errors(&known.diagnostics)
            && known.module.sources.files().all(|(_, it)| is_within(it))
            && meter.has_room(known.work);
        is_whole.then(|| {
            meter.charge(known.work);
            let of_backend = known.module.backend.iter().flatten();
            let all = known.diagnostics.iter().chain(of_backend).cloned().collect();
            let original = self.kept.is_some().then(|| Arc::clone(&known));
            (known.module.clone(), all, original)
        })
    }

    fn find(&self, key: &Key) -> Option<Arc<Shared>> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = generations[0].modules.get(key) {
            return Some(Arc::clone(it));
        }
        let known = generations[1].modules.remove(key)?;
        generations[0].add(key.clone(), &known);
        Some(known)
    }

    fn keep(&self, key: Key, loaded: &Arc<Shared>) {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let mut oldest = None;
        if generations[0].bytes > MOST_BYTES {
            let full = std::mem::take(&mut generations[0]);
            oldest = Some(std::mem::replace(&mut generations[1], full));
        }
        generations[0].add(key, loaded);
        drop(generations);
        // Freeing thousands of modules takes time; other threads need not wait for it.
        drop(oldest);
    }
}

impl Generation {
    fn add(&mut self, key: Key, loaded: &Arc<Shared>) {
        self.bytes += loaded.bytes();
        self.modules.insert(key, Arc::clone(loaded));
    }
}
