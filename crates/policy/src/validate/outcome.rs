//! Pass, fail, undecided.

use foldhash::HashSet;

use super::trail::Trail;

use diagnostics::Span;
use tf_value::{Path, Value};

/// The outcome of a judgement: fail if there are violations, else undecided if there are doubts, else pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub violations: Vec<Violation>,
    pub doubts: Vec<Doubt>,
}

/// A value that breaks a validator, however the unknowns turn out.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub at: ShownPath,
    /// A description of the value; never shows a sensitive one.
    pub found: String,
    /// The author's message: the validator's `error_message`.
    pub author_message: Option<String>,
    /// Advice, if it is not obvious what to do.
    pub help: Option<String>,
    /// Whether a condition could not be evaluated. That fails what is demanded, but proves nothing of what is
    /// forbidden.
    pub is_broken: bool,
    /// The validator.
    pub span: Span,
}

/// Something that is not decided before apply.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    pub at: ShownPath,
    pub reason: String,
    /// The validator.
    pub span: Span,
}

/// The way from an object to a value in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownPath {
    pub path: Path,
    /// How many of its steps may be shown: the keys of a sensitive map are part of the secret.
    pub shown: usize,
}

impl ShownPath {
    /// The path up to a sensitive value.
    pub fn visible(&self) -> Path {
        Path(self.path.0[..self.shown.min(self.path.0.len())].to_vec())
    }
}

impl From<Path> for ShownPath {
    fn from(path: Path) -> ShownPath {
        ShownPath { shown: path.0.len(), path }
    }
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
            self.violations.retain(|it| seen.insert((it.at.path.json_pointer(), it.span)));
        }
        if self.doubts.len() > MANY {
            let mut seen = HashSet::default();
            self.doubts.retain(|it| seen.insert((it.at.path.json_pointer(), it.span)));
        }
    }

    pub fn failed(at: impl Into<ShownPath>, found: String, span: Span) -> Outcome {
        let (at, author_message, help) = (at.into(), None, None);
        let violation = Violation { at, found, author_message, help, is_broken: false, span };
        Outcome { violations: vec![violation], doubts: Vec::new() }
    }

    /// Fails because a required value is null.
    pub(super) fn failed_null(at: impl Into<ShownPath>, found: String, span: Span) -> Outcome {
        let mut outcome = Outcome::failed(at, found, span);
        outcome.violations[0].help =
            Some("write optional(…) to allow it to be left out".to_owned());
        outcome
    }

    /// Fails because a condition cannot be evaluated.
    pub fn broken(at: impl Into<ShownPath>, why: String, span: Span) -> Outcome {
        let mut outcome = Outcome::failed(at, why, span);
        outcome.violations[0].is_broken = true;
        outcome
    }

    /// Whether it fails, and for no other reason than that conditions cannot be evaluated.
    pub(super) fn is_broken(&self) -> bool {
        !self.violations.is_empty() && self.violations.iter().all(|it| it.is_broken)
    }

    /// Marks a failure as one of conditions that cannot be evaluated.
    pub(super) fn broken_if(mut self, is_broken: bool) -> Outcome {
        self.violations.iter_mut().for_each(|it| it.is_broken |= is_broken);
        self
    }

    /// The same outcome where a failure lets something pass, as in `deny`, `where` and `forbid`: a condition that
    /// cannot be evaluated decides nothing.
    pub fn softened(self) -> Outcome {
        if !self.is_broken() {
            return self;
        }
        let doubt = |it: Violation| Doubt { at: it.at, reason: it.found, span: it.span };
        let doubts = self.violations.into_iter().map(doubt).chain(self.doubts);
        Outcome { violations: Vec::new(), doubts: doubts.collect() }
    }

    /// Sets the advice for each violation.
    pub fn with_help(mut self, help: Option<&str>) -> Outcome {
        self.violations.iter_mut().for_each(|it| it.help = help.map(str::to_owned));
        self
    }

    pub fn undecided(at: impl Into<ShownPath>, reason: String, span: Span) -> Outcome {
        let doubt = Doubt { at: at.into(), reason, span };
        Outcome { violations: Vec::new(), doubts: vec![doubt] }
    }

    /// The same outcome of a value on a trail, of whose steps some may not be shown.
    pub(super) fn on(mut self, trail: &Trail<'_>) -> Outcome {
        let shown = trail.shown();
        let paths = self.violations.iter_mut().map(|it| &mut it.at);
        let paths = paths.chain(self.doubts.iter_mut().map(|it| &mut it.at));
        paths.for_each(|it| it.shown = it.shown.min(shown));
        self
    }

    /// Undecided, because the value is not known enough.
    pub fn unknown(at: impl Into<ShownPath>, value: &Value, span: Span) -> Outcome {
        let reason = if value.is_known() {
            "a part of it is known after apply"
        } else {
            "it is known after apply"
        };
        Outcome::undecided(at, reason.to_owned(), span)
    }
}

/// Adds reasons why no alternative is decided, up to a limit: a few say enough.
pub fn keep_some(doubts: &mut Vec<Doubt>, more: Vec<Doubt>) {
    const SOME: usize = 8;
    let room = SOME.saturating_sub(doubts.len());
    doubts.extend(more.into_iter().take(room.max(usize::from(doubts.is_empty()))));
}

/// The outcome if one of the two holds and it is not known which: decided if both agree.
pub(super) fn either(
    one: Outcome,
    other: Outcome,
    at: impl Into<ShownPath>,
    span: Span,
) -> Outcome {
    if one.is_pass() && other.is_pass() || one.is_fail() && other.is_fail() {
        return one;
    }
    let mut doubts = one.doubts;
    keep_some(&mut doubts, other.doubts);
    doubts.dedup();
    if doubts.is_empty() {
        let reason = "it is known after apply".to_owned();
        doubts.push(Doubt { at: at.into(), reason, span });
    }
    Outcome { violations: Vec::new(), doubts }
}
