//! Called modules that outlive a run, for a program that judges the same tree again and again.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use super::library::Shared;
use module::LoadOptions;
use release::Release;
use system::{System, SystemAnswers};

/// Modules that runs share. Before a module is used again, everything that was read for it is read once more and
/// compared, so a run never sees a file as it was; where somebody watches the files, this is done once for each of
/// their states ([`System::state_of`]). What is saved is the work of parsing, and what the module's texts alone decide.
#[derive(Debug)]
pub struct KeptModules {
    most_bytes: usize,
    /// The modules that were used last, and those before them.
    generations: Mutex<[Generation; 2]>,
}

#[derive(Debug, Default)]
struct Generation {
    bytes: usize,
    modules: HashMap<Key, Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    module: Arc<Shared>,
    answers: Arc<SystemAnswers>,
    watched: Option<Arc<Watched>>,
}

/// The files and directories of a module, where somebody may watch them.
#[derive(Debug)]
struct Watched {
    paths: Arc<HashSet<PathBuf>>,
    /// The number of their last state in which all answers held.
    state: Mutex<Option<u64>>,
}

impl Kept {
    /// Whether the module would be read as the same again.
    fn is_same(&self, system: &dyn System) -> bool {
        let known = self.watched.as_ref().and_then(|it| Some((it, system.state_of(&it.paths)?)));
        let Some((watched, state)) = known else { return self.answers.hold(system) };
        let mut last = watched.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *last == Some(state) {
            return self.answers.hold_apart_from_files(system);
        }
        let is_same = self.answers.hold(system);
        *last = is_same.then_some(state);
        is_same
    }
}

/// The current directory, the module's directory as written, and how it is read.
type Key = (PathBuf, PathBuf, Release, bool);

impl KeptModules {
    /// Keeps between one and two times `most_bytes` bytes of source text. A module takes about ten times as much.
    pub fn new(most_bytes: usize) -> KeptModules {
        KeptModules { most_bytes, generations: Mutex::default() }
    }

    /// The module of a directory, if it was read before and its files are the same.
    pub(super) fn find(
        &self,
        system: &dyn System,
        dir: &Path,
        options: &LoadOptions,
    ) -> Option<Arc<Shared>> {
        let key = key(system, dir, options)?;
        let found = {
            let mut generations = self.generations();
            match generations[0].modules.get(&key) {
                Some(it) => it.clone(),
                None => {
                    let found = generations[1].modules.remove(&key)?;
                    self.add(&mut generations, key, found.clone());
                    found
                }
            }
        };
        found.is_same(system).then_some(found.module)
    }

    /// Keeps a module with what was read for it.
    pub(super) fn keep(
        &self,
        system: &dyn System,
        options: &LoadOptions,
        module: &Arc<Shared>,
        answers: SystemAnswers,
    ) {
        let Some(key) = key(system, &module.module.dir, options) else { return };
        let paths = answers.plain_paths(&key.0).map(Arc::new);
        let watched = paths.map(|paths| Arc::new(Watched { paths, state: Mutex::default() }));
        let kept = Kept { module: Arc::clone(module), answers: Arc::new(answers), watched };
        self.add(&mut self.generations(), key, kept);
    }

    fn add(&self, generations: &mut [Generation; 2], key: Key, kept: Kept) {
        if generations[0].bytes > self.most_bytes {
            generations[1] = std::mem::take(&mut generations[0]);
        }
        generations[0].bytes += kept.module.bytes();
        if let Some(replaced) = generations[0].modules.insert(key, kept) {
            generations[0].bytes -= replaced.module.bytes();
        }
    }

    fn generations(&self) -> std::sync::MutexGuard<'_, [Generation; 2]> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `None` where a module is read in a way that no two runs share.
fn key(system: &dyn System, dir: &Path, options: &LoadOptions) -> Option<Key> {
    let current_dir = system.current_dir().ok().filter(|_| !options.skip_unrelated)?;
    Some((current_dir, dir.to_owned(), options.release, options.keeps_blocks))
}
