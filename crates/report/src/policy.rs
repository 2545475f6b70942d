//! The part of a report that `policy` adds: the amount that was judged.

use serde::{Deserialize, Serialize};

use super::counted;

/// The amount that a run of `policy` judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRun {
    pub rules: usize,
    /// Resources and other objects that at least one rule covers.
    pub objects: usize,
}

impl PolicyRun {
    /// ` by 2 rules in 7 objects`
    pub(super) fn words(self) -> String {
        let PolicyRun { rules, objects } = self;
        format!(" by {} in {}", counted(rules, "rule"), counted(objects, "object"))
    }

    /// Adds a run of the same rules over another plan.
    pub(super) fn join(&mut self, other: PolicyRun) {
        self.rules = self.rules.max(other.rules);
        self.objects += other.objects;
    }
}

/// The number of rule tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyTests {
    pub total: usize,
    /// Tests with another outcome than expected, or without one.
    pub failed: usize,
}

impl PolicyTests {
    pub(super) fn join(&mut self, other: PolicyTests) {
        self.total += other.total;
        self.failed += other.failed;
    }

    /// ` in 7 tests, 1 of which failed`
    pub(super) fn words(self) -> String {
        let tests = counted(self.total, "test");
        match self.failed {
            0 => format!(" in {tests}"),
            failed => format!(" in {tests}, {failed} failed"),
        }
    }
}
