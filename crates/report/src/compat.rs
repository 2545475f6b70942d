//! The report of `compat`: what changed in each module, and the version that each change requires.

use std::fmt;

use serde::{Deserialize, Serialize};

use diagnostics::LintId;

pub use diagnostics::Bump;

/// Two states of modules compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compat {
    /// What the new state is compared with, as shown.
    pub base: String,
    /// The new state, as shown.
    pub head: String,
    /// Sorted by path; empty if releases are listed.
    pub modules: Vec<ModuleChanges>,
    /// Directories that differ and were not compared, since they hold examples and tests; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Present with `--history` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
}

/// Releases, each compared with its predecessor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// In order, by module name.
    pub releases: Vec<ReleaseChanges>,
    pub summary: HistorySummary,
}

/// A release compared with its predecessor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseChanges {
    /// The predecessor's tag.
    pub base: String,
    /// The release's tag.
    pub head: String,
    #[serde(rename = "level")]
    pub bump: Bump,
    /// Whether a module admits other versions of a provider or Terraform, without breaking by that.
    #[serde(default)]
    pub versions: bool,
    /// The change that the version number announces; before 1.0 a minor version may break callers.
    pub claimed: Bump,
    /// The number of changed modules, and of those without an answer.
    pub modules: usize,
    pub cannot_tell: usize,
    /// The number of modules with an unreadable state, which `modules` does not count.
    #[serde(default)]
    pub unread: usize,
    /// Changed directories that hold examples and tests, which are not compared.
    #[serde(default)]
    pub left_out: usize,
}

/// Counts of releases, and of the modules that changed in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistorySummary {
    pub releases: usize,
    /// Breaking by our verdict.
    pub breaking: usize,
    /// Breaking by their numbers.
    pub claimed_breaking: usize,
    /// Breaking by our verdict, but not by their numbers.
    pub unannounced: usize,
    /// Those that admit other versions of a provider or Terraform, and break nothing.
    #[serde(default)]
    pub versions: usize,
    /// Those that change nothing but examples and tests.
    #[serde(default)]
    pub only_examples: usize,
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
        let is_breaking = |it: &ReleaseChanges| it.bump == Bump::Major;
        let is_claimed = |it: &ReleaseChanges| it.claimed == Bump::Major;
        let summary = HistorySummary {
            releases: releases.len(),
            breaking: count(&is_breaking),
            claimed_breaking: count(&is_claimed),
            unannounced: count(&|it| is_breaking(it) && !is_claimed(it)),
            versions: count(&|it| it.versions && !is_breaking(it)),
            only_examples: count(&|it| it.modules == 0 && it.unread == 0 && it.left_out > 0),
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
            writeln!(f, "{:width$}  {:11}  {}{}", it.head, it.bump, it.claimed, it.remark())?;
        }
        let it = &self.summary;
        let share = it.cannot_tell * 1000 / it.modules.max(1);
        write!(
            f,
            "{} releases: {} break by our verdict, {} by their version numbers, {} without \
            announcing it; undecided for {} of {} modules ({}.{} %)",
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
            0 => writeln!(f)?,
            unread => writeln!(f, "; {unread} more cannot be read")?,
        }
        if it.versions > 0 {
            let count = it.versions;
            writeln!(
                f,
                "{count} of the others raise a version of a provider or of Terraform \
                (\"versions\")"
            )?;
        }
        if it.only_examples > 0 {
            let count = it.only_examples;
            writeln!(
                f,
                "{count} change only examples and tests, which are compared only with --examples"
            )?;
        }
        Ok(())
    }
}

impl ReleaseChanges {
    /// The mark and the words behind a row.
    fn remark(&self) -> &'static str {
        match (self.bump, self.claimed) {
            (Bump::Major, Bump::Major) => "",
            (Bump::Major, _) => "  !",
            _ if self.versions => "  versions",
            _ if self.modules == 0 && self.unread == 0 && self.left_out > 0 => "  only examples",
            _ => "",
        }
    }
}

/// One module at both states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleChanges {
    /// The path in the new state; in the old one if the module was removed.
    pub path: String,
    /// The path in the old state, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The greatest change that was not accepted.
    #[serde(rename = "level")]
    pub bump: Bump,
    /// The release before which callers break, if only older ones are concerned: `1.9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major_before: Option<String>,
    pub changes: Vec<ContractChange>,
    /// The next version, if the last one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One change of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractChange {
    pub rule: LintId,
    #[serde(rename = "level")]
    pub bump: Bump,
    /// As in [`ModuleChanges::major_before`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major_before: Option<String>,
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
    pub fn bump(&self) -> Bump {
        self.modules.iter().map(|it| it.bump).max().unwrap_or_default()
    }

    /// The release before which callers break, if only older ones are concerned.
    pub fn major_before(&self) -> Option<&str> {
        let all = self.modules.iter().filter_map(|it| it.major_before.as_deref());
        let newest = all.max_by_key(|it| {
            it.split('.').map(|number| number.parse::<u32>().ok()).collect::<Vec<_>>()
        });
        newest.filter(|_| self.bump() < Bump::Major)
    }
}
