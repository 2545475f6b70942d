//! The values files of one module: judged as Terraform would, then validated against the schema.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    absent,
    examples::{self, is_example},
    judged_set, named,
    occurrences::Occurrences,
    parts::Parts,
    rules::{missing_variable, schema_violation},
    subject::CheckedModule,
};
use config::{NamedInputs, Settings};
use diagnostics::{Level, Span};
use module::inputs::{self, InputArgument, InputSource, is_auto_file};
use projection::schema::Schema;
use system::paths;
use verdict::Read;

/// Values files that are used together, in addition to the automatic ones.
pub(super) struct InputSet {
    /// In Terraform's order; empty for the automatic files alone.
    pub files: Vec<PathBuf>,
    /// The level of missing required variables: an error where nothing else can give them, `None` where
    /// the files are never used alone.
    pub missing: Option<Level>,
    /// The `input` block that the set is of; `None` for one by convention.
    pub named: Option<Arc<NamedInputs>>,
    /// Whether it is an example: what its values do to the rest of the module is not judged.
    pub is_example: bool,
}

impl Default for InputSet {
    /// The automatic files alone.
    fn default() -> InputSet {
        InputSet {
            files: Vec::new(),
            missing: Some(Level::Warning),
            named: None,
            is_example: false,
        }
    }
}

impl InputSet {
    /// Whether nothing but the location of its file says that it is for the module.
    pub fn is_by_location(&self) -> bool {
        self.named.is_none() && self.missing == Some(Level::Warning)
    }

    /// Whether a value for the variable comes from elsewhere.
    pub fn leaves_open(&self, settings: &Settings, name: &str) -> bool {
        settings.given.covers(name) || self.named.as_ref().is_some_and(|it| it.given.covers(name))
    }
}

/// Judges the inputs that the configuration names, or else the conventional sets: the automatic files
/// together, then each other file on top of them. Returns whether there are any.
pub(super) fn check(
    subject: &mut CheckedModule<'_>,
    values: &[PathBuf],
    schema: &Schema,
) -> io::Result<bool> {
    let (examples, values): (Vec<PathBuf>, Vec<PathBuf>) =
        values.iter().cloned().partition(|it| is_example(it));
    let is_any_judged = if subject.settings.inputs.is_empty() {
        check_conventional(subject, &values, schema)
    } else {
        let (sets, empty) = named::sets(subject)?;
        subject.diagnostics.extend(empty);
        named::note_unnamed(subject, &values)?;
        check_sets(subject, &sets, schema)
    };
    check_examples(subject, &examples, schema);
    Ok(is_any_judged)
}

/// Judges examples of values files, each alone.
pub(super) fn check_examples(subject: &mut CheckedModule<'_>, files: &[PathBuf], schema: &Schema) {
    let options = subject.settings.schema.clone();
    examples::check(subject, files, &schema_violation::Validator::new(schema, &options));
}

/// Judges these files together, on top of the automatic ones.
pub(super) fn check_together(subject: &mut CheckedModule<'_>, files: &[PathBuf], schema: &Schema) {
    let set =
        InputSet { files: files.to_vec(), missing: Some(Level::Error), ..InputSet::default() };
    check_sets(subject, &[set], schema);
}

/// Judges the automatic files together, then every other file on top of them.
pub(super) fn check_conventional(
    subject: &mut CheckedModule<'_>,
    values: &[PathBuf],
    schema: &Schema,
) -> bool {
    let sets = conventional(subject.dir, values);
    check_sets(subject, &sets, schema)
}

/// Whether Terraform reads a file automatically for the module in a directory.
pub(super) fn is_automatic(dir: &Path, path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    is_auto_file(name) && path.parent().is_some_and(|it| paths::clean(it) == paths::clean(dir))
}

/// The automatic files together, then every other file on top of them. Other sources of values are possible:
/// `-var`, the environment, another file.
pub(super) fn conventional(dir: &Path, values: &[PathBuf]) -> Vec<InputSet> {
    let mut sets = Vec::new();
    if values.iter().any(|it| is_automatic(dir, it)) {
        sets.push(InputSet::default());
    }
    for file in values.iter().filter(|it| !is_automatic(dir, it)) {
        sets.push(InputSet { files: vec![file.clone()], ..InputSet::default() });
    }
    sets
}

