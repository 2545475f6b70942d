//! Settings of a configuration without effect: they matched nothing in a run that checked everything
//! below.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::PoisonError,
};

use smol_str::SmolStr;

use super::{Configurations, Globs, NamedInputs, find::Layer};
use crate::diagnostic::{Diagnostic, Diagnostics, Finding, Role, at_most_of_a_kind, rules};

/// A setting that had an effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// An `ignore` block: its file's directory, and its place.
    Ignore(PathBuf, u32),
    /// An `input` block: the module's directory (absolute), and the name.
    Input(PathBuf, SmolStr),
    /// A name in `ignore_variables`.
    Variable(SmolStr),
    /// A pattern of paths: its file's directory, the place of its list, and its index there.
    Pattern(PathBuf, u32, usize),
}

impl Configurations<'_> {
    /// Notes that a module's configured inputs are judged, and the names of its variables.
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

    /// Findings about settings without effect so far, in files whose directories are inside of these
    /// trees (relative to the current directory or absolute).
    pub fn unused(&self, trees: &[PathBuf]) -> Vec<Finding> {
        let trees: Vec<PathBuf> = trees.iter().map(|it| self.absolute(it)).collect();
        let layers = self.layers().into_values();
        let layers = layers.filter(|it| trees.iter().any(|tree| it.dir.starts_with(tree)));
        let findings = layers.flat_map(|layer| {
            let found = at_most_of_a_kind(self.unused_of(&layer), &layer.sources);
            let found = found.iter().map(|it| Finding::new(it, "", &layer.sources));
            found.collect::<Vec<Finding>>()
        });
        findings.collect()
    }

    /// Notes the patterns that cover a checked directory, or a file in it.
    pub fn note_paths(&self, dir: &Path, files: &[PathBuf]) {
        let dir = self.absolute(dir);
        for layer in &self.chain(&dir).layers {
            let of_levels = layer.config.levels.iter().filter_map(|it| it.paths.as_ref());
            for globs in lists(layer).chain(of_levels) {
                let mut covering = globs.covering(&layer.relative(&dir));
                if covering.len() < globs.patterns.len() {
                    let names = files.iter().filter_map(|it| it.file_name());
                    let inside = names.map(|it| layer.relative(&dir.join(it)));
                    covering.extend(inside.flat_map(|it| globs.covering(&it)));
                }
                let start = globs.span.start;
                let used = covering.into_iter();
                let used = used.map(|it| Use::Pattern(layer.dir.clone(), start, it));
                let mut all = self.used.lock().unwrap_or_else(PoisonError::into_inner);
                all.extend(used);
            }
        }
    }

    pub(super) fn note(&self, it: Use) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(it);
    }

    fn unused_of(&self, layer: &Layer) -> Diagnostics {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        let today = self.today();
        // An expired block is reported for that.
        for it in layer.config.ignores.iter().filter(|it| !it.is_over(today)) {
            if !used.contains(&Use::Ignore(layer.dir.clone(), it.span.start)) {
                let summary = format!("An ignore block of {} silences nothing", it.rule);
                let problem = Diagnostic::new(&rules::UNUSED_SUPPRESSION, summary);
                found.push(problem.at(Role::Declaration, it.span).help("remove the block"));
            }
        }
        for (set, (module, named)) in layer.config.inputs.iter().zip(&layer.inputs) {
            if !used.contains(&Use::Input(module.clone(), named.name.clone())) {
                let summary = format!("The input \"{}\" is of no module that is checked", set.name);
                let detail = format!("\"{}\" declares no variables, or is left out.", set.module);
                let problem = Diagnostic::new(&rules::UNREADABLE_INPUT, summary).detail(detail);
                found.push(problem.at(Role::Declaration, set.span));
            }
        }
        found.extend(unused_patterns(layer, &used));
        let schema = &layer.config.schema;
        for name in schema.ignore_variables.iter().flatten() {
            if !used.contains(&Use::Variable(name.into())) {
                let summary =
                    format!("ignore_variables names \"{name}\", which no module declares");
                let problem = Diagnostic::new(&rules::UNUSED_SUPPRESSION, summary);
                found.push(problem.at(Role::Declaration, schema.ignore_variables_span));
            }
        }
        found
    }
}

/// The lists of a `modules` block.
fn lists(layer: &Layer) -> impl Iterator<Item = &Globs> {
    layer.config.include.iter().chain(&layer.config.exclude)
}

/// Patterns that cover nothing. If no pattern of an `include` covers anything, nothing is left to check.
fn unused_patterns(layer: &Layer, used: &HashSet<Use>) -> Diagnostics {
    let config = &layer.config;
    let of_levels = config.levels.iter().filter_map(|it| it.paths.as_ref());
    let named = config.include.iter().map(|it| ("include", it));
    let named = named.chain(config.exclude.iter().map(|it| ("exclude", it)));
    let mut found = Vec::new();
    for (name, globs) in named.chain(of_levels.map(|it| ("paths", it))) {
        let is_unused =
            |at: &usize| !used.contains(&Use::Pattern(layer.dir.clone(), globs.span.start, *at));
        let unused: Vec<usize> = (0..globs.patterns.len()).filter(is_unused).collect();
        let is_void = unused.len() == globs.patterns.len() && !globs.has_self();
        for at in unused {
            let summary = format!("\"{}\" in {name} matches nothing", globs.patterns[at]);
            let problem = if name == "include" && is_void {
                let detail = "No pattern of it matches anything, so nothing is checked.";
                Diagnostic::new(&rules::INVALID_CONFIGURATION, summary).detail(detail)
            } else {
                Diagnostic::new(&rules::UNUSED_SUPPRESSION, summary)
            };
            let help = "patterns are relative to the directory of the configuration file";
            found.push(problem.at(Role::Declaration, globs.span).help(help));
        }
    }
    found
}
