//! One run: find the modules, check each in parallel, report in a stable order.

use std::{
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    Directory, discover,
    module_run::{self, Outcome},
};
use crate::{report::Report, schema, system::System, version::Version};

/// What to check and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and directories; none is the current directory.
    pub targets: Vec<PathBuf>,
    pub settings: Settings,
    /// Rewrite schemas that are stale, create those that are missing.
    pub fix: bool,
}

/// What the configuration says of a module.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The schema's path relative to the module's directory.
    pub schema_file: String,
    pub schema: schema::Options,
    /// Write `<`, `>` and `&` of a schema as `\u003c`, `\u003e` and `\u0026`.
    pub escape_json: bool,
    pub version: Version,
    /// Read `.tofu` files.
    pub opentofu: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            schema_file: "schema.json".to_owned(),
            schema: schema::Options::default(),
            escape_json: false,
            version: Version::NEWEST,
            opentofu: false,
        }
    }
}

/// Checks every module that the request names. Findings are in the report; an error means that the
/// run itself could not be made: a target that does not exist, a directory that cannot be read.
pub fn run(request: &Request, system: &dyn System) -> io::Result<Report> {
    let directories = discover(system, &request.targets, &request.settings.schema_file)?;
    let mut report = Report::default();
    let mut loose = Vec::new();
    let outcomes: Vec<io::Result<Outcome>> = directories
        .par_iter()
        .map(|(dir, directory)| module_run::check(request, system, dir, directory))
        .collect();
    for outcome in outcomes {
        merge(&mut report, &mut loose, outcome?);
    }
    // Values files beside source files without variables belong to a module further up.
    for file in loose {
        let Some(owner) = module_above(&report, &file) else { continue };
        let directory = Directory { has_sources: true, has_schema: true, values: vec![file] };
        let outcome = module_run::check_inputs(request, system, &owner, &directory)?;
        merge(&mut report, &mut Vec::new(), outcome);
    }
    report.sort();
    Ok(report)
}

fn merge(report: &mut Report, loose: &mut Vec<PathBuf>, outcome: Outcome) {
    report.findings.extend(outcome.findings);
    report.modules.extend(outcome.module);
    loose.extend(outcome.loose);
}

fn module_above(report: &Report, file: &Path) -> Option<PathBuf> {
    let is_module = |dir: &&Path| {
        let path = crate::system::paths::display(dir);
        report.modules.iter().any(|it| it.path == path)
    };
    file.ancestors().skip(2).find(is_module).map(Path::to_owned)
}
