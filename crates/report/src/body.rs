//! What a report holds by the kind of its run.

use std::collections::BTreeSet;

use super::{
    Compat, ModuleReport, NotJoined, Report, ShardPart, Verdict, WrittenBaseline, counted,
};
use serde::{Deserialize, Serialize};

/// The answer of a run, beyond its findings.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportBody {
    /// Of `check`; empty for a run that failed before it had an answer.
    Check(Checked),
    /// Of `validate`.
    Verdict(Verdict),
    Compat(Compat),
    Policy(PolicyRun),
    /// Of `policy test`.
    PolicyTests(PolicyTests),
}

/// What a run of `check` did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Sorted by path.
    pub modules: Vec<ModuleReport>,
    /// The number of checked directories whose modules declare no variables; they are not among `modules`.
    pub without_variables: usize,
    /// Files that a fix edited, as shown.
    pub edited: BTreeSet<String>,
    /// The number of findings that a baseline lists and the report leaves out.
    pub baselined: usize,
    /// The baseline that was written.
    pub baseline: Option<WrittenBaseline>,
    /// The part of the modules that the report covers, if the run was divided.
    pub part: Option<ShardPart>,
}

impl Default for ReportBody {
    fn default() -> ReportBody {
        ReportBody::Check(Checked::default())
    }
}

impl ReportBody {
    /// The command that makes such a report.
    fn command(&self) -> &'static str {
        match self {
            ReportBody::Check(_) => "check",
            ReportBody::Verdict(_) => "validate",
            ReportBody::Compat(_) => "compat",
            ReportBody::Policy(_) => "policy",
            ReportBody::PolicyTests(_) => "policy test",
        }
    }

    /// Adds the answer of another run of the same command. Parts stay with their reports.
    ///
    /// Errors: one answer cannot hold both.
    pub(super) fn join(&mut self, other: ReportBody) -> Result<(), NotJoined> {
        if other.is_empty() {
            return Ok(());
        }
        match (&mut *self, other) {
            (it, other) if it.is_empty() => *it = other,
            (ReportBody::Check(it), ReportBody::Check(other)) => it.join(other),
            (ReportBody::Verdict(it), ReportBody::Verdict(other)) => *it = it.and(other),
            (ReportBody::Policy(it), ReportBody::Policy(other)) => it.join(other),
            (ReportBody::PolicyTests(it), ReportBody::PolicyTests(other)) => it.join(other),
            (it, other) => return Err(NotJoined::Commands(it.command(), other.command())),
        }
        Ok(())
    }

    /// Whether it is that of a run without an answer.
    fn is_empty(&self) -> bool {
        matches!(self, ReportBody::Check(it) if *it == Checked::default())
    }
}

impl Checked {
    /// `3 modules`; `2 modules without variables`.
    pub(super) fn words(&self) -> String {
        match (self.modules.len(), self.without_variables) {
            (0, number @ 1..) => format!("{} without variables", counted(number, "module")),
            (number, _) => counted(number, "module"),
        }
    }

    fn join(&mut self, other: Checked) {
        self.modules.extend(other.modules);
        self.without_variables += other.without_variables;
        self.edited.extend(other.edited);
        self.baselined += other.baselined;
    }
}

impl Report {
    /// What a run of `check` did; `None` for another command.
    pub fn checked(&self) -> Option<&Checked> {
        if let ReportBody::Check(it) = &self.body { Some(it) } else { None }
    }

    /// Like [`Report::checked`].
    pub fn checked_mut(&mut self) -> Option<&mut Checked> {
        if let ReportBody::Check(it) = &mut self.body { Some(it) } else { None }
    }

    /// The verdict of `validate`; `None` for another command, and for a run that failed.
    pub fn verdict(&self) -> Option<Verdict> {
        if let ReportBody::Verdict(it) = self.body { Some(it) } else { None }
    }

    /// What `compat` compared; `None` for another command.
    pub fn compat(&self) -> Option<&Compat> {
        if let ReportBody::Compat(it) = &self.body { Some(it) } else { None }
    }

    /// The checked modules; none for another command.
    pub fn modules(&self) -> &[ModuleReport] {
        self.checked().map_or(&[], |it| &it.modules)
    }

    /// The part of a divided run.
    pub fn part(&self) -> Option<&ShardPart> {
        self.checked()?.part.as_ref()
    }

    /// The number of findings that a baseline lists.
    pub(super) fn baselined(&self) -> usize {
        self.checked().map_or(0, |it| it.baselined)
    }

    /// Takes the part of a divided run out of the report, whose baselines are settled for all parts together.
    pub(super) fn take_part(&mut self) -> Option<ShardPart> {
        let checked = self.checked_mut()?;
        let part = checked.part.take()?;
        checked.baselined = 0;
        Some(part)
    }
}

// The part of a report that `policy` adds: the amount that was judged.

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
