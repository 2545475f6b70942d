//! `missing-schema`: a module with variables and no committed schema.

use super::CheckedModule;
use diagnostics::{Diagnostic, Role, lints};
use system::paths;

/// The finding for a module without its schema file.
pub fn missing(subject: &CheckedModule<'_>) -> Diagnostic {
    let help = "run `terraschema check --fix` to write it";
    diagnostic(subject, "is missing").help(help)
}

/// The finding for a module whose schema exists, but is not in the commit.
pub fn untracked(subject: &CheckedModule<'_>) -> Diagnostic {
    let path = paths::display(&subject.schema_path());
    diagnostic(subject, "is not tracked by Git").help(format!("run `git add {path}`"))
}

fn diagnostic(subject: &CheckedModule<'_>, state: &str) -> Diagnostic {
    let path = paths::display(&subject.schema_path());
    let summary = format!("The module has no schema: {path} {state}");
    let mut diagnostic = Diagnostic::new(&lints::MISSING_SCHEMA, summary);
    if let Some(first) = subject.module.variables.values().next() {
        diagnostic = diagnostic.at(Role::Declaration, first.span);
    }
    diagnostic
}
