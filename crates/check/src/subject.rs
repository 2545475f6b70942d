//! A module being checked, and what is found on the way.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{
    CheckRequest, UNREADABLE, levels,
    policy_set::{Policies, PolicyFindings},
    readmes::Readmes,
    units::Units,
};
use config::{Configurations, Settings};
use diagnostics::{Diagnostic, Diagnostics, Finding, Location, Role, Span, lints};
use projection::schema::words_of;
use release::Release;
use report::MOST_PARTS;
use system::{LimitedSystem, System, paths};
use tf_eval::Meter;
use verdict::{
    JudgeSetting, Loaded,
    tree::{ContractDirectories, Library, Locator, Manifest, Reach},
};

/// The data that all modules of a run share.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    pub request: &'a CheckRequest,
    pub system: &'a dyn System,
    pub configurations: &'a Configurations<'a>,
    /// Called modules.
    pub library: &'a Library,
    pub policies: &'a Policies,
    pub units: &'a Units,
    pub readmes: &'a Readmes,
}

/// A values file whose values are not here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Absent {
    /// As shown.
    pub file: String,
    /// A sentence about the file: `git-crypt has encrypted it`.
    pub reason: String,
}

/// What a problem keeps from being judged.
#[derive(Debug, Default)]
pub(super) struct Unjudged {
    /// Addresses, the first of them.
    pub parts: BTreeSet<String>,
    /// Whether there are more.
    pub is_more: bool,
    /// The values files whose values are not completely judged, as shown.
    pub files: BTreeSet<String>,
}

/// A part that a problem keeps from being judged.
#[derive(Debug)]
pub(super) struct Block {
    pub by: Span,
    pub part: String,
    /// The values file whose value it is about, as shown.
    pub file: Option<String>,
    /// Whether the problem is in the same value or block.
    pub is_own: bool,
}

/// A module being checked, and what is found on the way.
pub(super) struct CheckedModule<'a> {
    pub settings: Settings,
    /// The release whose verdict this is.
    pub release: Release,
    pub request: &'a CheckRequest,
    pub configurations: &'a Configurations<'a>,
    pub units: &'a Units,
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
    /// Whether its files were read within the limits of work.
    pub is_loaded: bool,
    /// What problems keep from being judged, by the place of each problem, and whether that is in the same value or
    /// block.
    pub blocked: BTreeMap<(Span, bool), Unjudged>,
    /// The findings of policies about it.
    pub of_policies: PolicyFindings,
    /// The file whose documentation was written, as shown.
    pub documented: Option<String>,
}

impl<'a> CheckedModule<'a> {
    /// Whether a finding is reported. What a rule covers that is off is not fixed either.
    pub fn reports(&self, found: &Diagnostic) -> bool {
        let finding = Finding::new(found, &self.shown, &self.module.sources);
        levels::adjust(self.configurations, finding).is_some()
    }

    /// Loads the module of a directory; its calls stay away until [`super::module_calls::load`] follows
    /// them.
    pub fn load(context: &RunContext<'a>, dir: &'a Path) -> io::Result<CheckedModule<'a>> {
        let configurations = context.configurations;
        CheckedModule::load_by(context, dir, configurations.settings(dir), configurations)
    }

    /// Like [`CheckedModule::load`], by other settings and contracts than the nearest file's.
    pub fn load_by(
        context: &RunContext<'a>,
        dir: &'a Path,
        settings: Settings,
        contracts: &dyn ContractDirectories,
    ) -> io::Result<CheckedModule<'a>> {
        let RunContext { request, system, configurations, library, policies, units, .. } = *context;
        let system = LimitedSystem::new(system, settings.max_file_size);
        let meter = Meter::new(settings.limits);
        let original = RefCell::default();
        let load = |options: &module::LoadOptions| {
            let options = &policies.options(options);
            library.prepare(&system, dir, options, &Meter::new(settings.limits));
            let copy = library.copy(dir, options, settings.max_file_size, &meter);
            let Some((module, diagnostics, shared)) = copy else {
                original.take();
                return module::load_metered(&system, dir, options, &meter);
            };
            original.replace(shared);
            Ok((module, diagnostics))
        };
        let wanted = settings.release;
        let (module, mut diagnostics, release) = if settings.calls {
            let locator = &locator(&settings, &system, dir, contracts);
            // The work of reading the tree counts where it is judged.
            let reading = &Meter::new(settings.limits);
            let keeps_blocks = policies.options(&module::LoadOptions::default()).keeps_blocks;
            let reach = Reach { system: &system, library, locator, keeps_blocks, meter: reading };
            reach.load(wanted, load)?
        } else {
            module::load_wanted(wanted, load)?
        };
        let original = original.into_inner();
        let (mut module, shown) = (Loaded::copy_of(original, module), paths::display(dir));
        module.distrust(&mut diagnostics);
        let is_readable = !diagnostics.iter().any(is_unreadable);
        let is_loaded = !diagnostics.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED);
        Ok(CheckedModule {
            settings,
            release,
            request,
            configurations,
            units,
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
            is_loaded,
            blocked: BTreeMap::new(),
            of_policies: PolicyFindings::default(),
            documented: None,
        })
    }
}

/// Whether it is an error that makes a module unreadable.
fn is_unreadable(it: &Diagnostic) -> bool {
    it.is_error() && it.rule.is_one_of(&UNREADABLE)
}

/// Finds what the module of a directory calls.
pub(super) fn locator<'l>(
    settings: &Settings,
    system: &dyn System,
    dir: &Path,
    contracts: &'l dyn ContractDirectories,
) -> Locator<'l> {
    if settings.initialised {
        Locator::initialised(Manifest::read(system, dir, None), Some(contracts))
    } else {
        Locator::of_sources(contracts)
    }
}

impl CheckedModule<'_> {
    /// Notes that something is not judged.
    pub fn block(&mut self, block: Block) {
        let Block { by, part, file, is_own } = block;
        let all = self.blocked.entry((by, is_own)).or_default();
        all.files.extend(file);
        if all.parts.len() < MOST_PARTS {
            all.parts.insert(part);
        } else {
            all.is_more |= !all.parts.contains(&part);
        }
    }

    pub fn system(&self) -> &dyn System {
        &self.system
    }

    /// The place of the first error that makes the module unreadable.
    pub fn unreadable(&self) -> Option<Span> {
        self.diagnostics.iter().filter(|it| is_unreadable(it)).find_map(Diagnostic::span)
    }

    /// The place of a problem, as reports have it.
    pub fn location(&self, problem: Span) -> Location {
        Location::new(Role::Declaration, problem, "", &self.module.sources)
    }

    /// The setting for judging its inputs.
    pub fn setting(&self) -> JudgeSetting<'_> {
        JudgeSetting {
            system: &self.system,
            base_dir: self.dir,
            release: self.release,
            workspace: None,
            awaits: true,
            onward: None,
            meter: &self.meter,
            words: Some(words_of),
        }
    }

    /// The path of its schema file.
    pub fn schema_path(&self) -> PathBuf {
        paths::clean(&self.dir.join(&self.settings.schema_file))
    }
}
