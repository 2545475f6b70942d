//! The report of `compat`: the version that each change requires.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diagnostic::RuleId;

/// The version that a change requires, in increasing order. An unknown change may be any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Compat {
    /// What the new state is compared with, as shown.
    pub base: String,
    /// The new state, as shown.
    pub head: String,
    /// Sorted by path; empty if releases are listed.
    pub modules: Vec<ModuleChanges>,
    /// Present with `--history` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
}

/// Releases, each compared with its predecessor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct History {
    /// In order, by module name.
    pub releases: Vec<ReleaseChanges>,
    pub summary: HistorySummary,
}

/// A release compared with its predecessor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReleaseChanges {
    /// The predecessor's tag.
    pub base: String,
    /// The release's tag.
    pub head: String,
    pub level: Bump,
    /// The change that the version number announces; before 1.0 a minor version may break callers.
    pub claimed: Bump,
    /// The number of changed modules, and of those where nobody can tell.
    pub modules: usize,
    pub cannot_tell: usize,
    /// The number of modules with an unreadable state, which `modules` does not count.
    #[serde(default)]
    pub unread: usize,
}

/// Counts of releases, and of the modules that changed in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistorySummary {
    pub releases: usize,
    /// Breaking by our verdict.
    pub breaking: usize,
    /// Breaking by their numbers.
    pub claimed_breaking: usize,
    /// Breaking by our verdict, but not by their numbers.
    pub unannounced: usize,
    pub modules: usize,
    pub cannot_tell: usize,
    /// The number of modules with an unreadable state.
    #[serde(default)]
    pub unread: usize,
}

impl History {
    /// A history with the counts of its releases.
    pub fn new(releases: Vec<ReleaseChanges>) -> History {
        let count = |is_wanted: &dyn Fn(&ReleaseChanges) -> bool| {
            releases.iter().filter(|it| is_wanted(it)).count()
        };
        let is_breaking = |it: &ReleaseChanges| it.level == Bump::Major;
        let is_claimed = |it: &ReleaseChanges| it.claimed == Bump::Major;
        let summary = HistorySummary {
            releases: releases.len(),
            breaking: count(&is_breaking),
            claimed_breaking: count(&is_claimed),
            unannounced: count(&|it| is_breaking(it) && !is_claimed(it)),
            modules: releases.iter().map(|it| it.modules).sum(),
            cannot_tell: releases.iter().map(|it| it.cannot_tell).sum(),
            unread: releases.iter().map(|it| it.unread).sum(),
        };
        History { releases, summary }
    }
}

impl fmt::Display for History {
    /// Prints a table with sums.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.releases.iter().map(|it| it.head.chars().count()).max().unwrap_or(0);
        let width = width.max("release".len());
        writeln!(f, "{:width$}  {:11}  claimed", "release", "verdict")?;
        for it in &self.releases {
            let mark =
                if it.level == Bump::Major && it.claimed != Bump::Major { "  !" } else { "" };
            writeln!(f, "{:width$}  {:11}  {}{mark}", it.head, it.level, it.claimed)?;
        }
        let it = &self.summary;
        let share = it.cannot_tell * 1000 / it.modules.max(1);
        write!(
            f,
            "{} releases: {} break by our verdict, {} by their numbers, {} unannounced; cannot tell of {} of {} modules ({}.{} %)",
            it.releases,
            it.breaking,
            it.claimed_breaking,
            it.unannounced,
            it.cannot_tell,
            it.modules,
            share / 10,
            share % 10
        )?;
        match it.unread {
            0 => writeln!(f),
            unread => writeln!(f, "; {unread} more cannot be read"),
        }
    }
}

/// One module at both states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModuleChanges {
    /// The path in the new state; in the old one if the module was removed.
    pub path: String,
    /// The path in the old state, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The greatest change that nobody accepted.
    pub level: Bump,
    pub changes: Vec<ContractChange>,
    /// The next version, if the last one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One change of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContractChange {
    pub rule: RuleId,
    pub level: Bump,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// A `module` block that shows the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

impl Compat {
    /// The change of all modules together.
    pub fn level(&self) -> Bump {
        self.modules.iter().map(|it| it.level).max().unwrap_or_default()
    }
}
