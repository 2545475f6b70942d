//! The hook for pre-commit: written where there is none, shown where there are others.

use std::path::Path;

use anyhow::Context as _;

use system::{ExpectedContent, System};

pub(super) const FILE_NAME: &str = ".pre-commit-config.yaml";
const VALUES_ONLY: &str = include_str!("../../../hooks/pre-commit-values.yaml");
const WITH_SCHEMAS: &str = include_str!("../../../hooks/pre-commit-schemas.yaml");

/// The result of writing the hook.
pub(super) enum Hook {
    /// Written, with this text.
    Written(&'static str),
    /// It existed already.
    Kept,
    /// The user must add this text: the file is somebody's own, or pre-commit does not look here.
    ToAdd(&'static str),
}

/// Writes the hook.
///
/// Errors: the directory cannot be listed, or the file cannot be written.
pub(super) fn write(system: &dyn System, has_schemas: bool) -> anyhow::Result<Hook> {
    let text = if has_schemas { WITH_SCHEMAS } else { VALUES_ONLY };
    let file = Path::new(FILE_NAME);
    if let Ok(bytes) = system.read(file) {
        let is_there = String::from_utf8_lossy(&bytes).contains("terraschema");
        return Ok(if is_there { Hook::Kept } else { Hook::ToAdd(text) });
    }
    // It may be a link into a submodule that is not checked out, for which `kind` finds nothing.
    let is_there = system.list(Path::new("."))?.iter().any(|it| it.name == FILE_NAME);
    // pre-commit reads the file in the repository's root.
    if is_there || system.kind(Path::new(".git")).is_err() {
        return Ok(Hook::ToAdd(text));
    }
    system
        .replace(file, ExpectedContent::Nothing, text.as_bytes())
        .context("cannot write the hook")?;
    Ok(Hook::Written(text))
}
