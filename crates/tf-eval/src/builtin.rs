//! The provider that is built into Terraform.

use release::{Release, changes};

/// The attributes of a resource or data source of the built-in provider; `None` for other providers.
pub fn shape(kind: &str, release: Release) -> Option<&'static [&'static str]> {
    match kind {
        "terraform_data" if release.has(&changes::DATA_STORE) => {
            Some(&["id", "input", "output", "store", "triggers_replace"])
        }
        "terraform_data" => Some(&["id", "input", "output", "triggers_replace"]),
        "data.terraform_remote_state" => {
            Some(&["backend", "config", "defaults", "outputs", "workspace"])
        }
        _ => None,
    }
}

/// Whether an attribute of [`shape`] is a string, which has no attributes and no indices of its own. The others take
/// the type of what they are given.
pub fn is_text(kind: &str, attribute: &str) -> bool {
    match kind {
        "terraform_data" => attribute == "id",
        "data.terraform_remote_state" => matches!(attribute, "backend" | "workspace"),
        _ => false,
    }
}
