//! Facts about a called module that do not depend on its caller, so they are determined once.

use std::path::Path;

use super::{
    JudgeSetting,
    graph::Graph,
    members::Members,
    pass::{self, Extent},
    tree::{ModuleTree, Shared},
};
use release::Release;
use system::DeniedSystem;
use tf_eval::Meter;

/// Whether the static pass finds nothing in a module that calls no other, apart from its variables'
/// rules.
pub(super) fn is_quiet(shared: &Shared, release: Release) -> bool {
    let meter = Meter::default();
    // No files, no working directory, no workspace: an expression that needs one differs from place to
    // place.
    let (system, base_dir) = (&DeniedSystem, Path::new("."));
    let setting = JudgeSetting::new(system, base_dir, release, &meter);
    let tree = ModuleTree::default();
    let members = Members::of_leaf(shared, &tree);
    let graph = Graph::new(&members);
    if !graph.cycles.is_empty() {
        return false;
    }
    let found = pass::run(&members, &graph, pass::Inputs::Anywhere, setting, Extent::default());
    found.diagnostics.is_empty() && !meter.is_exhausted()
}
