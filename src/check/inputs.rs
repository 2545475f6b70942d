//! The values files of one module: judged as Terraform would, then validated against the schema.

use std::{
    io,
    path::{Path, PathBuf},
    rc::Rc,
};

use foldhash::{HashMap, HashSet};
use indexmap::IndexSet;
use smol_str::SmolStr;

use super::{
    absent,
    parts::Parts,
    rules::{missing_variable, schema_violation, undeclared_value::Undeclared, unknown_attribute},
    subject::Subject,
};
use crate::{
    config::Expanded,
    diagnostic::{Diagnostic, Diagnostics, Level, Role, Rule, Span, has_errors, rules},
    inputs::{self, Argument, Origin, is_auto_file},
    schema::Schema,
    system::paths,
    verdict::Read,
};

/// Values files that are used together, beside the automatic ones.
pub(super) struct InputSet {
    /// In Terraform's order; empty for the automatic files alone.
    pub files: Vec<PathBuf>,
    /// The level of missing required variables: an error where nothing else can give them, `None` where
    /// the files are never used alone.
    pub missing: Option<Level>,
}

impl InputSet {
    /// Whether nothing but the place of its file says that it is for the module.
    fn is_by_place(&self) -> bool {
        self.missing == Some(Level::Warning)
    }
}

/// Judges the inputs that the configuration names, or else the conventional sets: the automatic files
/// together, then each other file on top of them. Returns whether there are any.
pub(super) fn check(
    subject: &mut Subject<'_>,
    values: &[PathBuf],
    schema: &Schema,
) -> io::Result<bool> {
    if subject.settings.inputs.is_empty() {
        return Ok(check_conventional(subject, values, schema));
    }
    let (sets, empty) = named_sets(subject)?;
    subject.diagnostics.extend(empty);
    Ok(check_sets(subject, &sets, schema))
}

/// The inputs that the configuration names, and diagnostics for names that match no file.
pub(super) fn named_sets(subject: &mut Subject<'_>) -> io::Result<(Vec<InputSet>, Diagnostics)> {
    let (mut sets, mut found) = (Vec::new(), Diagnostics::new());
    let (mut known, mut configurations) = (Expanded::default(), HashMap::default());
    for named in subject.settings.inputs.clone() {
        let files = named.expand(&subject.system, &mut known)?;
        // Files that are not read for a set may still be named by it.
        let work = SET + known.take_work() + files.len() as u64;
        if !subject.meter.charge(work) {
            break;
        }
        if files.is_empty() {
            let summary = format!("The input \"{}\" matches no file", named.name);
            let sources = subject.module.sources_mut();
            let add = || sources.add(named.file.path.clone(), named.file.bytes.clone());
            let file = *configurations.entry(named.file.path.clone()).or_insert_with(add);
            let empty = Diagnostic::new(&rules::UNREADABLE_INPUT, summary);
            found.push(empty.at(Role::Declaration, Span { file, ..named.span }));
        } else {
            let missing = (!named.partial).then_some(Level::Error);
            let files = seen_from(subject, files)?;
            let is_excluded = |it: &PathBuf| {
                subject.request.exclude.as_ref().is_some_and(|globs| globs.covers(it))
            };
            // They are used together, so that the others alone would be judged wrongly.
            if files.iter().any(is_excluded) {
                subject.left_out.extend(files.iter().map(|it| paths::display(it)));
                continue;
            }
            sets.push(InputSet { files, missing });
        }
    }
    Ok((sets, found))
}

/// Judges these files together, on top of the automatic ones.
pub(super) fn check_together(subject: &mut Subject<'_>, files: &[PathBuf], schema: &Schema) {
    check_sets(subject, &[InputSet { files: files.to_vec(), missing: Some(Level::Error) }], schema);
}

/// Judges the automatic files together, then every other file on top of them.
pub(super) fn check_conventional(
    subject: &mut Subject<'_>,
    values: &[PathBuf],
    schema: &Schema,
) -> bool {
    let sets = conventional(subject.dir, values);
    check_sets(subject, &sets, schema)
}

/// Absolute paths in the form in which the module's directory is written.
fn seen_from(subject: &Subject<'_>, files: Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let current = subject.system().current_dir()?;
    let is_inside = !subject.dir.has_root() && !subject.dir.starts_with("..");
    let shorten = |it: PathBuf| if is_inside { paths::relative(&current, &it) } else { it };
    Ok(files.into_iter().map(shorten).collect())
}

