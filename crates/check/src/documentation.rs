//! Compares the documentation between the markers of a file with the module; `--fix` rewrites it.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{module_run::with_path, subject::CheckedModule};
use diagnostics::{Diagnostic, Role, Span, lints};
use module_docs::{MarkedPart, PartError, markdown};
use system::{EntryKind, ExpectedContent, Refusal, paths};

const HELP: &str = "run `terraschema check --fix` to update it";

/// Adds a finding if the documentation is out of date. A file without markers is not looked at, unless the
/// configuration has a `docs` block.
pub(super) fn check(subject: &mut CheckedModule<'_>) {
    let path = path(subject);
    let bytes = match subject.system().read(&path) {
        Ok(it) => it,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if subject.settings.has_docs {
                let found = absent(subject, &path, "does not exist");
                subject.diagnostics.push(found);
            }
            return;
        }
        Err(error) => {
            // What the run must not read has no markers that anybody could keep up to date.
            if subject.settings.has_docs {
                let why = match Refusal::of(&error) {
                    Some(_) => "is not a regular file inside of the repository".to_owned(),
                    None => format!("cannot be read: {error}"),
                };
                let found = absent(subject, &path, &why);
                subject.diagnostics.push(found);
            }
            return;
        }
    };
    let (begin, end) = (subject.settings.docs.begin.clone(), subject.settings.docs.end.clone());
    let has = |marker: &str| contains(&bytes, marker.as_bytes());
    if !has(&begin) && !has(&end) && !subject.settings.has_docs {
        return;
    }
    if !subject.meter.charge_text(4 * bytes.len()) {
        return;
    }
    let shown = paths::display(&path);
    let Ok(text) = std::str::from_utf8(&bytes).map(str::to_owned) else {
        let found = absent(subject, &path, "is not UTF-8");
        subject.diagnostics.push(found);
        return;
    };
    let part = match MarkedPart::find(&text, &begin, &end) {
        Ok(part) => part,
        // The markers are examples in a block of code.
        Err(PartError::Missing) if !subject.settings.has_docs => return,
        Err(error) => {
            let file = subject.module.sources_mut().add(shown.clone(), bytes);
            let found = unmarked(&shown, &error, &begin, &end);
            let at = match error {
                PartError::Missing => 0..0,
                PartError::Unpaired(at) | PartError::Repeated(at) => at,
            };
            let span = Span::new(file, at.start, at.end);
            subject.diagnostics.push(found.at(Role::Declaration, span));
            return;
        }
    };
    let new = markdown(&subject.module, subject.system(), &subject.settings.docs, &subject.meter);
    if subject.meter.is_exhausted() || part.is_current(&text, &new) {
        return;
    }
    let found = stale(&shown, part.differences(&text, &new));
    let found = match link(subject, &path) {
        Some(why) => found.help(why),
        None if subject.request.fix && subject.reports(&found) => {
            let whole = part.replaced(&text, &new);
            let done =
                subject.system().replace(&path, ExpectedContent::Bytes(&bytes), whole.as_bytes());
            match done {
                Ok(()) => {
                    subject.documented = Some(shown);
                    return;
                }
                Err(error) => {
                    let why = with_path(&error, &path);
                    subject.failure.get_or_insert_with(|| why.clone());
                    found.help(why)
                }
            }
        }
        None => found.help(HELP),
    };
    let file = subject.module.sources_mut().add(shown, bytes);
    let span = Span::new(file, part.begin.start, part.begin.end);
    subject.diagnostics.push(found.at(Role::Declaration, span));
}

fn path(subject: &CheckedModule<'_>) -> PathBuf {
    paths::clean(&subject.dir.join(&subject.settings.docs.file))
}

/// Why the file is not written, if it is a link: another directory may have it, too.
fn link(subject: &CheckedModule<'_>, path: &Path) -> Option<String> {
    let (dir, name) = (path.parent()?, path.file_name()?.to_str()?);
    let entries = subject.system().list(dir).ok()?;
    let entry = entries.iter().find(|it| it.name == name)?;
    let shown = paths::display(path);
    (entry.kind == EntryKind::Symlink).then(|| {
        format!("{shown} is a symbolic link, so `--fix` does not write it; edit its target")
    })
}

fn contains(bytes: &[u8], marker: &[u8]) -> bool {
    memchr::memmem::find(bytes, marker).is_some()
}

fn stale(shown: &str, differences: usize) -> Diagnostic {
    let lines =
        if differences == 1 { "1 line differs" } else { &format!("{differences} lines differ") };
    let summary = format!("The documentation in {shown} is out of date");
    Diagnostic::new(&lints::STALE_DOCS, summary)
        .detail(format!("{lines} from what the module says."))
}

fn unmarked(shown: &str, error: &PartError, begin: &str, end: &str) -> Diagnostic {
    let summary = format!("The markers of the documentation in {shown} are not one pair");
    let detail = format!("{error}. Nothing is written.");
    let detail = detail[..1].to_uppercase() + &detail[1..];
    let help = format!("write the lines {begin} and {end} once each, in this order");
    Diagnostic::new(&lints::STALE_DOCS, summary).detail(detail).help(help)
}

/// The finding about a file that the configuration names.
fn absent(subject: &CheckedModule<'_>, path: &Path, why: &str) -> Diagnostic {
    let summary = format!("{} {why}, so it has no documentation", paths::display(path));
    let found = Diagnostic::new(&lints::STALE_DOCS, summary);
    let help = format!("run `terraschema docs --write {}` to write it", subject.shown);
    match subject.module.variables.values().next() {
        Some(it) => found.at(Role::Declaration, it.span).help(help),
        None => found.help(help),
    }
}
