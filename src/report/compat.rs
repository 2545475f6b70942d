//! What `compat` says of modules: which change asks for which version.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diagnostic::RuleId;

/// What a change asks for, the least first. What is not known may be anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bump {
    #[default]
    None,
    Patch,
    Minor,
    CannotTell,
    Major,
}

impl Bump {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::CannotTell => "cannot tell",
            Bump::Major => "major",
        }
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Two states of modules compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compat {
    /// What the new state is compared with, as shown.
    pub base: String,
    /// The new state, as shown.
    pub head: String,
    /// Sorted by path.
    pub modules: Vec<ModuleChanges>,
}

/// One module at both states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleChanges {
    /// Of the new state; of the old one where it was removed.
    pub path: String,
    /// Where it was before, if elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The highest of its changes that nobody accepted.
    pub level: Bump,
    pub changes: Vec<ContractChange>,
    /// The next version, where the last one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One change of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractChange {
    pub rule: RuleId,
    pub level: Bump,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// A `module` block that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

impl Compat {
    /// What all modules together ask for.
    pub fn level(&self) -> Bump {
        self.modules.iter().map(|it| it.level).max().unwrap_or_default()
    }
}
