//! The committed schema against the generated one, and `--fix`.

use std::{
    io::{self, ErrorKind},
    path::Path,
};

use super::{
    module_run::{Subject, with_path},
    rules::{
        missing_schema::{missing, untracked},
        stale_schema::stale,
    },
};
use crate::{
    report::Status,
    schema::Generated,
    system::{EntryKind, paths},
};

/// Compares, and with `--fix` writes. The text is a unified diff where the two differ in meaning. A
/// schema that cannot be read or written is a failure of the subject.
pub(super) fn check(subject: &mut Subject<'_>, generated: &Generated) -> (Status, Option<String>) {
    let path = subject.schema_path();
    let bytes = match subject.system.read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            subject.failure = Some(with_path(&error, &path));
            return (Status::Skipped, None);
        }
    };
    let text = generated.schema.to_text(subject.settings.escape_json) + "\n";
    let (found, diff) = match bytes {
        None => (vec![missing(subject)], None),
        // The usual case needs no parsing.
        Some(bytes) if bytes == text.as_bytes() => (Vec::new(), None),
        Some(bytes) => stale(subject, &bytes, &generated.schema.to_json()),
    };
    if found.is_empty() {
        if !is_tracked(subject, &path) {
            let found = untracked(subject);
            subject.diagnostics.push(found);
            return (Status::Missing, None);
        }
        return (Status::Ok, None);
    }
    if subject.request.fix {
        match write(subject, &text) {
            Ok(()) => return (Status::Written, diff),
            Err(error) => subject.failure = Some(with_path(&error, &path)),
        }
    }
    let status = if diff.is_some() || found[0].rule == "stale-schema" {
        Status::Stale
    } else {
        Status::Missing
    };
    subject.diagnostics.extend(found);
    (status, diff)
}

/// Whether the commit at hand holds the schema, where that is asked for.
fn is_tracked(subject: &Subject<'_>, path: &Path) -> bool {
    let Some(tracked) = &subject.request.tracked else { return true };
    let Ok(dir) = subject.system.canonicalize(subject.dir) else { return true };
    tracked.holds(&paths::clean(&dir.join(paths::relative(subject.dir, path))))
}

fn write(subject: &Subject<'_>, text: &str) -> io::Result<()> {
    let path = subject.schema_path();
    stay_in_tree(subject)?;
    if let Some(parent) = path.parent() {
        subject.system.create_dir_all(parent)?;
    }
    subject.system.write_atomic(&path, text.as_bytes())
}

/// A schema that is a symbolic link is written through only where it stays below the current
/// directory, or below the module's own.
fn stay_in_tree(subject: &Subject<'_>) -> io::Result<()> {
    let path = subject.schema_path();
    let Some(name) = path.file_name().and_then(|it| it.to_str()) else { return Ok(()) };
    let parent = path.parent().unwrap_or(Path::new(""));
    let entries = subject.system.list(parent).unwrap_or_default();
    if !entries.iter().any(|it| it.name == name && it.kind == EntryKind::Symlink) {
        return Ok(());
    }
    let target = subject.system.canonicalize(&path)?;
    let roots = [subject.system.current_dir()?, subject.dir.to_owned()];
    let inside = |root: &std::path::PathBuf| {
        subject.system.canonicalize(root).is_ok_and(|it| target.starts_with(it))
    };
    if roots.iter().any(inside) {
        return Ok(());
    }
    let message = format!(
        "{}: a symbolic link that leaves the tree is not written through (it leads to {})",
        paths::display(&path),
        paths::display(&target)
    );
    Err(io::Error::new(ErrorKind::PermissionDenied, message))
}
