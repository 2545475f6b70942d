//! Pass, fail, undecided.

use foldhash::HashSet;

use crate::{
    diagnostic::Span,
    value::{Path, Value},
};

/// The outcome of a judgement: fail if there are violations, else undecided if there are doubts, else pass.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    pub violations: Vec<Violation>,
    pub doubts: Vec<Doubt>,
}

/// A value that breaks a validator, however the unknowns turn out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    pub path: Path,
    /// A description of the value; never shows a sensitive one.
    pub found: String,
    /// The author's message: the validator's `error_message`.
    pub told: Option<String>,
    /// Advice, if it is not obvious what to do.
    pub help: Option<String>,
    /// The validator.
    pub span: Span,
}

/// Something that is not decided before apply.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Doubt {
    pub path: Path,
    pub reason: String,
    /// The validator.
    pub span: Span,
}

impl Outcome {
    pub const PASS: Outcome = Outcome { violations: Vec::new(), doubts: Vec::new() };

    pub fn is_pass(&self) -> bool {
        self.violations.is_empty() && self.doubts.is_empty()
    }

    pub fn is_fail(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Adds another outcome: both must pass.
    pub fn add(&mut self, other: Outcome) {
        // The most frequent case.
        if other.is_pass() {
            return;
        }
        self.violations.extend(other.violations);
        self.doubts.extend(other.doubts);
    }

    /// Removes duplicates if there are many doubts or violations: a local may be used in a validator many
    /// times.
    pub(super) fn thin_out(&mut self) {
        const MANY: usize = 64;
        if self.violations.len() > MANY {
            let mut seen = HashSet::default();
            self.violations.retain(|it| seen.insert((it.path.json_pointer(), it.span)));
        }
        if self.doubts.len() > MANY {
            let mut seen = HashSet::default();
            self.doubts.retain(|it| seen.insert((it.path.json_pointer(), it.span)));
        }
    }

    pub(in crate::policy) fn failed(path: impl Into<Path>, found: String, span: Span) -> Outcome {
        let violation = Violation { path: path.into(), found, told: None, help: None, span };
        Outcome { violations: vec![violation], doubts: Vec::new() }
    }

    /// Fails because a required value is null.
    pub(super) fn failed_null(path: impl Into<Path>, span: Span) -> Outcome {
        let mut outcome = Outcome::failed(path, "nothing (null)".to_owned(), span);
        outcome.violations[0].help = Some("optional(…) lets it be left out".to_owned());
        outcome
    }

    /// Sets the advice for each violation.
    pub(super) fn with_help(mut self, help: Option<&str>) -> Outcome {
        self.violations.iter_mut().for_each(|it| it.help = help.map(str::to_owned));
        self
    }

    pub(in crate::policy) fn undecided(
        path: impl Into<Path>,
        reason: String,
        span: Span,
    ) -> Outcome {
        let doubt = Doubt { path: path.into(), reason, span };
        Outcome { violations: Vec::new(), doubts: vec![doubt] }
    }

    /// Undecided, because the value is not known enough.
    pub(in crate::policy) fn unknown(path: impl Into<Path>, value: &Value, span: Span) -> Outcome {
        let reason = if value.is_known() {
            "a part of it is known after apply"
        } else {
            "it is known after apply"
        };
        Outcome::undecided(path, reason.to_owned(), span)
    }
}

/// Adds reasons why no alternative is decided, up to a limit: a few say enough.
pub(super) fn keep_some(doubts: &mut Vec<Doubt>, more: Vec<Doubt>) {
    const SOME: usize = 8;
    let room = SOME.saturating_sub(doubts.len());
    doubts.extend(more.into_iter().take(room.max(usize::from(doubts.is_empty()))));
}

/// The outcome if one of the two holds and it is not known which: decided if both agree.
pub(super) fn either(one: Outcome, other: Outcome, path: impl Into<Path>, span: Span) -> Outcome {
    if one.is_pass() && other.is_pass() || one.is_fail() && other.is_fail() {
        return one;
    }
    let mut doubts = one.doubts;
    keep_some(&mut doubts, other.doubts);
    doubts.dedup();
    if doubts.is_empty() {
        let reason = "it is known after apply".to_owned();
        doubts.push(Doubt { path: path.into(), reason, span });
    }
    Outcome { violations: Vec::new(), doubts }
}
