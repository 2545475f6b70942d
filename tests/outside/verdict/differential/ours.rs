//! Our verdict on inputs of a reduced module.

use std::path::{Path, PathBuf};

use diagnostics::{Diagnostics, has_errors};
use module::{
    Module,
    inputs::{self, InputArgument, InputRequest},
};
use release::Release;
use system::OsSystem;
use testkit::verdict::system::TestSystem;
use tf_eval::Meter;
use verdict::{JudgeSetting, Judgement, PreparedJudge, tree::ModuleTree};

use super::terraform::{Blame, MODULE};

/// A reduced module in a directory of its own.
pub struct Reduced {
    release: Release,
    pub dir: PathBuf,
    pub module: Module,
    /// One for all inputs, as in a check of several values files.
    judge: PreparedJudge,
    system: TestSystem,
}

impl Reduced {
    /// Writes and loads the module; `None` when it does not load.
    pub fn new(dir: &Path, text: &str, release: Release) -> Option<Reduced> {
        std::fs::write(dir.join(MODULE), text).unwrap();
        let options = module::LoadOptions { release, ..module::LoadOptions::default() };
        let (module, problems) = module::load(&OsSystem, dir, &options).unwrap();
        let system = TestSystem::at(dir);
        let judge = PreparedJudge::new(&module, &ModuleTree::default());
        let dir = dir.to_owned();
        (!has_errors(&problems)).then(|| Reduced { release, dir, module, judge, system })
    }

    /// The judgement on a JSON object of values.
    pub fn judge(&self, input: &str) -> Judgement {
        let file = "in.tfvars.json";
        let system = self.system.with_file(file, input);
        let request = InputRequest {
            dir: self.dir.clone(),
            environment: false,
            auto_files: false,
            arguments: vec![InputArgument::File(PathBuf::from(file))],
        };
        let mut sources = self.module.sources.clone();
        let (layers, mut said) = inputs::read(&system, &mut sources, &request, self.release);
        let (collected, found) =
            inputs::collect(&self.module.variables, layers, self.release, &Meter::default());
        said.extend(found);
        let missing = inputs::without_value(&self.module.variables, &collected);
        said.extend(missing.map(inputs::missing));
        if has_errors(&said) {
            return Judgement::rejected(said);
        }
        let meter = Meter::default();
        let mut setting = JudgeSetting::new(&system, &self.dir, self.release, &meter);
        setting.workspace = Some("default");
        self.judge.judge(&self.module, &ModuleTree::default(), Some(&collected), setting)
    }
}

pub fn blame(diagnostics: &Diagnostics) -> Blame {
    let errors = diagnostics.iter().filter(|it| it.is_error());
    errors.map(|it| (it.variable.as_ref().map(ToString::to_string), it.validation)).collect()
}
