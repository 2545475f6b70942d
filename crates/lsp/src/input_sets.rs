//! The values files that are used together for a module, and which of these sets somebody looks at.

use std::path::{Path, PathBuf};

use super::contract::Modules;
use module::inputs::{example::is_example_file, is_auto_file};
use system::paths;

/// Values files on top of the automatic ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputSet {
    /// The name of the `input` block, or the path of the file as seen from the module; `None` without files.
    pub name: Option<String>,
    /// Absolute, in Terraform's order.
    pub files: Vec<PathBuf>,
}

impl InputSet {
    /// Whether somebody who asks for a name means this one: the whole name, or the end of its path.
    fn is_called(&self, wanted: &str) -> bool {
        let is_end = |it: &PathBuf| it.ends_with(wanted.trim_start_matches("./"));
        self.name.as_ref().is_some_and(|it| it == wanted) || self.files.last().is_some_and(is_end)
    }
}

/// The sets of the module in a directory (absolute): those of its `input` blocks, or else the automatic files, and each
/// other file on top of them.
pub(crate) fn input_sets(modules: &Modules<'_>, dir: &Path) -> Vec<InputSet> {
    let shown = |it: &Path| paths::display(&paths::relative(dir, it));
    let settings = modules.configurations.settings(dir);
    let (mut sets, mut known) = (Vec::new(), config::Expanded::default());
    for input in &settings.inputs {
        let Ok(expanded) = input.expand(modules.system, &mut known) else { continue };
        let absolute = |it: &PathBuf| paths::clean(&modules.root.join(it));
        let files: Vec<PathBuf> = expanded.files.iter().map(absolute).collect();
        if input.each.is_empty() {
            sets.push(InputSet { name: Some(input.name.to_string()), files });
            continue;
        }
        for file in expanded.each.iter().map(absolute) {
            let name = Some(shown(&file));
            sets.push(InputSet { name, files: [files.clone(), vec![file]].concat() });
        }
    }
    if !sets.is_empty() {
        return sets;
    }
    let has_automatic = !automatic(modules, dir).is_empty();
    let is_automatic = |file: &PathBuf| {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        is_auto_file(name) && file.parent() == Some(dir)
    };
    let files = modules.values_files(dir);
    // An example has placeholders, which nobody runs Terraform with.
    let is_example =
        |file: &PathBuf| file.file_name().and_then(|it| it.to_str()).is_some_and(is_example_file);
    let named = files.into_iter().filter(|it| !is_automatic(it) && !is_example(it));
    sets.extend(named.map(|it| InputSet { name: Some(shown(&it)), files: vec![it] }));
    if has_automatic || sets.is_empty() {
        sets.insert(0, InputSet { name: None, files: Vec::new() });
    }
    sets
}

/// The sets that a name means; all if none has the name.
pub(crate) fn chosen(mut sets: Vec<InputSet>, wanted: Option<&str>) -> Vec<InputSet> {
    let Some(wanted) = wanted else { return sets };
    if sets.iter().any(|it| it.is_called(wanted)) {
        sets.retain(|it| it.is_called(wanted));
    }
    sets
}

/// The names of the files that Terraform reads by itself for the module in a directory.
pub(crate) fn automatic(modules: &Modules<'_>, dir: &Path) -> Vec<String> {
    let entries = modules.system.list(dir).unwrap_or_default();
    entries.into_iter().map(|it| it.name).filter(|it| is_auto_file(it)).collect()
}
