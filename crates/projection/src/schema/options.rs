//! A user's options for a schema.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::condition::TranslationTarget;

/// The conditions that go into the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CarriedConditions {
    None,
    /// Only the forms that the Go tool translates.
    Basic,
    #[default]
    Full,
}

/// Choices for a schema; the defaults are the command line's.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaOptions {
    /// Write `additionalProperties: false` at the root and in nested objects.
    pub disallow_additional_properties: bool,
    /// Variables without `nullable` accept null.
    pub nullable_all: bool,
    /// Every variable and every attribute is required, even with a default.
    pub require_all: bool,
    /// Variables that are left out.
    pub ignore_variables: BTreeSet<String>,
    /// String members of the root, set last.
    pub properties: BTreeMap<String, String>,
    pub conditions: CarriedConditions,
    /// Annotations for forms and editors, which validators ignore.
    pub annotations: bool,
    /// Keep the defaults of sensitive and ephemeral variables in the schema, and texts that contain
    /// them.
    pub sensitive_defaults: bool,
    pub draft: Draft,
    /// Keep long patterns in their places, instead of once in `definitions`.
    pub inline: bool,
    /// Write the messages of rules next to their keywords, for `ajv-errors`.
    pub error_messages: bool,
    /// Use comments above attributes of object types as their descriptions.
    pub descriptions_from_comments: bool,
    /// Keep patterns as written even if a backtracking engine takes very long with them. Only earlier
    /// forms set this option and the next four.
    pub patterns_as_written: bool,
    /// No attribute accepts null because it is null in its variable's default.
    pub null_defaults_refused: bool,
    /// Write "one of these attributes" as alternatives with present and absent attributes.
    pub choices_written_out: bool,
    /// Leave the meaning of conditions in words out of annotations.
    pub meanings_left_out: bool,
    /// Write lengths of "at least 0", as in `minItems: 0`.
    pub zero_minimums: bool,
}

impl SchemaOptions {
    /// The target for the translation of conditions.
    pub fn target(&self) -> TranslationTarget {
        TranslationTarget {
            nullable_all: self.nullable_all,
            counts: self.draft == Draft::Draft202012,
        }
    }
}

impl CarriedConditions {
    /// The name on the command line and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            CarriedConditions::None => "none",
            CarriedConditions::Basic => "basic",
            CarriedConditions::Full => "full",
        }
    }

    /// The choice with this name.
    pub fn from_name(name: &str) -> Option<CarriedConditions> {
        let all = [CarriedConditions::None, CarriedConditions::Basic, CarriedConditions::Full];
        all.into_iter().find(|it| it.as_str() == name)
    }
}
