//! Tries values files on modules, where nothing else says which module a file is for.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use super::{ReadModule, read_module::Judging, unnamed_values::file_name};
use config::Configurations;
use diagnostics::{Finding, Level, lints};
use module::inputs::InputRequest;
use system::System;

/// The most files and modules that are tried on each other: a repository of hundreds of modules that share hundreds
/// of files must not keep a newcomer waiting.
const MOST_TRIES: usize = 2_000;

/// Modules that values files are tried on, each read once.
pub(super) struct Trials<'a> {
    system: &'a dyn System,
    configurations: &'a Configurations<'a>,
    /// By directory; `None` where the module cannot be judged.
    modules: HashMap<PathBuf, Option<Tried>>,
    left: usize,
}

struct Tried {
    module: ReadModule,
    /// The errors without any values.
    known: Vec<Finding>,
}

impl<'a> Trials<'a> {
    pub fn new(system: &'a dyn System, configurations: &'a Configurations<'a>) -> Trials<'a> {
        Trials { system, configurations, modules: HashMap::new(), left: MOST_TRIES }
    }

    /// Whether a module accepts the values of a file, whatever else it is given. A module that cannot be judged
    /// accepts all.
    pub fn accepts(&mut self, dir: &Path, file: &Path) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return true };
        self.left = left;
        let (system, configurations) = (self.system, self.configurations);
        let tried = self.modules.entry(dir.to_owned()).or_insert_with(|| {
            let settings = configurations.settings(dir);
            let (wanted, limits) = (settings.release, settings.limits);
            let module =
                ReadModule::read(system, dir, wanted, limits, Some(configurations)).ok()?;
            let known = errors(&module, system, configurations, &request(dir));
            Some(Tried { module, known })
        });
        let Some(Tried { module, known }) = tried else { return true };
        let Some(text) = self.system.read(file).ok().and_then(|it| String::from_utf8(it).ok())
        else {
            return true;
        };
        let request = request(dir).text(file_name(file), text);
        let found = errors(module, system, configurations, &request);
        found.iter().all(|it| known.iter().any(|known| is_same(it, known)))
    }
}

fn request(dir: &Path) -> InputRequest {
    InputRequest { dir: dir.to_owned(), ..InputRequest::default() }
}

/// The errors of a module with some values, except for values that are missing.
fn errors(
    module: &ReadModule,
    system: &dyn System,
    configurations: &Configurations<'_>,
    inputs: &InputRequest,
) -> Vec<Finding> {
    let judging = Judging { contracts: Some(configurations), goes_on: true };
    let mut found = module.judge(system, inputs, judging).findings;
    found.retain(|it| it.level == Level::Error && it.rule != lints::MISSING_VARIABLE);
    found
}

/// Whether two findings are of one rule at one place.
fn is_same(a: &Finding, b: &Finding) -> bool {
    let place = |it: &Finding| it.locations.first().map(|at| (at.file.clone(), at.line, at.column));
    a.rule == b.rule && place(a) == place(b)
}
