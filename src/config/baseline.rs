//! `baseline`: the file with the findings that are known, which a run keeps quiet about.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Configurations, find::Layer};
use crate::{
    diagnostic::{Diagnostic, Finding, Level, Role, Sources, Span, rules},
    system::paths,
};

impl Layer {
    /// The file that it names, absolute.
    fn baseline(&self) -> Option<PathBuf> {
        let file = self.config.baseline.as_ref()?;
        Some(paths::clean(&self.dir.join(file)))
    }
}

impl Configurations<'_> {
    /// The baseline (absolute) of a directory, relative to the current one or absolute: the nearest
    /// file that names one counts.
    pub fn baseline(&self, dir: &Path) -> Option<PathBuf> {
        self.chain(&self.absolute(dir)).layers.iter().rev().find_map(|it| it.baseline())
    }

    /// As [`Configurations::baseline`], as far as the file in a directory (absolute) and outer ones say.
    pub fn baseline_up_to(&self, dir: &Path, nearest: &Path) -> Option<PathBuf> {
        let chain = self.chain(&self.absolute(dir)).up_to(nearest);
        chain.layers.iter().rev().find_map(|it| it.baseline())
    }

    /// The baseline (absolute) that the configuration in a directory (absolute) itself names.
    pub fn own_baseline(&self, dir: &Path) -> Option<PathBuf> {
        self.chain(dir).layers.iter().filter(|it| it.dir == dir).find_map(|it| it.baseline())
    }

    /// Every baseline (absolute) that the files name which were read so far.
    pub fn baselines(&self) -> Vec<PathBuf> {
        self.named_baselines().into_keys().collect()
    }

    /// That a configured baseline cannot be read, at the setting that names it.
    pub fn unreadable_baseline(&self, file: &Path, why: &str) -> Finding {
        let summary = "Unsuitable value for \"baseline\"";
        let problem =
            Diagnostic::new(&rules::INVALID_CONFIGURATION, summary).detail(format!("{why}."));
        match self.named_baselines().get(file) {
            Some(layer) => {
                let place = layer.config.baseline_span;
                Finding::new(&problem.at(Role::Declaration, place), "", &layer.sources)
            }
            None => Finding::new(&problem, "", &Sources::default()),
        }
    }

    /// The level at which it is told that a baseline (absolute) lists what no longer occurs; `None`
    /// where that is off.
    pub fn level_of_unused(&self, file: &Path) -> Option<Level> {
        let shown = paths::display(&paths::relative(&self.current_dir, file));
        let mut sources = Sources::default();
        let place = Span::new(sources.add(shown, Vec::new()), 0, 0);
        let told = Diagnostic::new(&rules::UNUSED_SUPPRESSION, "").at(Role::Declaration, place);
        let dir = file.parent().unwrap_or(file);
        let dir = paths::display(&paths::relative(&self.current_dir, dir));
        self.adjust(Finding::new(&told, &dir, &sources)).map(|it| it.level)
    }

    fn named_baselines(&self) -> BTreeMap<PathBuf, Arc<Layer>> {
        let layers = self.layers().into_values();
        layers.filter_map(|it| Some((it.baseline()?, it))).collect()
    }
}
