//! Tries values files on modules, where nothing else says which module a file is for.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use super::{ReadModule, judged_set::OF_VALUES, read_module::Judging, unnamed_values::file_name};
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
        self.with(dir, &[file], |known, found| {
            let is_known = |it: &Finding| known.iter().any(|known| is_same(it, known));
            found.iter().all(is_known)
        })
        .unwrap_or(true)
    }

    /// Whether a module fails with the values of some files as it does without any, so that a value which the files do
    /// not give may mend it.
    pub fn fails_by_default(&mut self, dir: &Path, files: &[PathBuf]) -> bool {
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        self.with(dir, &files, |known, found| {
            let is_of_values = |it: &&Finding| OF_VALUES.iter().any(|lint| it.rule == **lint);
            let mut of_values = found.iter().filter(is_of_values);
            of_values.any(|it| known.iter().any(|known| is_same(it, known)))
        })
        .unwrap_or_default()
    }

    /// Judges a module with the values of some files; `None` where it cannot be judged. `ask` gets what is found
    /// without values and with them.
    fn with<T>(
        &mut self,
        dir: &Path,
        files: &[&Path],
        ask: impl FnOnce(&[Finding], &[Finding]) -> T,
    ) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        let (system, configurations) = (self.system, self.configurations);
        let tried = self.modules.entry(dir.to_owned()).or_insert_with(|| {
            let settings = configurations.settings(dir);
            let (wanted, limits) = (settings.release, settings.limits);
            let module =
                ReadModule::read(system, dir, wanted, limits, Some(configurations)).ok()?;
            let known = errors(&module, system, configurations, &request(dir));
            Some(Tried { module, known })
        });
        let Tried { module, known } = tried.as_ref()?;
        let mut request = request(dir);
        for file in files {
            let text = String::from_utf8(system.read(file).ok()?).ok()?;
            request = request.text(file_name(file), text);
        }
        Some(ask(known, &errors(module, system, configurations, &request)))
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
