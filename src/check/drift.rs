//! The committed schema against the generated one, and `--fix`.

use std::{
    io::{self, ErrorKind},
    path::Path,
};

use super::{
    module_run::{Subject, with_path},
    rules::{
        foreign_schema,
        missing_schema::{missing, untracked},
        stale_schema::stale,
    },
};
use crate::{
    diagnostic::{Diagnostic, Role},
    report::Status,
    schema::Generated,
    system::{Refusal, paths, unreadable},
};

/// Compares, and with `--fix` writes. The text is a unified diff where the two differ in meaning. A
/// schema that cannot be read or written is a failure of the subject.
pub(super) fn check(subject: &mut Subject<'_>, generated: &Generated) -> (Status, Option<String>) {
    let path = subject.schema_path();
    let bytes = match subject.system().read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) if Refusal::of(&error).is_some() => {
            let (shown, sources) = (paths::display(&path), subject.module.sources_mut());
            let found = unreadable(&error, &shown, Role::Schema, sources, || not_regular(&shown));
            subject.diagnostics.push(found);
            return (Status::Stale, None);
        }
        Err(error) => {
            subject.failure = Some(with_path(&error, &path));
            return (Status::Skipped, None);
        }
    };
    let text = generated.schema.to_text(subject.settings.escape_json) + "\n";
    let is_current = bytes.as_ref().is_some_and(|it| it == text.as_bytes());
    let other = bytes.as_ref().filter(|_| !is_current);
    if let Some(found) = other.and_then(|it| foreign_schema::check(subject, it)) {
        subject.diagnostics.push(found);
        return (Status::Stale, None);
    }
    let (found, diff) = match bytes {
        None => (vec![missing(subject)], None),
        // The usual case needs no parsing.
        Some(_) if is_current => (Vec::new(), None),
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

fn not_regular(shown: &str) -> Diagnostic {
    let problem = Diagnostic::error(foreign_schema::RULE, format!("{shown} is no regular file"));
    problem.help("remove it; `terraschema check --fix` then writes the schema")
}

/// Whether the commit at hand holds the schema, where that is asked for.
fn is_tracked(subject: &Subject<'_>, path: &Path) -> bool {
    let Some(tracked) = &subject.request.tracked else { return true };
    let Ok(dir) = subject.system().canonicalize(subject.dir) else { return true };
    tracked.holds(&paths::clean(&dir.join(paths::relative(subject.dir, path))))
}

/// Writes the schema; what is no schema stays as it is (see [`foreign_schema`]).
fn write(subject: &Subject<'_>, text: &str) -> io::Result<()> {
    let path = subject.schema_path();
    if let Some(parent) = path.parent() {
        subject.system().create_dir_all(parent)?;
    }
    subject.system().write_atomic(&path, text.as_bytes())
}