/// Judges the sets one after another. A finding that several sets share is reported once. Returns
/// whether any set was judged.
fn check_sets(subject: &mut CheckedModule<'_>, sets: &[InputSet], schema: &Schema) -> bool {
    if sets.is_empty() {
        return false;
    }
    let validator = schema_violation::Validator::new(schema, &subject.settings.schema);
    let mut automatic = read(subject, true, &[]);
    let absent = absent::of_automatic(subject, &automatic);
    if !absent.is_empty() {
        subject.absent.extend(absent);
        return false;
    }
    subject.absent.extend(absent::sealed(&mut automatic));
    subject.judged.extend(files_of(&automatic));
    let overridden = judged_set::overridden(subject, &automatic.layers);
    subject.diagnostics.extend(overridden);
    let mut found = Occurrences::default();
    let parts = Parts::default();
    for (at, set) in sets.iter().enumerate() {
        if subject.meter.is_exhausted() {
            break;
        }
        let mut own = read(subject, false, &set.files);
        let mut absent = absent::encrypted(subject, &own);
        // A pattern may match files of both kinds.
        if set.is_by_location() || set.named.as_ref().is_some_and(|it| !it.each.is_empty()) {
            absent.extend(absent::for_backend(subject, &own));
        }
        if !absent.is_empty() {
            subject.absent.extend(absent);
            continue;
        }
        subject.absent.extend(absent::sealed(&mut own));
        subject.meter.charge(work(&automatic));
        let overridden = judged_set::overridden(subject, &own.layers);
        subject.diagnostics.extend(overridden);
        let read = automatic.clone().overlaid(own);
        note_declared(subject, &read);
        let beside = parts.beside(at, sets);
        let place = missing_variable::file(&read.layers, set.files.is_empty());
        let place = place.and_then(|it| subject.module.sources.find(&it));
        let place = place.map(|it| Span::new(it, 0, 0));
        let outcome = judged_set::check(subject, set, read, place, Some(&beside), &validator);
        found.add(outcome.found, place);
        outcome.blocked.into_iter().for_each(|it| subject.block(it));
        // What the work did not suffice for is not judged.
        if !subject.meter.is_exhausted() {
            subject.judged.extend(set.files.iter().map(|it| paths::display(it)));
        }
    }
    let is_any_judged = found.is_any();
    subject.diagnostics.extend(found.merged());
    is_any_judged
}

/// Notes the values for declared variables, so that `--fix-inputs` leaves them to this module.
fn note_declared(subject: &mut CheckedModule<'_>, read: &Read) {
    if !subject.request.fixes_inputs_now() {
        return;
    }
    for layer in &read.layers {
        let InputSource::File(file) = &layer.origin else { continue };
        let names = layer.entries.keys();
        let names = names.filter(|it| subject.module.variables.contains_key(it.as_str()));
        subject.declared.extend(names.map(|it| (file.clone(), it.clone())));
    }
}

/// The values files that were read, as shown.
pub(super) fn files_of(read: &Read) -> impl Iterator<Item = String> {
    read.layers.iter().filter_map(|it| match &it.origin {
        InputSource::File(path) => Some(path.clone()),
        _ => None,
    })
}

/// The units of work of a set of inputs, and of reading a file.
pub(super) const SET: u64 = 100;
pub(super) const FILE: u64 = 300;

/// Reads the automatic files, or the given ones.
pub(super) fn read(subject: &mut CheckedModule<'_>, auto_files: bool, files: &[PathBuf]) -> Read {
    // What is beyond the budget is not read; a finding says so.
    let files = if subject.meter.charge(FILE * files.len() as u64) { files } else { &[] };
    let arguments = files.iter().map(|it| argument(subject, it)).collect();
    let dir = subject.dir.to_owned();
    let request = inputs::InputRequest { dir, environment: false, auto_files, arguments };
    let read = subject.module.read(&subject.system, &request);
    subject.meter.charge(work(&read));
    read
}

/// The work of reading or scanning values.
pub(super) fn work(read: &Read) -> u64 {
    let bytes = |it: &Span| u64::from(it.end - it.start);
    let values = read.layers.iter().flat_map(|it| it.entries.values());
    values.map(|it| 1 + bytes(&it.given.span()) / 8).sum()
}

/// A values file's path is relative to the current directory; Terraform's is relative to the module.
fn argument(subject: &CheckedModule<'_>, file: &Path) -> InputArgument {
    // The module may lie above the current directory, whose own name then matters.
    let is_below = |it: &Path| !it.has_root() && !it.starts_with("..");
    if is_below(subject.dir) && is_below(file) {
        return InputArgument::File(paths::relative(subject.dir, file));
    }
    let current = subject.system().current_dir().unwrap_or_default();
    InputArgument::File(paths::relative(&current.join(subject.dir), &current.join(file)))
}
