//! `baseline`: the file of known findings, which a run does not report.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Configurations, find::Layer};
use diagnostics::{Diagnostic, Finding, Level, Role, Sources, Span, lints};
use system::paths;

impl Layer {
    /// The file that this layer names, absolute.
    fn baseline(&self) -> Option<PathBuf> {
        let file = self.config.baseline.as_ref()?;
        Some(paths::clean(&self.dir.join(file)))
    }
}

impl Configurations<'_> {
    /// The baseline (absolute) of a directory, which may be relative to the current one: the nearest
    /// configuration that names one counts.
    pub fn baseline(&self, dir: &Path) -> Option<PathBuf> {
        self.chain(&self.absolute(dir)).layers.iter().rev().find_map(|it| it.baseline())
    }

    /// Like [`Configurations::baseline`], but reads only the configuration in `nearest` (absolute) and
    /// outer ones.
    pub fn baseline_up_to(&self, dir: &Path, nearest: &Path) -> Option<PathBuf> {
        let chain = self.chain(&self.absolute(dir)).up_to(nearest);
        chain.layers.iter().rev().find_map(|it| it.baseline())
    }

    /// The baseline (absolute) that the configuration in a directory (absolute) itself names.
    pub fn own_baseline(&self, dir: &Path) -> Option<PathBuf> {
        self.chain(dir).layers.iter().filter(|it| it.dir == dir).find_map(|it| it.baseline())
    }

    /// Every baseline (absolute) that the configurations read so far name.
    pub fn baselines(&self) -> Vec<PathBuf> {
        self.named_baselines().into_keys().collect()
    }

    /// The finding for an unreadable baseline, at the setting that names it.
    pub fn unreadable_baseline(&self, file: &Path, why: &str) -> Finding {
        let summary = "Unsuitable value for \"baseline\"";
        let problem =
            Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(format!("{why}."));
        match self.named_baselines().get(file) {
            Some(layer) => {
                let place = layer.config.baseline_span;
                Finding::new(&problem.at(Role::Declaration, place), "", &layer.sources)
            }
            None => Finding::new(&problem, "", &Sources::default()),
        }
    }

    /// The level of findings about entries of a baseline (absolute) that no longer occur; `None` if
    /// these are off.
    pub fn level_of_unused(&self, file: &Path) -> Option<Level> {
        let shown = paths::display(&paths::relative(&self.current_dir, file));
        let mut sources = Sources::default();
        let place = Span::new(sources.add(shown, Vec::new()), 0, 0);
        let unused = Diagnostic::new(&lints::UNUSED_SUPPRESSION, "").at(Role::Declaration, place);
        let dir = file.parent().unwrap_or(file);
        let dir = paths::display(&paths::relative(&self.current_dir, dir));
        self.adjust(Finding::new(&unused, &dir, &sources)).map(|it| it.level)
    }

    fn named_baselines(&self) -> BTreeMap<PathBuf, Arc<Layer>> {
        let layers = self.layers().into_values();
        layers.filter_map(|it| Some((it.baseline()?, it))).collect()
    }
}
