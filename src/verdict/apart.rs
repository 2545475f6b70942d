//! What is so of a called module wherever it is called, so that it is found out once.

use std::{
    collections::{BTreeMap, HashSet},
    iter,
    path::Path,
};

use smol_str::SmolStr;

use super::{
    Setting,
    graph::Graph,
    members::Members,
    pass,
    rule::{self, Rule},
    tree::Tree,
};
use crate::{
    eval::{self, Meter, Root},
    module::{Module, Values},
    system::DeniedSystem,
    version::Version,
};

/// Without files, a working directory or a workspace: what needs one is not the same everywhere.
fn nowhere(version: Version, meter: &Meter) -> Setting<'_> {
    Setting {
        system: &DeniedSystem,
        base_dir: Path::new("."),
        version,
        workspace: None,
        awaits_files: false,
        meter,
    }
}

/// Whether the static pass finds nothing in a module that calls none.
pub(super) fn is_quiet(module: &Module, version: Version) -> bool {
    let meter = Meter::default();
    let setting = nowhere(version, &meter);
    let tree = Tree::default();
    let members = Members::new(module, &tree);
    let Ok(graph) = Graph::new(&members) else { return false };
    let found = pass::run(&members, &graph, pass::Inputs::Unknown, setting, None, None);
    found.diagnostics.is_empty() && !meter.is_exhausted()
}

/// The variables whose rules read nothing but them, and let their defaults pass: that is so wherever
/// the module is called, and whenever.
pub(super) fn sound_defaults(module: &Module, version: Version) -> HashSet<SmolStr> {
    let meter = Meter::default();
    let setting = nowhere(version, &meter);
    let host = setting.host();
    let mut values = Values::new(module, BTreeMap::new(), None, &host, version);
    let mut sound = HashSet::new();
    for (name, variable) in &module.variables {
        let Some(default) = &variable.default else { continue };
        let rules = variable.validations.iter();
        let mut exprs = rules.flat_map(|it| iter::once(&it.condition).chain(&it.error_message));
        let is_own = |it: &Root<'_>| {
            it.name == "var" && it.first == Some(eval::Step::Attribute(name.as_str()))
        };
        if !exprs.all(|it| eval::references(it).iter().all(is_own)) {
            continue;
        }
        values.set(variable, default.clone());
        let sources = &module.sources;
        let holds = |validation| {
            host.begin(None);
            let rule = Rule { variable, validation, given: None, sources, is_static: false };
            rule::check(&rule, &values).is_empty()
        };
        if variable.validations.iter().all(holds) && !host.is_timed() && !meter.is_exhausted() {
            sound.insert(name.clone());
        }
    }
    sound
}
