//! The release of a tree: the newest that a module and everything it calls admits.

use std::{
    collections::{HashSet, VecDeque},
    io,
    path::PathBuf,
    sync::Arc,
};

use super::{Library, Locator, library::Shared};
use diagnostics::Diagnostics;
use module::{LoadOptions, Module, ModuleCall, RequiredVersion};
use release::{Release, Wanted};
use system::System;
use tf_eval::Meter;

/// How often a tree is read by another release: a release decides which files of a module count.
const ROUNDS: usize = 4;

/// The means of finding what a module calls.
#[derive(Clone, Copy)]
pub struct Reach<'a> {
    pub system: &'a dyn System,
    pub library: &'a Library,
    pub locator: &'a Locator<'a>,
    /// As in `module::LoadOptions`; the library keeps what it loads.
    pub keeps_blocks: bool,
    /// Counts the work. Where it is exhausted, the modules that were found decide.
    pub meter: &'a Meter,
}

impl Reach<'_> {
    /// Loads a module by the wanted release, which is also returned. Where the newest is wanted, it is the
    /// newest that the module and everything it calls admits; if there is none, the newest that the module
    /// admits.
    ///
    /// Errors: the module cannot be read.
    pub fn load(
        &self,
        wanted: Wanted,
        load: impl Fn(&LoadOptions) -> io::Result<(Module, Diagnostics)>,
    ) -> io::Result<(Module, Diagnostics, Release)> {
        let (mut module, mut diagnostics, mut release) = module::load_wanted(wanted, &load)?;
        let Wanted::Newest(product) = wanted else { return Ok((module, diagnostics, release)) };
        for _ in 0..ROUNDS {
            if module.calls.is_empty() {
                break;
            }
            let demands = self.demands(&module, release);
            if module::admits(&demands, release) {
                break;
            }
            let Some(admitted) = module::newest_admitted(&demands, product) else { break };
            if admitted == release {
                break;
            }
            release = admitted;
            (module, diagnostics) = load(&LoadOptions { release, ..LoadOptions::default() })?;
        }
        Ok((module, diagnostics, release))
    }

    /// The version constraints of a module and of all that it calls, each module once; also of modules that the
    /// release does not run. A directory counts as the same module on every path to it: links, or more `..` than there
    /// are directories, make endless paths.
    pub fn demands(&self, root: &Module, release: Release) -> Vec<RequiredVersion> {
        let mut demands = root.required_versions.clone();
        let mut seen: HashSet<PathBuf> = HashSet::new();
        let mut pending: VecDeque<(Arc<Shared>, String)> = VecDeque::new();
        let mut add = |called: Option<(Arc<Shared>, String)>, pending: &mut VecDeque<_>| {
            if let Some((it, key)) = called
                && seen.insert(it.real_dir.clone())
            {
                demands.extend(it.module.required_versions.iter().cloned());
                pending.push_back((it, key));
            }
        };
        for call in root.calls.values() {
            add(self.called(root, "", call, release), &mut pending);
        }
        while let Some((it, key)) = pending.pop_front() {
            if self.meter.is_exhausted() {
                break;
            }
            for call in it.module.calls.values() {
                add(self.called(&it.module, &key, call, release), &mut pending);
            }
        }
        demands
    }

    /// The module that a call leads to, and its key in `modules.json`. `None` where it is not here.
    fn called(
        &self,
        caller: &Module,
        key: &str,
        call: &ModuleCall,
        release: Release,
    ) -> Option<(Arc<Shared>, String)> {
        let source = &call.source.as_ref()?.0;
        let separator = if key.is_empty() { "" } else { "." };
        let key = format!("{key}{separator}{}", call.name);
        let version = call.version.as_ref().map(|it| it.0.as_str());
        let dir =
            self.locator.locate(&caller.dir, &key, source, version, release, self.system).ok()?;
        let options =
            LoadOptions { release, keeps_blocks: self.keeps_blocks, ..LoadOptions::default() };
        let loaded = self.library.load(self.system, &dir, &options, self.meter).ok()?;
        Some((loaded, key))
    }
}
