//! A module being checked, and what is found on the way.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use super::{
    Request, UNREADABLE,
    policies::{Policies, Said},
};
use crate::{
    config::{Configurations, Settings},
    diagnostic::{Diagnostic, Diagnostics, has_errors},
    eval::Meter,
    module,
    release::Release,
    system::{LimitedSystem, System, paths},
    verdict::{Loaded, Setting, tree::Library},
};

/// What all modules of a run have in common.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    pub request: &'a Request,
    pub system: &'a dyn System,
    pub configurations: &'a Configurations<'a>,
    /// Called modules.
    pub library: &'a Library,
    pub policies: &'a Policies,
}

/// A module being checked, and what is found on the way.
pub(super) struct Subject<'a> {
    pub settings: Settings,
    /// Whose verdict it is.
    pub release: Release,
    pub request: &'a Request,
    pub system: LimitedSystem<'a>,
    pub dir: &'a Path,
    /// The directory as shown.
    pub shown: String,
    pub module: Loaded,
    /// Counts the work.
    pub meter: Meter,
    pub diagnostics: Diagnostics,
    /// Values files that were judged, as shown.
    pub judged: BTreeSet<String>,
    /// What could not be done.
    pub failure: Option<String>,
    /// Nothing keeps its own files from being read.
    pub is_readable: bool,
    /// Loading it found no error.
    pub is_sound: bool,
    /// What the rules of policies say of it.
    pub of_policies: Said,
}

impl<'a> Subject<'a> {
    /// Loads the module of a directory; what it calls is away until [`super::module_calls::load`] follows it.
    pub fn load(context: &RunContext<'a>, dir: &'a Path) -> io::Result<Subject<'a>> {
        let RunContext { request, system, configurations, library, policies } = *context;
        let settings = configurations.settings(dir);
        let system = LimitedSystem::new(system, settings.max_file_size);
        let meter = Meter::new(settings.limits);
        let load = |options: &module::Options| {
            let options = &policies.options(options);
            let copy = library.copy(dir, options, settings.max_file_size, &meter);
            copy.map_or_else(|| module::load_metered(&system, dir, options, &meter), Ok)
        };
        let (module, diagnostics, release) = module::load_wanted(settings.release, load)?;
        let (module, shown) = (Loaded::new(module), paths::display(dir));
        let is_unreadable = |it: &Diagnostic| it.is_error() && it.rule.is_one_of(&UNREADABLE);
        let is_readable = !diagnostics.iter().any(is_unreadable);
        let is_sound = !has_errors(&diagnostics);
        Ok(Subject {
            settings,
            release,
            request,
            system,
            dir,
            shown,
            module,
            meter,
            diagnostics,
            judged: BTreeSet::new(),
            failure: None,
            is_readable,
            is_sound,
            of_policies: Said::default(),
        })
    }
}

impl Subject<'_> {
    pub fn system(&self) -> &dyn System {
        &self.system
    }

    /// What judging its inputs needs.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            system: &self.system,
            base_dir: self.dir,
            release: self.release,
            workspace: None,
            awaits_files: true,
            meter: &self.meter,
        }
    }

    /// The schema file.
    pub fn schema_path(&self) -> PathBuf {
        paths::clean(&self.dir.join(&self.settings.schema_file))
    }
}
