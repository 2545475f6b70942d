//! Checks one module for a caller that has found it already.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    CheckRequest, inputs, levels, module_calls,
    module_run::{self, Outcome},
    policy_set::Policies,
    readmes::Readmes,
    subject::{CheckedModule, RunContext},
    units::Units,
};
use config::{Config, Configurations};
use diagnostics::{Diagnostic, Finding, Label, Role};
use module::inputs::is_auto_file;
use projection::schema::Schema;
use report::{NotJudged, Report, ValuesFiles};
use system::System;
use verdict::{Loaded, tree::Library};

/// A module, and what to check in addition to its own files.
#[derive(Clone, Copy, Debug)]
pub struct Single<'a> {
    /// The module's directory, relative to the current one or absolute.
    pub dir: &'a Path,
    /// Values files that are used together, on top of the automatic ones. If empty, the configured
    /// inputs are judged, and without these the automatic files.
    pub values: &'a [PathBuf],
    /// Whether to check the arguments of `module` blocks.
    pub calls: bool,
}

/// Checks one module and writes nothing. A finding in a called module is reported at the place in this
/// module that leads there. With an invalid configuration nothing is checked, and the findings hold its
/// errors only.
///
/// Errors: the directory, the schema or the current directory cannot be read.
pub fn check_single(single: &Single<'_>, system: &dyn System) -> io::Result<Vec<Finding>> {
    Ok(judge_single(single, system)?.findings)
}

/// The findings about a module, and what was not judged.
#[derive(Clone, Debug, Default)]
pub struct SingleReport {
    pub findings: Vec<Finding>,
    pub not_judged: Vec<NotJudged>,
    pub values_files: ValuesFiles,
}

/// Like [`check_single`], with what was not judged.
pub fn judge_single(single: &Single<'_>, system: &dyn System) -> io::Result<SingleReport> {
    // Users of tflint have called modules installed, and may not want them checked.
    let flags =
        Config { initialised: true, calls: (!single.calls).then_some(false), ..Config::default() };
    let configurations = Configurations::new(system, flags, None)?;
    let (request, library) = (CheckRequest::default(), Library::default());
    let configurations = &configurations;
    let policies = Policies::default();
    let (request, library, policies) = (&request, &library, &policies);
    let (units, readmes) = (&Units::default(), &Readmes::default());
    let context = RunContext { request, system, configurations, library, policies, units, readmes };
    let mut subject = module_calls::load(&context, single.dir)?;
    let problems = configurations.problems();
    if !problems.is_empty() {
        return Ok(SingleReport { findings: problems, ..SingleReport::default() });
    }
    if !subject.settings.included {
        return Ok(SingleReport::default());
    }
    if subject.is_loaded {
        let (mut is_judged, mut examined) = (false, None);
        if !subject.module.variables.is_empty() {
            let (generated, ..) = module_run::examine(&mut subject);
            is_judged = check_inputs(&mut subject, single.values, &generated.schema)?;
            examined = Some(generated);
        }
        if !is_judged {
            module_calls::judge_alone(&mut subject);
        }
        module_calls::check(&mut subject);
        if let Some(generated) = &examined {
            module_run::add_refused_rules(&mut subject, generated);
        }
    }
    let module = &subject.module;
    subject.diagnostics.iter_mut().for_each(|it| begin_at_home(it, module));
    let Outcome { findings, failure, not_judged, values_files, .. } =
        module_run::finish(&mut subject, None);
    if let Some(failure) = failure {
        return Err(io::Error::other(failure));
    }
    let findings =
        findings.into_iter().filter_map(|it| levels::adjust(configurations, it)).collect();
    let mut report = Report { findings, not_judged, values_files, ..Report::default() };
    report.settle_blocked();
    let Report { findings, not_judged, values_files, .. } = report;
    Ok(SingleReport { findings, not_judged, values_files })
}

/// Puts a place in the module's own files first: one of the diagnostic's own, such as the argument of a
/// call, or else the block of the call that leads to the called module.
fn begin_at_home(it: &mut Diagnostic, module: &Loaded) {
    let is_own = |it: &Label| !it.span.file.is_adopted();
    if let Some(place) = it.labels.iter().position(is_own) {
        it.labels[..=place].rotate_right(1);
    } else if let Some(call) = it.address.split('.').nth(1).and_then(|it| module.calls.get(it)) {
        let (role, span, text) = (Role::Declaration, call.span, String::new());
        it.labels.insert(0, Label { role, span, text });
    }
}

/// Judges the inputs; returns whether there are any.
fn check_inputs(
    subject: &mut CheckedModule<'_>,
    values: &[PathBuf],
    schema: &Schema,
) -> io::Result<bool> {
    if !values.is_empty() {
        inputs::check_together(subject, values, schema);
        return Ok(true);
    }
    let entries = subject.system().list(subject.dir)?;
    let automatic = entries.iter().filter(|it| is_auto_file(&it.name));
    let automatic: Vec<PathBuf> = automatic.map(|it| subject.dir.join(&it.name)).collect();
    inputs::check(subject, &automatic, schema)
}