/// The automatic files together, then every other file on top of them.
pub(super) fn conventional(dir: &Path, values: &[PathBuf]) -> Vec<InputSet> {
    let is_automatic = |path: &&PathBuf| {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        is_auto_file(name) && path.parent().is_some_and(|it| paths::clean(it) == paths::clean(dir))
    };
    let mut sets = Vec::new();
    if values.iter().any(|it| is_automatic(&it)) {
        sets.push(InputSet { files: Vec::new(), missing: Some(Level::Error) });
    }
    for file in values.iter().filter(|it| !is_automatic(it)) {
        // Other sources of values are possible: `-var`, the environment, another file.
        sets.push(InputSet { files: vec![file.clone()], missing: Some(Level::Warning) });
    }
    sets
}

/// Judges the sets one after another. A finding that several sets share is reported once. Returns
/// whether any set was judged.
fn check_sets(subject: &mut Subject<'_>, sets: &[InputSet], schema: &Schema) -> bool {
    if sets.is_empty() {
        return false;
    }
    let validator = schema_violation::Validator::new(schema, &subject.settings.schema);
    let automatic = read(subject, true, &[]);
    let absent = absent::of_automatic(subject, &automatic);
    if !absent.is_empty() {
        subject.absent.extend(absent);
        return false;
    }
    subject.judged.extend(files_of(&automatic));
    let (mut found, mut is_any_judged) = (IndexSet::new(), false);
    let parts = Parts::default();
    for (at, set) in sets.iter().enumerate() {
        if subject.meter.is_exhausted() {
            break;
        }
        let own = read(subject, false, &set.files);
        let mut absent = absent::encrypted(subject, &own);
        if set.is_by_place() {
            absent.extend(absent::for_backend(subject, &own));
        }
        if !absent.is_empty() {
            subject.absent.extend(absent);
            continue;
        }
        is_any_judged = true;
        subject.judged.extend(set.files.iter().map(|it| paths::display(it)));
        subject.meter.charge(work(&automatic));
        let read = automatic.clone().overlaid(own);
        note_declared(subject, &read);
        let beside = || parts.beside(at, sets, subject);
        found.extend(check_set(subject, set, read, beside, &validator));
    }
    subject.diagnostics.extend(found);
    is_any_judged
}

/// Notes the values for declared variables, so that `--fix-inputs` leaves them to this module.
fn note_declared(subject: &mut Subject<'_>, read: &Read) {
    if !subject.request.fixes_inputs_now() {
        return;
    }
    for layer in &read.layers {
        let Origin::File(file) = &layer.origin else { continue };
        let names = layer.entries.keys();
        let names = names.filter(|it| subject.module.variables.contains_key(it.as_str()));
        subject.declared.extend(names.map(|it| (file.clone(), it.clone())));
    }
}

/// The values files that were read, as shown.
fn files_of(read: &Read) -> impl Iterator<Item = String> {
    read.layers.iter().filter_map(|it| match &it.origin {
        Origin::File(path) => Some(path.clone()),
        _ => None,
    })
}

/// The units of work of a set of inputs, and of reading a file.
const SET: u64 = 100;
pub(super) const FILE: u64 = 300;

/// Reads the automatic files, or the given ones.
pub(super) fn read(subject: &mut Subject<'_>, auto_files: bool, files: &[PathBuf]) -> Read {
    // What is beyond the budget is not read; a finding says so.
    let files = if subject.meter.charge(FILE * files.len() as u64) { files } else { &[] };
    let arguments = files.iter().map(|it| argument(subject, it)).collect();
    let dir = subject.dir.to_owned();
    let request = inputs::Request { dir, environment: false, auto_files, arguments };
    let read = subject.module.read(&subject.system, &request);
    subject.meter.charge(work(&read));
    read
}

