//! The version that a change of a contract requires.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The version that a change requires, in increasing order. An unknown change may be any.
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
    /// The version in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::CannotTell => "undecided",
            Bump::Major => "major",
        }
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
