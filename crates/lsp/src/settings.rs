//! What a user can set in the editor: `initializationOptions`, or the section `terraschema` of the configuration.

use serde_json::Value;

/// The settings of a client. Whatever is absent or of another type keeps its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `notes`: whether notes are shown, as `check -v` does.
    pub notes: bool,
    /// `alongside = "terraform-ls"`: leave out what that server reports itself.
    pub is_next_to_terraform_ls: bool,
}

impl Settings {
    /// Reads an object with the settings, or one with such an object as its member `terraschema`.
    pub fn read(value: &Value) -> Settings {
        let value = value.get("terraschema").unwrap_or(value);
        let notes = value.get("notes").and_then(Value::as_bool).unwrap_or_default();
        let other = value.get("alongside").and_then(Value::as_str);
        Settings { notes, is_next_to_terraform_ls: other == Some("terraform-ls") }
    }
}
