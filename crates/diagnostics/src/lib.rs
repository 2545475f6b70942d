//! Diagnostics for the user: plain data, no rendering, no I/O.
//!
//! Deep code makes a [`Diagnostic`], whose places are [`Span`]s into a [`Sources`]. At the edge it
//! becomes a [`Finding`], whose places are file, line and column; reports know only findings. So no deep
//! code has to know how a place is shown.
//!
//! ```
//! use diagnostics::{Diagnostic, Finding, Role, Sources, Span, lints};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("prod.tfvars", &b"sise = 3\n"[..]);
//! let problem = Diagnostic::new(&lints::UNDECLARED_VARIABLE, "No variable \"sise\" is declared")
//!     .at(Role::Value, Span { file, start: 0, end: 4 });
//! let finding = Finding::new(&problem, "net", &sources);
//! let place = &finding.locations[0];
//! assert_eq!((place.file.as_str(), place.line, place.column), ("prod.tfvars", 1, 1));
//! ```
//!
//! A [`Lint`] is what can be reported: its id, its level and its summary are declared in [`lints`], and its page is
//! `docs/rules/<id>.md`. Code decides by the id and by a [`Cause`], never by a text. [`visible`] makes foreign text
//! harmless, and [`did_you_mean`] finds the nearest name.
//!
//! To add a lint, declare it in `lints.rs` (those of `compat` in `lints/compat.rs`) and write its page.

mod cause;
mod coverage;
mod finding;
mod kinds;
mod lint;
pub mod lints;
mod omission;
mod severity;
mod source;
mod suggest;
mod visible;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

pub use cause::{Bound, Cause, EvalError, ReferenceError};
pub use coverage::Coverage;
pub use finding::{Decision, Excerpt, FileEdit, Finding, FindingFix, Location, PolicyFacts};
pub use kinds::{MOST_OF_A_KIND, at_most_of_a_kind, more};
pub use lint::{Lint, LintId};
pub use lints::LINTS;
pub use omission::Omission;
pub use severity::{Bump, LevelReason, Severity};
pub use source::{FileId, Fingerprint, Position, Shift, SourceFile, Sources, Span, Why};
pub use suggest::{MOST_NAMES, did_you_mean, near_word, suggestion};
pub use visible::{Inert, is_unseen, visible, visible_json, visible_line};

/// The weight of a diagnostic, in increasing order: `Error` is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Information; never changes the exit code.
    Note,
    Warning,
    Error,
}

impl Level {
    /// The name in reports and configuration: `error`, `warning` or `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// The role of a place in a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The offending value, in a values file or a default.
    Value,
    /// The rule it breaks: a `validation` block's condition, a type constraint.
    Rule,
    /// A place in a committed schema.
    Schema,
    /// The declaration that the diagnostic is about.
    Declaration,
}

impl Role {
    /// The name in the JSON report.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Value => "value",
            Role::Rule => "rule",
            Role::Schema => "schema",
            Role::Declaration => "declaration",
        }
    }
}

/// One place of a diagnostic; the first label of a diagnostic is its primary one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub role: Role,
    pub span: Span,
    /// A few words next to the carets; may be empty.
    pub text: String,
}

/// Whether a fix may be applied without being asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// Changes nothing that Terraform would see.
    Safe,
    /// Changes what is deployed or shared, so it is only suggested.
    Suggestion,
}

/// Replaces the bytes of `span` by `replacement`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    pub span: Span,
    pub replacement: String,
    /// The bytes of the item that the edit removes, without the separators around it. If a neighbour's edit takes the
    /// same separator, this edit is planned again.
    pub removes: Option<Range<u32>>,
}

/// A change that would make the diagnostic go away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    pub description: String,
    pub edits: Vec<Edit>,
    pub safety: Safety,
}

/// A message for the user, with its places as spans.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Names the problem, such as [`lints::FAILED_VALIDATION`].
    pub rule: LintId,
    /// Its level, with what changed it.
    pub severity: Severity,
    /// The kind of the error, for code; its texts are for people only.
    pub cause: Option<Cause>,
    /// One headline, no final period.
    pub summary: String,
    /// More sentences; may be empty.
    pub detail: String,
    pub labels: Vec<Label>,
    /// The given values that it follows from, besides those in its labels.
    pub values: Vec<Label>,
    /// Whether it depends on a variable of the root module that is not given a value.
    pub of_default: bool,
    pub help: Option<String>,
    pub fix: Option<Fix>,
    /// The input variable of the diagnostic.
    pub variable: Option<SmolStr>,
    /// The input variables of a diagnostic about several; otherwise empty.
    pub variables: Vec<SmolStr>,
    /// 0-based index of the `validation` block in its variable.
    pub validation: Option<usize>,
    /// JSON pointer inside the variable's value.
    pub path: Option<String>,
    /// The called module of the diagnostic, such as `module.network.module.subnet`; empty for the module
    /// itself.
    pub address: SmolStr,
}

/// The longest text of a diagnostic, in bytes. A name may be longer, and each of a thousand findings may contain it.
const LONGEST_TEXT: usize = 4096;

