//! `orphan-schema`: a schema in a directory without variables.

use super::{Subject, foreign_schema};
use crate::{
    diagnostic::{Diagnostic, Role, Span, rules},
    system::paths,
};

/// The finding for a schema in a directory without variables; `None` for a file that is something else.
pub(in crate::check) fn check(subject: &mut Subject<'_>) -> Option<Diagnostic> {
    let path = subject.schema_path();
    let bytes = subject.system().read(&path).unwrap_or_default();
    if foreign_schema::check(subject, &bytes).is_some() {
        return None;
    }
    let file = subject.module.sources_mut().add(paths::display(&path), bytes);
    let summary = "A schema stands here, but the module declares no variables";
    let found = Diagnostic::new(&rules::ORPHAN_SCHEMA, summary)
        .at(Role::Schema, Span::new(file, 0, 0))
        .help("remove the file, or name it in the configuration's `exclude`");
    Some(found)
}
