//! One module: load it, compare its schema, judge its inputs.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Directory, Request, UNREADABLE, drift, inputs, rules};
use crate::{
    diagnostic::{Diagnostics, Finding},
    module::{self, Module},
    report::{ModuleReport, Status, Translations},
    schema::{self, Generated},
    system::{System, paths},
};

/// What came of one directory.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub findings: Vec<Finding>,
    /// `None` when the directory declares no variables.
    pub module: Option<ModuleReport>,
    /// Values files here that cannot belong to this directory.
    pub loose: Vec<PathBuf>,
}

/// A module being checked, and what is found on the way.
pub(super) struct Subject<'a> {
    pub request: &'a Request,
    pub system: &'a dyn System,
    pub dir: &'a Path,
    /// The directory as shown.
    pub shown: String,
    pub module: Module,
    pub diagnostics: Diagnostics,
}

impl Subject<'_> {
    /// The schema file.
    pub fn schema_path(&self) -> PathBuf {
        paths::clean(&self.dir.join(&self.request.settings.schema_file))
    }
}

/// Checks a directory: its schema and its inputs.
pub(super) fn check(
    request: &Request,
    system: &dyn System,
    dir: &Path,
    directory: &Directory,
) -> io::Result<Outcome> {
    let mut subject = load(request, system, dir)?;
    if subject.module.variables.is_empty() && !has_errors(&subject.diagnostics) {
        return Ok(without_variables(subject, directory));
    }
    if has_errors(&subject.diagnostics) {
        let report = report(&subject, Status::Skipped, &[]);
        return Ok(finish(subject, Some(report)));
    }
    let generated = schema::generate(&subject.module, &request.settings.schema);
    subject.diagnostics.extend(generated.diagnostics.iter().cloned());
    subject.diagnostics.extend(rules::of_module(&subject));
    let (status, diff) = drift::check(&mut subject, &generated)?;
    let sets = inputs::sets(dir, &directory.values);
    inputs::check(&mut subject, &sets, &generated.schema);
    let mut report = report(&subject, status, &[generated]);
    report.diff = diff;
    Ok(finish(subject, Some(report)))
}

/// Judges only the inputs of a module that was already checked.
pub(super) fn check_inputs(
    request: &Request,
    system: &dyn System,
    dir: &Path,
    directory: &Directory,
) -> io::Result<Outcome> {
    let mut subject = load(request, system, dir)?;
    subject.diagnostics.clear();
    let generated = schema::generate(&subject.module, &request.settings.schema);
    let sets = inputs::sets(dir, &directory.values);
    inputs::check(&mut subject, &sets, &generated.schema);
    Ok(finish(subject, None))
}

fn load<'a>(
    request: &'a Request,
    system: &'a dyn System,
    dir: &'a Path,
) -> io::Result<Subject<'a>> {
    let settings = &request.settings;
    let options = module::Options {
        version: settings.version,
        opentofu: settings.opentofu,
        skip_unrelated: false,
    };
    let (module, diagnostics) = module::load(system, dir, &options)?;
    let shown = paths::display(dir);
    Ok(Subject { request, system, dir, shown, module, diagnostics })
}

fn has_errors(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().any(|it| it.is_error() && UNREADABLE.contains(&it.rule))
}

fn without_variables(mut subject: Subject<'_>, directory: &Directory) -> Outcome {
    if directory.has_schema {
        rules::orphan_schema::check(&mut subject);
    }
    let mut outcome = finish(subject, None);
    outcome.loose.clone_from(&directory.values);
    outcome
}

fn report(subject: &Subject<'_>, status: Status, generated: &[Generated]) -> ModuleReport {
    let mut translations = Translations::default();
    for (_, blocks) in generated.iter().flat_map(|it| &it.translations) {
        for block in blocks {
            use crate::condition::Fidelity;
            match block.fidelity() {
                Fidelity::Exact => translations.exact += 1,
                Fidelity::Necessary => translations.necessary += 1,
                Fidelity::Untranslated => translations.untranslated += 1,
            }
        }
    }
    let schema = paths::display(&subject.schema_path());
    ModuleReport { path: subject.shown.clone(), schema, status, translations, diff: None }
}

fn finish(subject: Subject<'_>, module: Option<ModuleReport>) -> Outcome {
    let Subject { shown, module: loaded, diagnostics, .. } = subject;
    let findings = diagnostics.iter().map(|it| Finding::new(it, &shown, &loaded.sources)).collect();
    Outcome { findings, module, loose: Vec::new() }
}
