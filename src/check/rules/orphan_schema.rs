//! `orphan-schema`: a schema in a directory without variables.

use super::Subject;
use crate::{
    diagnostic::{Diagnostic, Role, Span, rules},
    system::paths,
};

/// The finding for a schema in a directory without variables.
pub(in crate::check) fn check(subject: &mut Subject<'_>) -> Diagnostic {
    let path = subject.schema_path();
    let bytes = subject.system().read(&path).unwrap_or_default();
    let file = subject.module.sources_mut().add(paths::display(&path), bytes);
    let summary = "A schema stands here, but the module declares no variables";
    Diagnostic::new(&rules::ORPHAN_SCHEMA, summary)
        .at(Role::Schema, Span::new(file, 0, 0))
        .help("remove the file, or name it in the configuration's `exclude`")
}
