//! Settings of a configuration without effect: they matched nothing in a run that checked everything
//! below.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use smol_str::SmolStr;

use super::{Configurations, Globs, ModulePaths, NamedInputs, find::Layer};
use diagnostics::{
    Diagnostic, Diagnostics, Finding, LevelReason, MOST_NAMES, Role, at_most_of_a_kind,
    did_you_mean, lints,
};

/// A setting that had an effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// An `ignore` block: its file's directory, and its place.
    Ignore(PathBuf, u32),
    /// An `input` block: the module's directory (absolute), and the name.
    Input(PathBuf, SmolStr),
    /// A name in `ignore_variables`.
    Variable(SmolStr),
    /// A pattern of paths or names: its file's directory, the place of its list, and its index there.
    Pattern(PathBuf, u32, usize),
}

impl Configurations<'_> {
    /// Notes that a module's configured inputs are judged, and the names of its variables.
    pub fn note_module<'v>(
        &self,
        dir: &Path,
        inputs: &[Arc<NamedInputs>],
        variables: impl Iterator<Item = &'v SmolStr> + Clone,
    ) {
        let dir = self.absolute(dir);
        let chain = self.chain(&dir);
        let name = |it: &Arc<NamedInputs>| Use::Input(dir.clone(), it.name.clone());
        let of_files =
            chain.layers.iter().filter_map(|it| Some((&it.dir, it.config.given.as_ref()?)));
        let given = of_files.chain(inputs.iter().map(|it| (&it.dir, &it.given)));
        let given = given.filter(|it| !it.1.is_empty()).flat_map(|(dir, names)| {
            let covering = variables.clone().flat_map(|it| names.covering(it));
            covering.map(|it| Use::Pattern(dir.clone(), names.span.start, it))
        });
        let given: Vec<Use> = given.collect();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.extend(given);
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
                let summary = format!("An ignore block of {} has no effect", it.rule);
                let problem = Diagnostic::new(&lints::UNUSED_SUPPRESSION, summary);
                found.push(problem.at(Role::Declaration, it.span).help("remove the block"));
            }
        }
        found.extend(unused_inputs(layer, &used));
        found.extend(unused_patterns(layer, &used));
        found.extend(unused_names(layer, &used));
        let schema = &layer.config.schema;
        for name in schema.ignore_variables.iter().flatten() {
            if !used.contains(&Use::Variable(name.into())) {
                let summary =
                    format!("ignore_variables lists \"{name}\", which no module declares");
                let problem = Diagnostic::new(&lints::UNUSED_SUPPRESSION, summary);
                found.push(problem.at(Role::Declaration, schema.ignore_variables_span));
            }
        }
        found
    }
}

/// Inputs that are for no checked module, and patterns of modules that match none.
fn unused_inputs(layer: &Layer, used: &HashSet<Use>) -> Diagnostics {
    let mut found = Vec::new();
    let mut modules: HashMap<&SmolStr, Vec<&PathBuf>> = HashMap::new();
    for it in used {
        if let Use::Input(module, name) = it {
            modules.entry(name).or_default().push(module);
        }
    }
    for (set, block) in layer.config.inputs.iter().zip(&layer.inputs) {
        let modules = modules.get(&set.name).map(Vec::as_slice).unwrap_or_default();
        let is_for = |at: usize| modules.iter().any(|it| block.modules[at].names(it));
        let problem = |summary: String| Diagnostic::new(&lints::UNREADABLE_INPUT, summary);
        let unused: Vec<usize> = (0..block.modules.len()).filter(|it| !is_for(*it)).collect();
        let is_void = unused.len() == block.modules.len();
        let declares_none = "declares no variables, or is excluded.";
        match &set.modules {
            ModulePaths::One(module) if is_void => {
                let summary =
                    format!("The input \"{}\" belongs to no module that is checked", set.name);
                let problem = problem(summary).detail(format!("\"{module}\" {declares_none}"));
                found.push(problem.at(Role::Declaration, set.span));
            }
            ModulePaths::One(_) => (),
            ModulePaths::Matching(patterns, span) => {
                for at in unused {
                    let summary = format!(
                        "\"{}\" in modules matches no module that is checked",
                        patterns[at]
                    );
                    let problem =
                        problem(summary).detail(format!("What it matches {declares_none}"));
                    let problem = if is_void {
                        problem
                    } else {
                        problem.because(LevelReason::OthersHaveEffect)
                    };
                    found.push(problem.at(Role::Declaration, *span));
                }
            }
        }
    }
    found
}

/// Names in `given` that no module declares.
fn unused_names(layer: &Layer, used: &HashSet<Use>) -> Diagnostics {
    let of_sets = layer.config.inputs.iter().filter_map(|it| it.given.as_ref());
    let declared = used.iter().filter_map(|it| match it {
        Use::Variable(name) => Some(name.as_str()),
        _ => None,
    });
    let declared: BTreeSet<&str> = declared.collect();
    let mut found = Vec::new();
    for names in layer.config.given.iter().chain(of_sets) {
        for (at, name) in names.patterns.iter().enumerate() {
            if used.contains(&Use::Pattern(layer.dir.clone(), names.span.start, at)) {
                continue;
            }
            let summary = format!("given lists \"{name}\", which none of its modules declares");
            let near = declared.iter().copied().take(MOST_NAMES);
            let detail = did_you_mean(name, near).trim_start().to_owned();
            let problem = Diagnostic::new(&lints::UNUSED_SUPPRESSION, summary).detail(detail);
            found.push(problem.at(Role::Declaration, names.span));
        }
    }
    found
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
                let detail = "None of its patterns matches anything, so nothing is checked.";
                Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail)
            } else {
                Diagnostic::new(&lints::UNUSED_SUPPRESSION, summary)
            };
            let help = "write patterns relative to the directory of the configuration file";
            found.push(problem.at(Role::Declaration, globs.span).help(help));
        }
    }
    found
}
