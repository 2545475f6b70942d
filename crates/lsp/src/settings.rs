//! What a user can set in the editor: `initializationOptions`, or the section `terraschema` of the configuration.

use serde_json::Value;

/// The settings of a client. Whatever is absent or of another type keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `notes`: whether notes are shown, as `check -v` does.
    pub notes: bool,
    /// `alongside = "terraform-ls"`: leave out what that server reports itself.
    pub is_next_to_terraform_ls: bool,
    /// `inputSet`: the set of values files with which expressions are evaluated; all sets if `None`. It is the name of an
    /// `input` block, or the end of a path.
    pub input_set: Option<String>,
}

impl Settings {
    /// Reads an object with the settings, or one with such an object as its member `terraschema`.
    pub fn read(value: &Value) -> Settings {
        let value = value.get("terraschema").unwrap_or(value);
        let notes = value.get("notes").and_then(Value::as_bool).unwrap_or_default();
        let other = value.get("alongside").and_then(Value::as_str);
        Settings {
            notes,
            is_next_to_terraform_ls: other == Some("terraform-ls"),
            input_set: input_set(value.get("inputSet")),
        }
    }
}

/// The name of an input set, if there is one.
pub(crate) fn input_set(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|it| !it.is_empty()).map(str::to_owned)
}
