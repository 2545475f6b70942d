//! Examples of values files (`terraform.tfvars.example`): judged alone, as values that do not have to be complete.
//!
//! Nobody runs Terraform with an example, so every problem is a [`lints::STALE_EXAMPLE`] and nothing is missing. What
//! does not follow from a value in the file is left out: the rest of the module is not the example's fault.

use std::path::{Path, PathBuf};

use smol_str::SmolStr;

use super::{
    absent,
    inputs::{FILE, InputSet, files_of, work},
    judged_set,
    rules::schema_violation::Validator,
    subject::{Absent, Block, CheckedModule},
};
use diagnostics::{Diagnostic, FileId, Level, Lint, has_errors, lints, suggestion};
use module::{
    inputs::{InputSource, Layer, example::is_example_file, read_example},
    is_module_file,
};
use release::Product;
use system::{EntryKind, paths};
use verdict::Read;

/// Whether a file is an example by its name.
pub(super) fn is_example(file: &Path) -> bool {
    file.file_name().and_then(|it| it.to_str()).is_some_and(is_example_file)
}

/// Judges each of the files.
pub(super) fn check(subject: &mut CheckedModule<'_>, files: &[PathBuf], validator: &Validator<'_>) {
    for file in files {
        if !subject.meter.charge(FILE) {
            break;
        }
        let read = read(subject, file);
        let encrypted = absent::encrypted(subject, &read);
        let for_backend = absent::for_backend(subject, &read);
        let other = of_other_language(subject, file, &read);
        let elsewhere = of_another_module(subject, file, &read);
        let absent: Vec<Absent> =
            encrypted.into_iter().chain(for_backend).chain(other).chain(elsewhere).collect();
        if !absent.is_empty() {
            subject.absent.extend(absent);
            continue;
        }
        subject.meter.charge(work(&read));
        let shown = paths::display(file);
        judge(subject, &shown, read, validator);
        if !subject.meter.is_exhausted() {
            subject.judged.insert(shown);
        }
    }
}

fn read(subject: &mut CheckedModule<'_>, file: &Path) -> Read {
    let CheckedModule { module, system, .. } = subject;
    module.read_by(|sources| {
        let (read, diagnostics) = read_example(system, file, sources);
        let layer = |it: module::inputs::ValuesFile| Layer {
            origin: InputSource::File(it.path),
            entries: it.entries,
            repeated: it.repeated,
        };
        (read.into_iter().map(layer).collect(), diagnostics)
    })
}

/// Judges values that belong to an example, and notes what is found about the values in this file.
pub(super) fn judge(
    subject: &mut CheckedModule<'_>,
    shown: &str,
    read: Read,
    validator: &Validator<'_>,
) {
    let files: Vec<PathBuf> = files_of(&read).map(PathBuf::from).collect();
    let set = InputSet { files, missing: None, named: None, is_example: true };
    let outcome = judged_set::check(subject, &set, read, None, None, validator);
    let Some(file) = subject.module.sources.find(shown) else { return };
    let found = outcome.found.into_iter().filter_map(|it| of_example(it, file));
    let found: Vec<Diagnostic> = found.collect();
    subject.diagnostics.extend(found);
    let is_of_file = |it: &Block| it.by.file == file;
    outcome.blocked.into_iter().filter(is_of_file).for_each(|it| subject.block(it));
}

/// Places an error that follows from given values at the first of them, since it is about the example.
pub(super) fn point_to_values(it: &mut Diagnostic) {
    let is_told = it
        .labels
        .iter()
        .any(|label| it.values.first().is_some_and(|value| value.span.file == label.span.file));
    if it.level() >= Level::Warning && !it.values.is_empty() && !is_told {
        let first = it.values.remove(0);
        it.labels.insert(0, first);
    }
}

/// The finding about an example that a finding about values is. `None` if it does not follow from a value in the file.
fn of_example(it: Diagnostic, file: FileId) -> Option<Diagnostic> {
    let is_about = it.labels.iter().any(|label| label.span.file == file);
    if it.rule.is_one_of(&KEPT) {
        return is_about.then_some(it);
    }
    // The schema may be old.
    if !is_about || it.level() < Level::Warning || it.rule == lints::SCHEMA_VIOLATION {
        return None;
    }
    Some(it.under(&lints::STALE_EXAMPLE))
}

/// What an example has as every other file.
const KEPT: [&Lint; 3] =
    [&lints::UNDECIDED_VALIDATION, &lints::BUDGET_EXCEEDED, &lints::OUTSIDE_ROOT];

/// Why a file is not judged: it does not parse, because it is a template for another program, whose statements are lines
/// of their own, such as `{% for hub in hubs %}`.
fn of_other_language(subject: &CheckedModule<'_>, file: &Path, read: &Read) -> Option<Absent> {
    if !has_errors(&read.diagnostics) {
        return None;
    }
    let sources = &subject.module.sources;
    let file = paths::display(file);
    let text = sources.file(sources.find(&file)?).text();
    let is_statement = |line: &str| line.starts_with("{%") || line.starts_with("{{");
    let is_template = text.lines().any(|it| is_statement(it.trim_start()));
    let reason = "it is a template in another language".to_owned();
    is_template.then_some(Absent { file, reason })
}

/// Why a file is not judged: its variables are of another module. Further down most of them are not declared, or not all
/// of them where other modules lie below the file. Next to the module not even something with a similar name is.
fn of_another_module(subject: &CheckedModule<'_>, file: &Path, read: &Read) -> Option<Absent> {
    let is_next_to_module = file.parent().map(paths::clean) == Some(paths::clean(subject.dir));
    let variables = &subject.module.variables;
    let names: Vec<&SmolStr> = read.layers.iter().flat_map(|it| it.entries.keys()).collect();
    let declared = names.iter().filter(|it| variables.contains_key(it.as_str())).count();
    let is_similar =
        |it: &&SmolStr| suggestion(it, variables.keys().map(SmolStr::as_str)).is_some();
    let is_foreign = if is_next_to_module {
        names.len() > 1 && declared == 0 && !names.iter().any(is_similar)
    } else {
        declared * 2 < names.len()
    };
    let reason = if is_foreign {
        "most of its variables are not those of the nearest module"
    } else if !is_next_to_module && declared < names.len() && lies_above_modules(subject, file) {
        "some of its variables are not those of the nearest module above it, and other modules lie below it"
    } else {
        return None;
    };
    Some(Absent { file: paths::display(file), reason: reason.to_owned() })
}

/// Whether a directory next to a file is one with a module.
fn lies_above_modules(subject: &CheckedModule<'_>, file: &Path) -> bool {
    let Some(dir) = file.parent() else { return false };
    let entries = |dir: &Path| subject.system().list(dir).unwrap_or_default();
    let has_module =
        |dir: &Path| entries(dir).iter().any(|it| is_module_file(&it.name, Product::OpenTofu));
    let mut directories = entries(dir).into_iter().filter(|it| it.kind == EntryKind::Directory);
    directories.any(|it| has_module(&dir.join(it.name)))
}
