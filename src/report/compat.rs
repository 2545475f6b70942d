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
    /// Sorted by path; none where releases are listed.
    pub modules: Vec<ModuleChanges>,
    /// Only with `--history`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
}

/// Releases, each compared with the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// In order, by the name of the module.
    pub releases: Vec<ReleaseChanges>,
    pub summary: HistorySummary,
}

/// A release compared with the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseChanges {
    /// The tag before.
    pub base: String,
    /// The tag.
    pub head: String,
    pub level: Bump,
    /// What the number says; before 1.0 a minor version may break.
    pub claimed: Bump,
    /// How many modules changed, and of how many nobody can tell.
    pub modules: usize,
    pub cannot_tell: usize,
    /// Of how many one state cannot be read; they are no part of `modules`.
    #[serde(default)]
    pub unread: usize,
}

/// Counts of releases, and of the modules that changed in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistorySummary {
    pub releases: usize,
    /// By our verdict.
    pub breaking: usize,
    /// By their numbers.
    pub claimed_breaking: usize,
    /// By our verdict, and not by their numbers.
    pub unannounced: usize,
    pub modules: usize,
    pub cannot_tell: usize,
    /// Of how many one state cannot be read.
    #[serde(default)]
    pub unread: usize,
}

impl History {
    /// With the counts of the releases.
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
    /// A table, and what it comes to.
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
