//! Describes a difference in words.

use super::{Difference, SchemaChange};
use crate::schema::SchemaJson;

/// The characters of a value that a sentence shows.
const MAX_VALUE: usize = 60;

impl Difference {
    /// The difference as one sentence without a final period.
    pub fn sentence(&self) -> String {
        let place = self.place();
        match self.change {
            SchemaChange::RemovedVariable => {
                format!("{place} is in the schema but not in the module")
            }
            SchemaChange::AddedVariable | SchemaChange::AddedAttribute => {
                format!("{place} is missing in the schema")
            }
            SchemaChange::RemovedAttribute => {
                format!("{place} is in the schema but not in the type")
            }
            SchemaChange::Required if self.new.is_some() => format!("{place} is now required"),
            SchemaChange::Required => format!("{place} is not required any more"),
            SchemaChange::Nullable if self.new == Some(SchemaJson::Bool(true)) => {
                format!("{place} now allows null")
            }
            SchemaChange::Nullable => format!("{place} no longer allows null"),
            SchemaChange::Type => self.changed("type", &place),
            SchemaChange::Default => self.changed("default", &place),
            SchemaChange::Description => self.changed("description", &place),
            SchemaChange::AdditionalProperties => {
                format!("{place} differs in whether it allows more members")
            }
            SchemaChange::Condition => {
                self.changed(&format!("condition `{}`", self.keyword()), &place)
            }
            SchemaChange::Annotation => {
                self.changed(&format!("annotation `{}`", self.keyword()), &place)
            }
            SchemaChange::Other if self.pointer.is_empty() => self.changed("whole", &place),
            SchemaChange::Other => self.changed(&format!("`{}`", self.keyword()), &place),
        }
    }

    /// `variable "x"`, `attribute "nodes[*].size" of variable "x"` or `the schema`.
    fn place(&self) -> String {
        match (&self.variable, self.path.as_str()) {
            (None, _) => "the schema".to_owned(),
            (Some(name), "") => format!("variable \"{name}\""),
            (Some(name), path) => format!("\"{path}\" of variable \"{name}\""),
        }
    }

    /// The last step of the pointer.
    fn keyword(&self) -> &str {
        self.pointer.rsplit('/').next().unwrap_or_default()
    }

    fn changed(&self, what: &str, place: &str) -> String {
        match (&self.old, &self.new) {
            (None, Some(new)) => format!("{place} has a new {what}: {}", shown(new)),
            (Some(old), None) => format!("{place} has lost its {what}: {}", shown(old)),
            // Two hidden values of a sensitive variable look the same.
            (Some(old), Some(new)) if old == new => {
                format!("the {what} of {place} changed; it is not shown")
            }
            (Some(old), Some(new)) => {
                format!("the {what} of {place} changed from {} to {}", shown(old), shown(new))
            }
            (None, None) => format!("the {what} of {place} changed"),
        }
    }
}

/// The value on one line, cut where it is long.
fn shown(json: &SchemaJson) -> String {
    let text = json.to_serde().to_string();
    if text.chars().count() <= MAX_VALUE {
        return text;
    }
    text.chars().take(MAX_VALUE).chain(['…']).collect()
}
