//! The selected workspace.

use std::path::Path;

use diagnostics::{Diagnostic, lints};
use release::{Release, changes};
use system::{Refusal, System};

/// The workspace without any selection.
const DEFAULT: &str = "default";

/// The value of `terraform.workspace` for a run in `dir`: the name in `TF_WORKSPACE`, else the one that
/// `terraform workspace select` wrote into `.terraform` (`TF_DATA_DIR` where that is set).
///
/// `None` where a confined run does not look. Errors: `TF_WORKSPACE` is not a valid name; the name in
/// the file is checked by newer releases alone.
pub fn selected_workspace(
    system: &dyn System,
    dir: &Path,
    release: Release,
) -> Result<Option<String>, Diagnostic> {
    let variable = |name| system.env(name).filter(|it| !it.is_empty());
    if let Some(name) = variable("TF_WORKSPACE") {
        return if is_name(&name) { Ok(Some(name)) } else { Err(invalid()) };
    }
    let data_dir = variable("TF_DATA_DIR").unwrap_or_else(|| ".terraform".to_owned());
    let written = match system.read(&dir.join(data_dir).join("environment")) {
        Err(error) if Refusal::of(&error).is_some_and(Refusal::leaves_unknown) => return Ok(None),
        other => other.unwrap_or_default(),
    };
    let written = String::from_utf8_lossy(&written);
    let name = written.trim();
    if !is_name(name) && release.has(&changes::WRITTEN_WORKSPACE_CHECKED) {
        return Err(invalid());
    }
    Ok(Some(if name.is_empty() { DEFAULT } else { name }.to_owned()))
}

/// Whether the name needs no escapes in the path of a URL.
fn is_name(text: &str) -> bool {
    text.chars().all(|it| it.is_ascii_alphanumeric() || "-_.~$&+:=@".contains(it))
}

fn invalid() -> Diagnostic {
    Diagnostic::new(&lints::INVALID_MODULE, "Invalid workspace name set using TF_WORKSPACE")
        .detail("A workspace name can contain only letters, digits, and the characters -_.~$&+:=@.")
}
