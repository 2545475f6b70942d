//! What a user can choose about a schema.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::condition::Target;

/// How many validation conditions go into the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Conditions {
    None,
    /// The forms that the Go tool translates, and no other.
    Basic,
    #[default]
    Full,
}

/// Choices for a schema; the defaults are the command line's.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `additionalProperties: false` at the root and in nested objects.
    pub disallow_additional_properties: bool,
    /// Variables that do not set `nullable` allow null.
    pub nullable_all: bool,
    /// Every variable and every attribute is required, defaults or not.
    pub require_all: bool,
    /// Variables that are left out.
    pub ignore_variables: BTreeSet<String>,
    /// String members of the root, set last.
    pub properties: BTreeMap<String, String>,
    pub conditions: Conditions,
    /// What forms and editors can use and validators ignore.
    pub annotations: bool,
    /// The defaults of sensitive and ephemeral variables stand in the schema, and so does what
    /// contains them.
    pub sensitive_defaults: bool,
    pub draft: Draft,
    /// Long patterns stand in their places, and not once in `definitions`.
    pub inline: bool,
    /// The messages of rules stand beside their keywords, for `ajv-errors`.
    pub error_messages: bool,
    /// Comments above attributes of object types are their descriptions.
    pub descriptions_from_comments: bool,
    /// Patterns that a backtracking engine reads for very long stay as their authors wrote them. Set
    /// for the sake of earlier forms alone, as are the next four.
    pub patterns_as_written: bool,
    /// No attribute takes null for being null in its variable's default.
    pub null_defaults_refused: bool,
    /// "One of these attributes" is written as alternatives of what is there and what is not.
    pub choices_written_out: bool,
    /// Annotations say of no condition in words what it means.
    pub meanings_left_out: bool,
    /// Lengths of "at least 0" are written, as in `minItems: 0`.
    pub zero_minimums: bool,
}

impl Options {
    /// What conditions are translated for.
    pub fn target(&self) -> Target {
        Target { nullable_all: self.nullable_all, counts: self.draft == Draft::Draft202012 }
    }
}

impl Conditions {
    /// The name on the command line and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Conditions::None => "none",
            Conditions::Basic => "basic",
            Conditions::Full => "full",
        }
    }

    /// The choice of a name.
    pub fn from_name(name: &str) -> Option<Conditions> {
        let all = [Conditions::None, Conditions::Basic, Conditions::Full];
        all.into_iter().find(|it| it.as_str() == name)
    }
}
