//! What a report holds by the kind of its run.

use std::{collections::BTreeSet, mem};

use super::{
    Compat, ModuleReport, Part, PolicyRun, PolicyTests, Report, Verdict, WrittenBaseline, counted,
};

/// The answer of a run, beyond its findings.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
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
    pub part: Option<Part>,
}

impl Default for Body {
    fn default() -> Body {
        Body::Check(Checked::default())
    }
}

impl Body {
    /// The command that makes such a report.
    fn command(&self) -> &'static str {
        match self {
            Body::Check(_) => "check",
            Body::Verdict(_) => "validate",
            Body::Compat(_) => "compat",
            Body::Policy(_) => "policy",
            Body::PolicyTests(_) => "policy test",
        }
    }

    /// Adds the answer of another run of the same command. Parts stay with their reports.
    ///
    /// Errors: the names of both commands, if one answer cannot hold both.
    pub(super) fn join(&mut self, other: Body) -> Result<(), (&'static str, &'static str)> {
        if other.is_empty() {
            return Ok(());
        }
        match (&mut *self, other) {
            (it, other) if it.is_empty() => *it = other,
            (Body::Check(it), Body::Check(other)) => it.join(other),
            (Body::Verdict(it), Body::Verdict(other)) => *it = it.and(other),
            (Body::Policy(it), Body::Policy(other)) => it.join(other),
            (Body::PolicyTests(it), Body::PolicyTests(other)) => it.join(other),
            (it, other) => return Err((it.command(), other.command())),
        }
        Ok(())
    }

    /// Whether it is that of a run without an answer.
    fn is_empty(&self) -> bool {
        matches!(self, Body::Check(it) if *it == Checked::default())
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
        if let Body::Check(it) = &self.body { Some(it) } else { None }
    }

    /// Like [`Report::checked`].
    pub fn checked_mut(&mut self) -> Option<&mut Checked> {
        if let Body::Check(it) = &mut self.body { Some(it) } else { None }
    }

    /// The verdict of `validate`; `None` for another command, and for a run that failed.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Body::Verdict(it) = self.body { Some(it) } else { None }
    }

    /// What `compat` compared; `None` for another command.
    pub fn compat(&self) -> Option<&Compat> {
        if let Body::Compat(it) = &self.body { Some(it) } else { None }
    }

    /// The checked modules; none for another command.
    pub fn modules(&self) -> &[ModuleReport] {
        self.checked().map_or(&[], |it| &it.modules)
    }

    /// The part of a divided run.
    pub fn part(&self) -> Option<&Part> {
        self.checked()?.part.as_ref()
    }

    /// The number of findings that a baseline lists.
    pub(super) fn baselined(&self) -> usize {
        self.checked().map_or(0, |it| it.baselined)
    }

    /// Takes the part of a divided run out of the report.
    pub(super) fn take_part(&mut self) -> Option<Part> {
        self.checked_mut().and_then(|it| mem::take(&mut it.part))
    }
}
