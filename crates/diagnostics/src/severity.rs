//! The level of a diagnostic, and every reason for another level than that of its lint.

use std::fmt;

use super::Level;
use serde::{Deserialize, Serialize};

/// The level of a diagnostic: that of its lint, changed by each of the reasons in turn.
///
/// Nothing sets a level: code adds a [`LevelReason`], and [`LevelReason::level`] is the one table of what a reason
/// does. Only the user's configuration, applied to findings (`config`), comes after it.
///
/// ```
/// use diagnostics::{Diagnostic, Level, LevelReason, lints};
///
/// let problem = Diagnostic::new(&lints::UNKNOWN_ATTRIBUTE, "No attribute \"prot\"");
/// assert_eq!(problem.level(), Level::Error);
/// assert_eq!(problem.because(LevelReason::NullIsLost).level(), Level::Warning);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Severity {
    of_lint: Level,
    reasons: Vec<LevelReason>,
}

impl Severity {
    /// The level of a lint, which no reason changes yet.
    pub(super) fn of(lint: Level) -> Severity {
        Severity { of_lint: lint, reasons: Vec::new() }
    }

    pub fn level(&self) -> Level {
        self.reasons.iter().fold(self.of_lint, |level, it| it.level(level))
    }

    /// The reasons for another level than the lint's, in the order in which they were found.
    pub fn reasons(&self) -> &[LevelReason] {
        &self.reasons
    }

    pub(super) fn add(&mut self, reason: LevelReason) {
        self.reasons.push(reason);
    }
}

/// Why a diagnostic has another level than its lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelReason {
    /// An assertion of a `check` block: Terraform only warns.
    CheckBlock,
    /// `-var` gives a value to a variable that is not declared. Terraform warns if a file does that.
    OnCommandLine,
    /// The lost attribute is null, so that no value is lost.
    NullIsLost,
    /// Only callers who pass null see the error.
    OnlyIfNull,
    /// Other entries of the same block have an effect.
    OthersHaveEffect,
    /// How the values files are used that lack a value: nothing else can give it, or `-var` may; or the level that the
    /// configuration gives to the finding about the variable.
    OfUse(Level),
    /// Another values file overrides the value.
    Overridden,
    /// The error occurs with the defaults of variables, which a value may replace.
    OfDefaults,
    /// It is about the old side of a comparison, or a module that only calls the compared ones: nobody has to repair
    /// it for the comparison.
    NotCompared,
}

impl LevelReason {
    /// The level that a diagnostic has for this reason.
    pub fn level(self, before: Level) -> Level {
        match self {
            LevelReason::CheckBlock | LevelReason::NullIsLost | LevelReason::OthersHaveEffect => {
                Level::Warning
            }
            LevelReason::OnCommandLine => Level::Error,
            LevelReason::OnlyIfNull | LevelReason::OfDefaults => Level::Note,
            LevelReason::OfUse(level) => level,
            LevelReason::Overridden | LevelReason::NotCompared => before.min(Level::Warning),
        }
    }
}

// The version that a change of a contract requires.

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
