//! What we say about a tree of modules.

use std::{collections::BTreeMap, path::Path};

use module::inputs::InputRequest;
use release::Release;
use system::OsSystem;
use tf_eval::Meter;
use verdict::{
    JudgeSetting, Loaded, plan,
    tree::{Library, Locator, Manifest, Reading},
};

use super::{
    answer::Answer,
    system::{TestSystem, arguments},
};

/// What we say, as `validate` does, with places as seen from `base`.
pub fn judge(base: &Path, root: &Path, args: &[String], env: &BTreeMap<String, String>) -> Answer {
    let system = &TestSystem::at(root).with_env(env);
    let release = Release::V1_11;
    let options = &module::LoadOptions { release, ..module::LoadOptions::default() };
    let meter = &Meter::default();
    let (module, mut loading) = module::load_metered(&OsSystem, root, options, meter).unwrap();
    let mut module = Loaded::new(module);
    let library = &Library::default();
    let data_dir = env.get("TF_DATA_DIR").map(String::as_str);
    let locator = &Locator::initialised(Manifest::read(system, root, data_dir), None);
    let request = InputRequest {
        dir: root.to_owned(),
        environment: true,
        auto_files: true,
        arguments: arguments(args),
    };
    let setting = JudgeSetting::new(system, root, release, meter);
    let given = module.given_before(&request, setting);
    let given = given.as_ref();
    loading.extend(module.follow_calls(Reading {
        system,
        options,
        library,
        locator,
        given,
        enters_broken: true,
        meter,
    }));
    let judgement = plan(&mut module, loading, &request, setting);
    Answer::ours(&judgement, &module.sources, &base.to_string_lossy())
}
