//! What code has to know of an error: its kind, so that nothing compares its words.

use super::{EvalError, ReferenceError};

/// Why an error was told. Texts are for people; a cause is for code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A text nests deeper than is read here, and Terraform may well read it.
    TooDeep,
    /// An expression cannot be evaluated.
    Evaluation(EvalError),
    /// A reference leads nowhere, which is told before anything is evaluated.
    Reference(ReferenceError),
    /// The work of an evaluation, of a rule or of a module is used up.
    Budget(Bound),
    /// A rule is false while nothing is known of the variables; a verdict says so as well, in the words of
    /// the rule's author.
    FalseForUnknowns,
}

impl Cause {
    /// Whether a function, or a template that it renders, reads a file that is not there.
    pub fn is_missing_file(&self) -> bool {
        matches!(self, Cause::Evaluation(EvalError::MissingFile { .. }))
    }
}

/// A bound on work that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    Evaluation,
    Rule,
    Module,
}

impl Bound {
    /// What a finding says of it.
    pub fn reason(self) -> &'static str {
        match self {
            Bound::Evaluation => "the evaluation takes too much work or memory",
            Bound::Rule => "the rule takes too much work with all its inputs",
            Bound::Module => "the module takes too much work",
        }
    }
}
