//! What a configuration says in vain: it matched nothing in a run that checked everything below it.

use std::{
    path::{Path, PathBuf},
    sync::PoisonError,
};

use smol_str::SmolStr;

use super::{Configurations, NamedInputs, find::Layer};
use crate::diagnostic::{Diagnostic, Diagnostics, Finding, Role};

/// Something that a configuration says and that was of use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// An `ignore` block: its file's directory, its place.
    Ignore(PathBuf, u32),
    /// An `input` block: the module's directory (absolute), the name.
    Input(PathBuf, SmolStr),
    /// A name in `ignore_variables`.
    Variable(SmolStr),
}

impl Configurations<'_> {
    /// Notes that a module's configured inputs are judged, and which variables it has.
    pub fn note_module<'v>(
        &self,
        dir: &Path,
        inputs: &[NamedInputs],
        variables: impl Iterator<Item = &'v SmolStr>,
    ) {
        let name = |it: &NamedInputs| Use::Input(self.absolute(dir), it.name.clone());
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.extend(inputs.iter().map(name));
        used.extend(variables.map(|it| Use::Variable(it.clone())));
    }

    /// What was of no use so far, in the files whose directories are inside of these trees
    /// (relative to the current directory or absolute).
    pub fn unused(&self, trees: &[PathBuf]) -> Vec<Finding> {
        let trees: Vec<PathBuf> = trees.iter().map(|it| self.absolute(it)).collect();
        let layers = self.layers().into_values();
        let layers = layers.filter(|it| trees.iter().any(|tree| it.dir.starts_with(tree)));
        let findings = layers.flat_map(|layer| {
            let found = self.unused_of(&layer);
            let found = found.iter().map(|it| Finding::new(it, "", &layer.sources));
            found.collect::<Vec<Finding>>()
        });
        findings.collect()
    }

    pub(super) fn note(&self, it: Use) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(it);
    }

    fn unused_of(&self, layer: &Layer) -> Diagnostics {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        for it in &layer.config.ignores {
            if !used.contains(&Use::Ignore(layer.dir.clone(), it.span.start)) {
                let summary = format!("An ignore block of {} silences nothing", it.rule);
                let problem = Diagnostic::warning("unused-suppression", summary);
                found.push(problem.at(Role::Declaration, it.span).help("remove the block"));
            }
        }
        for (set, (module, named)) in layer.config.inputs.iter().zip(&layer.inputs) {
            if !used.contains(&Use::Input(module.clone(), named.name.clone())) {
                let summary = format!("The input \"{}\" is of no module that is checked", set.name);
                let detail = format!("\"{}\" declares no variables, or is left out.", set.module);
                let problem = Diagnostic::error("unreadable-input", summary).detail(detail);
                found.push(problem.at(Role::Declaration, set.span));
            }
        }
        let schema = &layer.config.schema;
        for name in schema.ignore_variables.iter().flatten() {
            if !used.contains(&Use::Variable(name.into())) {
                let summary =
                    format!("ignore_variables names \"{name}\", which no module declares");
                let problem = Diagnostic::warning("unused-suppression", summary);
                found.push(problem.at(Role::Declaration, schema.ignore_variables_span));
            }
        }
        found
    }
}
