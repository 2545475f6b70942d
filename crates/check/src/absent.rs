//! Values files whose values are not here: they are encrypted, everybody makes their own, or they configure a
//! backend. The sets that they belong to are not judged.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{CheckRequest, FileRole};
use crate::{
    backend_config::configures_backend,
    subject::{Absent, CheckedModule},
};
use diagnostics::{Cause, Diagnostic, Finding, Role, Sources, Span, has_errors, lints};
use module::inputs::{InputSource, Layer, SealedCounts, is_auto_file};
use report::ValuesFiles;
use system::{System, paths};
use verdict::Read;

/// The absent ones of a module's automatic files.
pub(super) fn of_automatic(subject: &CheckedModule<'_>, read: &Read) -> Vec<Absent> {
    let mut found = encrypted(subject, read);
    if has_errors(&read.diagnostics) {
        found.extend(dangling(subject.system(), subject.dir));
    }
    found
}

/// The files that cannot be read, because they are encrypted.
pub(super) fn encrypted(subject: &CheckedModule<'_>, read: &Read) -> Vec<Absent> {
    let sources = &subject.module.sources;
    let unread = read.diagnostics.iter().filter_map(|it| match it.cause {
        Some(Cause::Encrypted(tool)) => Some((sources.file(it.span()?.file).path.clone(), tool)),
        _ => None,
    });
    unread.map(|(file, tool)| Absent { file, reason: format!("{tool} has encrypted it") }).collect()
}

/// Makes values that SOPS has encrypted unknown, and returns the files that hold any. Everything else in these files is
/// judged.
pub(super) fn sealed(read: &mut Read) -> Vec<Absent> {
    let mut found = Vec::new();
    for layer in &mut read.layers {
        let Some(SealedCounts { sealed, plain }) = layer.seal().filter(|it| it.sealed > 0) else {
            continue;
        };
        let InputSource::File(file) = &layer.origin else { continue };
        let reason = match plain {
            0 => "SOPS has encrypted it".to_owned(),
            _ => format!("SOPS has encrypted {sealed} of its {} values", sealed + plain),
        };
        found.push(Absent { file: file.clone(), reason });
    }
    found
}

/// The file that was read if it is for `-backend-config`.
pub(super) fn for_backend(subject: &CheckedModule<'_>, read: &Read) -> Option<Absent> {
    let [Layer { origin: InputSource::File(file), entries, .. }] = &read.layers[..] else {
        return None;
    };
    let is_declared = |name: &str| subject.module.variables.contains_key(name);
    let reason = "it sets only backend arguments, like a file for `-backend-config`";
    configures_backend(file, &entries.keys(), is_declared)
        .then(|| Absent { file: file.clone(), reason: reason.to_owned() })
}

/// Automatic files that are links to nothing and that git ignores: everybody makes values of their own there.
fn dangling(system: &dyn System, dir: &Path) -> Vec<Absent> {
    let entries = system.list(dir).unwrap_or_default();
    let files = entries.iter().filter(|it| is_auto_file(&it.name)).map(|it| dir.join(&it.name));
    let is_missing = |it: io::Error| it.kind() == io::ErrorKind::NotFound;
    let is_awaited = |it: &PathBuf| system.kind(it).is_err_and(is_missing) && system.is_ignored(it);
    let reason = "it is a broken link, and Git ignores files of this name";
    let absent = |it: PathBuf| Absent { file: paths::display(&it), reason: reason.to_owned() };
    files.filter(is_awaited).map(absent).collect()
}

// Values files that belong to no module: counted in general, and an error where the command line names
// one.

/// The findings about the files that the command line names.
pub(super) fn named(
    request: &CheckRequest,
    files: &ValuesFiles,
    system: &dyn System,
) -> io::Result<Vec<Finding>> {
    let current = system.current_dir()?;
    let is_values = |name: &str| FileRole::of(name) == FileRole::Values;
    let mut found = Vec::new();
    for target in &request.targets {
        let file = paths::relative(&current, &paths::clean(&current.join(target)));
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let shown = paths::display(&file);
        if is_values(name) && files.without_module.contains(&shown) {
            found.push(finding(shown));
        }
    }
    Ok(found)
}

fn finding(file: String) -> Finding {
    let summary = format!("{file} belongs to no module, so it was not judged");
    let detail = "Neither its directory nor any above it declares variables.";
    let help = "add it to the `files` of an `input` block with a `module`, in .terraschema.hcl";
    let mut sources = Sources::default();
    let place = Span::new(sources.add(file, Vec::new()), 0, 0);
    let diagnostic = Diagnostic::new(&lints::ORPHAN_INPUT, summary).detail(detail).help(help);
    Finding::new(&diagnostic.at(Role::Value, place), "", &sources)
}
