//! `missing-schema`: a module with variables and no committed schema.

use super::Subject;
use crate::{
    diagnostic::{Diagnostic, Role},
    system::paths,
};

/// The finding for a module whose schema file is not there.
pub(in crate::check) fn missing(subject: &Subject<'_>) -> Diagnostic {
    let path = paths::display(&subject.schema_path());
    let mut diagnostic =
        Diagnostic::error("missing-schema", format!("The module has no schema: {path} is missing"))
            .help("`terraschema check --fix` writes it");
    if let Some(first) = subject.module.variables.values().next() {
        diagnostic = diagnostic.at(Role::Declaration, first.span);
    }
    diagnostic
}