/// The longest name in a finding, in bytes.
const LONGEST_NAME: usize = 1024;

/// What is kept of the end of a longer text: what is wrong with a value often comes behind it.
const ENDING: usize = 512;

/// The text; of one that is too long to be read, its beginning and its end.
fn bounded(text: String) -> String {
    bounded_to(LONGEST_TEXT, text)
}

/// The pointer; of one that is too long to be read, its beginning and its end.
fn bounded_pointer(pointer: String) -> String {
    bounded_to(LONGEST_NAME, pointer)
}

fn bounded_to(most: usize, text: String) -> String {
    if text.len() <= most {
        return text;
    }
    // The sentence between them takes less.
    let (beginning, _) = beginning(&text, most - ENDING - 64);
    let ending = &text[text.ceil_char_boundary(text.len() - ENDING)..];
    let more = text.len() - beginning.len() - ending.len();
    format!("{beginning}… ({more} more bytes) …{ending}")
}

/// At most so many bytes from the beginning of a text, and the number of the others.
fn beginning(text: &str, most: usize) -> (&str, usize) {
    let beginning = &text[..text.floor_char_boundary(most)];
    (beginning, text.len() - beginning.len())
}

/// A list of diagnostics, in the order they were found.
pub type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// A diagnostic of the rule's own level, with a headline and no place yet.
    pub fn new(rule: &'static Lint, summary: impl Into<String>) -> Self {
        Diagnostic::of(rule.into(), rule.level, summary)
    }

    /// A diagnostic of a rule that may be declared elsewhere.
    fn of(rule: LintId, level: Level, summary: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            severity: Severity::of(level),
            cause: None,
            summary: bounded(summary.into()),
            detail: String::new(),
            labels: Vec::new(),
            values: Vec::new(),
            of_default: false,
            help: None,
            fix: None,
            variable: None,
            variables: Vec::new(),
            validation: None,
            path: None,
            address: SmolStr::default(),
        }
    }

    /// Adds a reason for another level than the rule's.
    #[must_use]
    pub fn because(mut self, reason: LevelReason) -> Self {
        self.severity.add(reason);
        self
    }

    /// The same problem as one of another rule, at that rule's own level: an error that may not occur, for example, is
    /// one of [`lints::UNDECIDED_VALIDATION`].
    #[must_use]
    pub fn under(self, rule: &'static Lint) -> Self {
        Diagnostic { rule: rule.into(), severity: Severity::of(rule.level), ..self }
    }

    pub fn cause(mut self, cause: Cause) -> Self {
        self.cause = Some(cause);
        self
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = bounded(detail.into());
        self
    }

    /// Adds a place; the first one added is the primary one.
    pub fn at(mut self, role: Role, span: Span) -> Self {
        self.labels.push(Label { role, span, text: String::new() });
        self
    }

    /// Adds a place with a few words next to it.
    pub fn at_with(mut self, role: Role, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { role, span, text: bounded(text.into()) });
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(bounded(help.into()));
        self
    }

    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    pub fn variable(mut self, name: impl Into<SmolStr>) -> Self {
        self.variable = Some(name.into());
        self
    }

    pub fn validation(mut self, index: usize) -> Self {
        self.validation = Some(index);
        self
    }

    pub fn path(mut self, pointer: impl Into<String>) -> Self {
        self.path = Some(bounded_pointer(pointer.into()));
        self
    }

    /// Moves its places into adopted files: those of values into one module's, all others into
    /// another's.
    #[must_use]
    pub fn shifted(mut self, values: Shift, others: Shift) -> Self {
        for label in &mut self.labels {
            let shift = if label.role == Role::Value { values } else { others };
            label.span = label.span.shifted(shift);
        }
        for edit in self.fix.iter_mut().flat_map(|it| &mut it.edits) {
            edit.span = edit.span.shifted(values);
        }
        self
    }

    /// Summary and detail in one text: what reports call the message.
    pub fn message(&self) -> String {
        if self.detail.is_empty() {
            return self.summary.clone();
        }
        format!("{}: {}", self.summary, self.detail)
    }

    /// The span of the primary place.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|it| it.span)
    }

    pub fn level(&self) -> Level {
        self.severity.level()
    }

    pub fn is_error(&self) -> bool {
        self.level() == Level::Error
    }
}

/// Whether any of them is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// The verdict of `terraform plan` on the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Accept,
    Reject,
    /// A value that only a plan knows decides.
    Undecided,
}

impl Verdict {
    /// The name in the JSON report.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Accept => "accept",
            Verdict::Reject => "reject",
            Verdict::Undecided => "undecided",
        }
    }

    /// The verdict on two inputs together: one that is rejected decides.
    pub fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::Reject, _) | (_, Verdict::Reject) => Verdict::Reject,
            (Verdict::Undecided, _) | (_, Verdict::Undecided) => Verdict::Undecided,
            (Verdict::Accept, Verdict::Accept) => Verdict::Accept,
        }
    }
}
