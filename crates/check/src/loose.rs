//! Values files next to source files that declare no variables. Such a file belongs to the nearest module
//! further up, if there is one: `examples/prod/x.tfvars` next to `examples/prod/outputs.tf`, for example. Without
//! one, and where Terraform reads the file automatically, its values are undeclared ones of the sources next to it.
//!
//! One module may have hundreds of them, so one copy of the module judges several. Each file is judged
//! as if it were alone: the work of one is not taken from the others' budget. Findings about the module
//! itself are reported where the module is checked.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use super::{
    FileRole,
    discover::or_current,
    examples::is_example,
    inputs,
    module_run::{self, Outcome},
    policies,
    subject::{CheckedModule, RunContext},
};
use module::{inputs::is_auto_file, is_override_file};
use projection::schema;
use report::ValuesFiles;
use system::paths;

/// Values files of a module that are judged by one copy of it.
pub(super) struct Group {
    module: PathBuf,
    files: Vec<PathBuf>,
}

/// The number of files in a group: large enough to make loading the module a small part of the work,
/// small enough to give every core a group.
const MOST: usize = 16;

/// Groups the files by the module that owns them, in order; also returns the outcomes of files without
/// one.
pub(super) fn grouped(context: &RunContext<'_>, files: Vec<PathBuf>) -> (Vec<Group>, Vec<Outcome>) {
    let mut owners = Owners { context, known: BTreeMap::new(), of_dirs: BTreeMap::new() };
    let (mut owned, mut others) = (BTreeMap::<PathBuf, Vec<PathBuf>>::new(), Vec::new());
    for file in files {
        match owners.of(&file) {
            Ok(Found { module, of_policies }) => {
                for it in of_policies {
                    owned.entry(it).or_default().push(file.clone());
                }
                match module {
                    Some(module) => owned.entry(module).or_default().push(file),
                    None => others.push(without_module(&file)),
                }
            }
            Err(error) => others.push(Outcome::failed(&error, &file)),
        }
    }
    let of_one = |(module, files): (PathBuf, Vec<PathBuf>)| {
        let chunks = files.chunks(MOST).map(<[PathBuf]>::to_vec);
        chunks.map(|files| Group { module: module.clone(), files }).collect::<Vec<_>>()
    };
    (owned.into_iter().flat_map(of_one).collect(), others)
}

/// Judges each of the files.
pub(super) fn check(context: &RunContext<'_>, group: &Group) -> Vec<Outcome> {
    let mut subject = match CheckedModule::load(context, &group.module) {
        Ok(it) => it,
        Err(error) => return group.files.iter().map(|it| Outcome::failed(&error, it)).collect(),
    };
    subject.diagnostics.clear();
    // What a configuration excludes is here for policies.
    if !subject.settings.included {
        let by_policies = |file: &PathBuf| {
            if is_example(file) {
                return Outcome::default();
            }
            let found = policies::check_loose(&mut subject, context, std::slice::from_ref(file));
            Outcome::default().with(found.unwrap_or_default())
        };
        return group.files.iter().map(by_policies).collect();
    }
    let options = &subject.settings.schema;
    let generated = schema::generate_metered(&subject.module, options, &subject.meter);
    // The part that all files share is charged to each.
    subject.module.judge_all_alone(subject.setting());
    let meter = subject.meter.clone();
    let mut outcomes = Vec::new();
    for file in &group.files {
        subject.meter = meter.forked();
        let files = std::slice::from_ref(file);
        if is_example(file) {
            inputs::check_examples(&mut subject, files, &generated.schema);
        } else {
            inputs::check_conventional(&mut subject, files, &generated.schema);
        }
        outcomes.push(module_run::finish(&mut subject, None));
    }
    let with_policies = |(outcome, file): (Outcome, &PathBuf)| {
        subject.meter = meter.forked();
        if is_example(file) {
            return outcome;
        }
        match policies::check_loose(&mut subject, context, std::slice::from_ref(file)) {
            Some(found) => outcome.with(found),
            None => outcome,
        }
    };
    outcomes.into_iter().zip(&group.files).map(with_policies).collect()
}

fn without_module(file: &Path) -> Outcome {
    let without_module = [paths::display(file)].into();
    let values_files = ValuesFiles { without_module, ..ValuesFiles::default() };
    Outcome { values_files, ..Outcome::default() }
}

/// The modules that values files belong to.
struct Owners<'a> {
    context: &'a RunContext<'a>,
    known: BTreeMap<PathBuf, Nearness>,
    of_dirs: BTreeMap<PathBuf, Found>,
}

/// What a directory is to the values files below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nearness {
    /// A module with variables that the configuration includes.
    Module,
    /// One that the configuration excludes, but that an outer one holds to a policy's rules.
    OfPolicies,
    Other,
}

/// The modules that files of a directory belong to.
#[derive(Clone, Default)]
struct Found {
    module: Option<PathBuf>,
    /// Nearer modules, by which only policies judge the files.
    of_policies: Vec<PathBuf>,
}

impl Owners<'_> {
    fn of(&mut self, file: &Path) -> io::Result<Found> {
        let dir = file.parent().unwrap_or(file);
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        // Terraform reads it with the sources next to it, whatever they declare.
        if is_auto_file(name) && self.has_sources(dir) {
            let module = Some(or_current(dir).to_owned());
            return Ok(Found { module, ..Found::default() });
        }
        if let Some(known) = self.of_dirs.get(dir) {
            return Ok(known.clone());
        }
        let mut found = self.search(file)?;
        // No other module can be meant.
        let own = || self.has_sources(dir).then(|| or_current(dir).to_owned());
        found.module = found.module.or_else(own);
        self.of_dirs.insert(dir.to_owned(), found.clone());
        Ok(found)
    }

    fn has_sources(&self, dir: &Path) -> bool {
        let entries = self.context.system.list(or_current(dir)).unwrap_or_default();
        let mut names = entries.iter().map(|it| it.name.as_str());
        names.any(|it| FileRole::of(it) == FileRole::Source && !is_override_file(it))
    }

    /// Searches the directories above the file's own.
    fn search(&mut self, file: &Path) -> io::Result<Found> {
        let mut found = Found::default();
        let system = self.context.system;
        let current = system.current_dir()?;
        let absolute = paths::clean(&current.join(file));
        for dir in absolute.ancestors().skip(2) {
            let entries = system.list(dir).unwrap_or_default();
            let has_sources = entries.iter().any(|it| FileRole::of(&it.name) == FileRole::Source);
            let shown = paths::relative(&current, dir);
            match if has_sources { self.kind(&shown)? } else { Nearness::Other } {
                Nearness::Module => return Ok(Found { module: Some(shown), ..found }),
                Nearness::OfPolicies => found.of_policies.push(shown),
                Nearness::Other => (),
            }
            // A module never reaches beyond its repository.
            if entries.iter().any(|it| it.name == ".git") {
                break;
            }
        }
        Ok(found)
    }

    fn kind(&mut self, dir: &Path) -> io::Result<Nearness> {
        if let Some(known) = self.known.get(dir) {
            return Ok(*known);
        }
        let subject = CheckedModule::load(self.context, dir)?;
        let kind = match subject.settings.included {
            _ if subject.module.variables.is_empty() => Nearness::Other,
            true => Nearness::Module,
            false if self.context.configurations.has_policy(dir) => Nearness::OfPolicies,
            false => Nearness::Other,
        };
        self.known.insert(dir.to_owned(), kind);
        Ok(kind)
    }
}
