//! The committed schema against the generated one: `missing-schema`, `stale-schema`,
//! `orphan-schema`, and `--fix`.

use std::io::{self, ErrorKind};

use super::{module_run::Subject, redact};
use crate::{
    diagnostic::{Diagnostic, FileId, Role, Span},
    report::Status,
    schema::{Difference, Generated, Json, diff, unified_diff},
    syntax::json,
    system::{EntryKind, paths},
};

/// Compares, and with `--fix` writes. The text is a unified diff where the two differ in meaning.
pub(super) fn check(
    subject: &mut Subject<'_>,
    generated: &Generated,
) -> io::Result<(Status, Option<String>)> {
    let path = subject.schema_path();
    let bytes = match subject.system.read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(with_path(&error, &paths::display(&path))),
    };
    let new = generated.schema.to_json();
    let (found, text) = match bytes {
        None => (vec![missing(subject)], None),
        Some(bytes) => stale(subject, bytes, &new),
    };
    if found.is_empty() {
        return Ok((Status::Ok, None));
    }
    if subject.request.fix {
        write(subject, &new)?;
        return Ok((Status::Written, text));
    }
    let status = if text.is_some() || found[0].rule == "stale-schema" {
        Status::Stale
    } else {
        Status::Missing
    };
    subject.diagnostics.extend(found);
    Ok((status, text))
}

/// The finding for a schema beside no variables.
pub(super) fn orphan(subject: &mut Subject<'_>) {
    let path = subject.schema_path();
    let bytes = subject.system.read(&path).unwrap_or_default();
    let file = subject.module.sources.add(paths::display(&path), bytes);
    let summary = "A schema stands here, but the module declares no variables";
    let diagnostic = Diagnostic::error("orphan-schema", summary)
        .at(Role::Schema, Span::new(file, 0, 0))
        .help("remove the file, or name it in the configuration's `exclude`");
    subject.diagnostics.push(diagnostic);
}

fn missing(subject: &Subject<'_>) -> Diagnostic {
    let path = paths::display(&subject.schema_path());
    let mut diagnostic =
        Diagnostic::error("missing-schema", format!("The module has no schema: {path} is missing"))
            .help("`terraschema check --fix` writes it");
    if let Some(first) = subject.module.variables.values().next() {
        diagnostic = diagnostic.at(Role::Declaration, first.span);
    }
    diagnostic
}

fn stale(
    subject: &mut Subject<'_>,
    bytes: Vec<u8>,
    new: &Json,
) -> (Vec<Diagnostic>, Option<String>) {
    let shown = paths::display(&subject.schema_path());
    let file = subject.module.sources.add(shown.clone(), bytes.clone());
    let (tree, problems) = json::parse(file, &bytes);
    if let Some(problem) = problems.first() {
        return (vec![unreadable(problem, file)], None);
    }
    let old = Json::from(&tree);
    let differences = diff(&old, new);
    if differences.is_empty() {
        return (Vec::new(), None);
    }
    let (old, shown_new) = redact::schemas(&old, new, &subject.module);
    let text = unified_diff(&old, &shown_new, &shown);
    let found = differences.iter().map(|it| finding(subject, it, &tree)).collect();
    (found, Some(text))
}

fn unreadable(problem: &Diagnostic, file: FileId) -> Diagnostic {
    let span = problem.span().unwrap_or(Span::new(file, 0, 0));
    Diagnostic::error("stale-schema", "The committed schema is not valid JSON")
        .detail(problem.message())
        .at(Role::Schema, span)
        .help("`terraschema check --fix` writes it anew")
}

fn finding(subject: &Subject<'_>, difference: &Difference, tree: &json::Value) -> Diagnostic {
    let variable =
        difference.variable.as_ref().and_then(|it| subject.module.variables.get(it.as_str()));
    let difference = redact::difference(difference, variable);
    let place = tree.nearest(&difference.pointer).start();
    let mut diagnostic = Diagnostic::error("stale-schema", difference.sentence())
        .help("`terraschema check --fix` writes it anew");
    if let Some(cause) = difference.cause(&subject.module) {
        diagnostic = diagnostic.at(Role::Declaration, cause);
    }
    if let Some(name) = &difference.variable {
        diagnostic = diagnostic.variable(name.as_str());
    }
    diagnostic.at(Role::Schema, place)
}

fn write(subject: &Subject<'_>, new: &Json) -> io::Result<()> {
    let path = subject.schema_path();
    let shown = paths::display(&path);
    stay_in_tree(subject)?;
    let text = new.to_text(subject.request.settings.escape_json) + "\n";
    if let Some(parent) = path.parent() {
        subject.system.create_dir_all(parent).map_err(|it| with_path(&it, &shown))?;
    }
    subject.system.write_atomic(&path, text.as_bytes()).map_err(|it| with_path(&it, &shown))
}

/// A schema that is a symbolic link is written through only where it stays below the current
/// directory, or below the module's own.
fn stay_in_tree(subject: &Subject<'_>) -> io::Result<()> {
    let path = subject.schema_path();
    let Some(name) = path.file_name().and_then(|it| it.to_str()) else { return Ok(()) };
    let parent = path.parent().unwrap_or(std::path::Path::new(""));
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

fn with_path(error: &io::Error, path: &str) -> io::Error {
    let text = error.to_string();
    let text = if text.contains(path) { text } else { format!("{path}: {text}") };
    io::Error::new(error.kind(), text)
}