/// Judges values that are used together. `beside`: the variables of the files that may come with them.
fn check_set(
    subject: &Subject<'_>,
    set: &InputSet,
    read: Read,
    beside: impl Fn() -> Rc<HashSet<SmolStr>>,
    validator: &schema_violation::Validator<'_>,
) -> Diagnostics {
    if has_errors(&read.said) {
        return read.said;
    }
    let module = &subject.module;
    let place = missing_variable::file(&read.layers, set.files.is_empty());
    let undeclared = Undeclared::of(module, &read.layers);
    let mut ready = read.collect(module, subject.setting());
    undeclared.fix(&mut ready.said, &module.sources, subject.request.fixes_inputs_now());
    let mut names = missing_variable::take_out(&mut ready.said);
    let lacks_any = !names.is_empty();
    if set.is_by_place() && lacks_any {
        let parts = beside();
        names.retain(|name| !parts.contains(name.as_str()));
    }
    let shown: Vec<String> = set.files.iter().map(|it| paths::display(it)).collect();
    let place = place.filter(|_| !names.is_empty()).and_then(|it| module.sources.find(&it));
    let place = place.map(|it| Span::new(it, 0, 0));
    let missing = set.missing.and_then(|it| missing_variable::found(&names, it, &shown, place));
    // Terraform stops at errors.
    ready.said.extend(missing.iter().filter(|it| it.is_error()).cloned());
    let mut said = if has_errors(&ready.said) {
        std::mem::take(&mut ready.said)
    } else {
        ready.judge().diagnostics
    };
    // Values from elsewhere come with these, and may replace the defaults used here.
    let is_incomplete =
        || set.missing.is_none() || lacks_any || set.is_by_place() && !beside().is_empty();
    if has_errors(&said) && is_incomplete() {
        let is_given = |name: &SmolStr| ready.values.contains_key(name);
        let may_be_of_default = |it: &Diagnostic| {
            let is_of_given =
                it.rule == rules::FAILED_VALIDATION && it.variable.as_ref().is_some_and(is_given);
            it.is_error() && it.rule.is_one_of(&OF_VALUES) && !is_of_given
        };
        if said.iter().any(may_be_of_default) {
            // An error that occurs with every value stays an error.
            let always = module.judge_alone(subject.setting()).diagnostics;
            let is_open = |it: &&mut Diagnostic| may_be_of_default(it) && !always.contains(it);
            said.iter_mut().filter(is_open).for_each(leave_open);
        }
    }
    // The judge reports missing variables too.
    if !missing.as_ref().is_some_and(Diagnostic::is_error) {
        missing_variable::take_out(&mut said);
        said.extend(missing);
    }
    let (is_judged, product) = (!has_errors(&said), subject.release.product());
    for (name, input) in &ready.values {
        let Some(variable) = module.variables.get(name) else { continue };
        let sources = &module.sources;
        let given = unknown_attribute::Given { variable, declared: sources, input, sources };
        said.extend(unknown_attribute::check(given, product, subject.request.keeps_all));
        // A diagnostic without a variable is about all variables.
        let is_own =
            |diagnostic: &&Diagnostic| diagnostic.variable.as_ref().is_none_or(|it| it == name);
        let own: Vec<&Diagnostic> = said.iter().filter(is_own).collect();
        if !own.iter().any(|it| it.is_error()) {
            let found = validator.check(variable, input, is_judged && own.is_empty());
            said.extend(found);
        }
    }
    said
}

/// Weakens a diagnostic that may only follow from a default, which values from elsewhere replace.
fn leave_open(it: &mut Diagnostic) {
    it.detail = format!("With the values that are here the plan fails: {}", it.message());
    "These files are incomplete, and more values may change this".clone_into(&mut it.summary);
    (it.rule, it.level) = ((&rules::UNDECIDED_VALIDATION).into(), Level::Warning);
}

/// Rules whose errors depend on all values together.
const OF_VALUES: [&Rule; 5] = [
    &rules::FAILED_VALIDATION,
    &rules::FAILED_CONDITION,
    &rules::FAILED_EVALUATION,
    &rules::INVALID_COUNT,
    &rules::INVALID_FOR_EACH,
];

/// The work of reading or scanning values.
fn work(read: &Read) -> u64 {
    let bytes = |it: &Span| u64::from(it.end - it.start);
    let values = read.layers.iter().flat_map(|it| it.entries.values());
    values.map(|it| 1 + bytes(&it.given.span()) / 8).sum()
}

/// A values file's path is relative to the current directory; Terraform's is relative to the module.
fn argument(subject: &Subject<'_>, file: &Path) -> Argument {
    // The module may lie above the current directory, whose own name then matters.
    let is_below = |it: &Path| !it.has_root() && !it.starts_with("..");
    if is_below(subject.dir) && is_below(file) {
        return Argument::File(paths::relative(subject.dir, file));
    }
    let current = subject.system().current_dir().unwrap_or_default();
    Argument::File(paths::relative(&current.join(subject.dir), &current.join(file)))
}
