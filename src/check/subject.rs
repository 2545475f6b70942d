//! A module being checked, and what is found on the way.

use std::{
    collections::{BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

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
    verdict::{
        Loaded, Setting,
        tree::{Library, Locator, Manifest, Reach},
    },
};

/// The data that all modules of a run share.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    pub request: &'a Request,
    pub system: &'a dyn System,
    pub configurations: &'a Configurations<'a>,
    /// Called modules.
    pub library: &'a Library,
    pub policies: &'a Policies,
}

/// A values file whose values are not here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Absent {
    /// As shown.
    pub file: String,
    /// A sentence about the file: `git-crypt has encrypted it`.
    pub reason: String,
}

/// A module being checked, and what is found on the way.
pub(super) struct Subject<'a> {
    pub settings: Settings,
    /// The release whose verdict this is.
    pub release: Release,
    pub request: &'a Request,
    pub system: LimitedSystem<'a>,
    pub dir: &'a Path,
    /// The directory as shown.
    pub shown: String,
    pub module: Loaded,
    /// Counts the work on this module.
    pub meter: Meter,
    pub diagnostics: Diagnostics,
    /// Values files that were judged, as shown.
    pub judged: BTreeSet<String>,
    /// Values files whose values are not here.
    pub absent: BTreeSet<Absent>,
    /// Values files that the request excludes, as shown.
    pub left_out: BTreeSet<String>,
    /// Values for declared variables, each with its file as shown; only for `--fix-inputs`.
    pub declared: HashSet<(String, SmolStr)>,
    /// The error that broke the check off.
    pub failure: Option<String>,
    /// Whether its own files could be read.
    pub is_readable: bool,
    /// Whether loading it found no error.
    pub is_sound: bool,
    /// The findings of policies about it.
    pub of_policies: Said,
}

impl<'a> Subject<'a> {
    /// Loads the module of a directory; its calls stay away until [`super::module_calls::load`] follows
    /// them.
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
        let wanted = settings.release;
        let (module, diagnostics, release) = if settings.calls {
            let locator = &locator(&settings, &system, dir, configurations);
            // The work of reading the tree counts where it is judged.
            let reading = &Meter::new(settings.limits);
            let keeps_blocks = policies.options(&module::Options::default()).keeps_blocks;
            let reach = Reach { system: &system, library, locator, keeps_blocks, meter: reading };
            reach.load(wanted, load)?
        } else {
            module::load_wanted(wanted, load)?
        };
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
            absent: BTreeSet::new(),
            left_out: BTreeSet::new(),
            declared: HashSet::new(),
            failure: None,
            is_readable,
            is_sound,
            of_policies: Said::default(),
        })
    }
}

/// Finds what the module of a directory calls.
pub(super) fn locator<'l>(
    settings: &Settings,
    system: &dyn System,
    dir: &Path,
    configurations: &'l Configurations<'_>,
) -> Locator<'l> {
    if settings.initialised {
        Locator::initialised(Manifest::read(system, dir, None), Some(configurations))
    } else {
        Locator::of_sources(configurations)
    }
}

impl Subject<'_> {
    pub fn system(&self) -> &dyn System {
        &self.system
    }

    /// The setting for judging its inputs.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            system: &self.system,
            base_dir: self.dir,
            release: self.release,
            workspace: None,
            awaits: true,
            meter: &self.meter,
        }
    }

    /// The path of its schema file.
    pub fn schema_path(&self) -> PathBuf {
        paths::clean(&self.dir.join(&self.settings.schema_file))
    }
}
