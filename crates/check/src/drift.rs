//! Compares the committed schema with the generated one; `--fix` writes it.

use std::{
    io::{self, ErrorKind},
    path::Path,
};

use super::{
    rules::{
        foreign_schema,
        missing_schema::{missing, untracked},
        stale_schema::stale,
    },
    subject::CheckedModule,
};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use projection::schema::Generated;
use report::Status;
use system::{ExpectedContent, Refusal, paths, unreadable};

/// The result of comparing a committed schema with the generated one.
pub(super) struct Drift {
    pub status: Status,
    /// A unified diff, if the two differ in meaning.
    pub diff: Option<String>,
    pub found: Diagnostics,
    /// The error of reading or writing the schema.
    pub failure: Option<io::Error>,
}

impl Drift {
    fn new(status: Status, found: Option<Diagnostic>) -> Drift {
        Drift { status, diff: None, found: found.into_iter().collect(), failure: None }
    }
}

/// Compares the schemas, and with `--fix` writes `text`, which is the generated one's.
pub(super) fn check(subject: &mut CheckedModule<'_>, generated: &Generated, text: &str) -> Drift {
    let path = subject.schema_path();
    let bytes = match subject.system().read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let drift = Drift::new(Status::Missing, Some(missing(subject)));
            return fixed(subject, ExpectedContent::Nothing, text, drift);
        }
        Err(error) if Refusal::of(&error).is_some() => {
            let (shown, sources) = (paths::display(&path), subject.module.sources_mut());
            let found = unreadable(&error, &shown, Role::Schema, sources, || not_regular(&shown));
            return Drift::new(Status::Stale, Some(found));
        }
        Err(error) => return Drift { failure: Some(error), ..Drift::new(Status::Skipped, None) },
    };
    // The usual case needs no parsing.
    let is_current = bytes == text.as_bytes();
    if !is_current {
        if let Some(found) = foreign_schema::check(subject, &bytes) {
            return Drift::new(Status::Stale, Some(found));
        }
        let (found, diff) = stale(subject, &bytes, &generated.schema.to_json());
        if !found.is_empty() {
            let drift = Drift { diff, found, ..Drift::new(Status::Stale, None) };
            return fixed(subject, ExpectedContent::Bytes(&bytes), text, drift);
        }
    }
    if is_tracked(subject, &path) {
        Drift::new(Status::Ok, None)
    } else {
        Drift::new(Status::Missing, Some(untracked(subject)))
    }
}

/// The drift that remains after `--fix`, if it is set, which replaces the file that was compared.
fn fixed(
    subject: &CheckedModule<'_>,
    before: ExpectedContent<'_>,
    text: &str,
    drift: Drift,
) -> Drift {
    if !subject.request.fix || !drift.found.iter().any(|it| subject.reports(it)) {
        return drift;
    }
    match write(subject, before, text) {
        Ok(()) => Drift { status: Status::Written, found: Vec::new(), ..drift },
        Err(error) => Drift { failure: Some(error), ..drift },
    }
}

fn not_regular(shown: &str) -> Diagnostic {
    let problem = Diagnostic::new(&lints::FOREIGN_SCHEMA, format!("{shown} is not a regular file"));
    problem.help("remove it and run `terraschema check --fix` to write the schema")
}

/// Whether the commit at hand holds the schema, if that is asked.
fn is_tracked(subject: &CheckedModule<'_>, path: &Path) -> bool {
    let Some(tracked) = &subject.request.tracked else { return true };
    let Ok(dir) = subject.system().canonicalize(subject.dir) else { return true };
    tracked.holds(&paths::clean(&dir.join(paths::relative(subject.dir, path))))
}

/// Writes the schema; a file that is not a schema stays as it is (see [`foreign_schema`]).
fn write(subject: &CheckedModule<'_>, before: ExpectedContent<'_>, text: &str) -> io::Result<()> {
    let path = subject.schema_path();
    if let Some(parent) = path.parent() {
        subject.system().create_dir_all(parent)?;
    }
    subject.system().replace(&path, before, text.as_bytes())
}
