//! Values files whose values are not here: they are encrypted, or everybody makes their own. The sets that they
//! belong to are not judged.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::subject::Subject;
use crate::{
    diagnostic::{Cause, Diagnostic, Diagnostics, has_errors, rules},
    inputs::{Given, is_auto_file},
    syntax::{encrypted_by, json::ValueKind},
    system::{System, paths},
    verdict::Read,
};

/// Diagnostics for the automatic files of a module that are absent; none if all are here.
pub(super) fn of_automatic(subject: &Subject<'_>, read: &Read) -> Diagnostics {
    let mut found = of_read(subject, read);
    if has_errors(&read.said) {
        found.extend(dangling(subject.system(), subject.dir));
    }
    found
}

/// Diagnostics for the encrypted files among those that were read.
pub(super) fn of_read(subject: &Subject<'_>, read: &Read) -> Diagnostics {
    let sources = &subject.module.sources;
    let unread = read.said.iter().filter_map(|it| match it.cause {
        Some(Cause::Encrypted(tool)) => Some((sources.file(it.span()?.file).path.clone(), tool)),
        _ => None,
    });
    let encrypted = unread.chain(read.layers.iter().filter_map(|layer| {
        let added = layer.entries.get("sops").filter(|it| is_of_sops(&it.given))?;
        Some((sources.file(added.name_span.file).path.clone(), "SOPS"))
    }));
    let open = |(path, tool): (String, &str)| open(&path, &format!("{tool} has encrypted it."));
    encrypted.map(open).collect()
}

/// Whether SOPS wrote the value: it leaves names as they are, encrypts values, and adds the name `sops` with a
/// code that authenticates all of them, itself encrypted.
fn is_of_sops(given: &Given) -> bool {
    let Given::Json(added) = given else { return false };
    let code = added.get("mac").map(|it| &it.kind);
    matches!(code, Some(ValueKind::String(it)) if encrypted_by(it.as_bytes()) == Some("SOPS"))
}

/// Diagnostics for automatic files that are links to nothing and that git ignores: everybody makes values of their
/// own there.
fn dangling(system: &dyn System, dir: &Path) -> Diagnostics {
    let entries = system.list(dir).unwrap_or_default();
    let files = entries.iter().filter(|it| is_auto_file(&it.name)).map(|it| dir.join(&it.name));
    let is_missing = |it: io::Error| it.kind() == io::ErrorKind::NotFound;
    let is_awaited = |it: &PathBuf| system.kind(it).is_err_and(is_missing) && system.is_ignored(it);
    let detail = "It is a link that leads to nothing, and git ignores files of its name.";
    files.filter(is_awaited).map(|it| open(&paths::display(&it), detail)).collect()
}

fn open(path: &str, detail: &str) -> Diagnostic {
    let summary = format!("Only a plan can tell which values are in {path}");
    Diagnostic::new(&rules::UNDECIDED_VALIDATION, summary).detail(detail)
}
