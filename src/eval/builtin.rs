//! The provider that is part of Terraform itself.

use crate::version::Version;

/// The attributes of a resource or data source of the built-in provider; `None` for one of others.
pub fn shape(kind: &str, version: Version) -> Option<&'static [&'static str]> {
    match kind {
        "terraform_data" if version >= Version::new(1, 16, 0) => {
            Some(&["id", "input", "output", "store", "triggers_replace"])
        }
        "terraform_data" => Some(&["id", "input", "output", "triggers_replace"]),
        "data.terraform_remote_state" => {
            Some(&["backend", "config", "defaults", "outputs", "workspace"])
        }
        _ => None,
    }
}
