//! The kind of an error, for code: nothing has to compare its words.

use std::path::Path;

use smol_str::SmolStr;

use super::{EvalError, ReferenceError};

/// The kind of an error. Texts are for people; a cause is for code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A text nests deeper than we read; Terraform may well read it.
    TooDeep,
    /// A file is encrypted, by the tool of this name.
    Encrypted(&'static str),
    /// An expression cannot be evaluated.
    Evaluation(EvalError),
    /// A reference leads nowhere; this is found before anything is evaluated.
    Reference(ReferenceError),
    /// The work of an evaluation, of a rule or of a module is used up.
    Budget(Bound),
    /// The source of a call has a variable in it, which only OpenTofu takes.
    VariableInSource,
    /// A rule is false while all variables are unknown. A verdict reports it as well, in the words of
    /// the rule's author.
    FalseForUnknowns,
    /// Blocks need one another, in these called modules among others.
    Cycle(Vec<SmolStr>),
    /// The configuration of a provider is not there, or is of another provider than the one that is needed.
    Provider,
    /// The callers of a module must pass the configuration of a provider, and nobody calls it.
    CallersProvider,
    /// It is an error of an instance, if that exists.
    Instance,
    /// It counts so many others of its kind.
    More(usize),
}

impl Cause {
    /// The missing file that a function, or a template that it renders, reads.
    pub fn missing_file(&self) -> Option<&Path> {
        match self {
            Cause::Evaluation(EvalError::MissingFile { path, .. }) => Some(path),
            _ => None,
        }
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
    /// The reason in a finding about it.
    pub fn reason(self) -> &'static str {
        match self {
            Bound::Evaluation => "the evaluation takes too much work or memory",
            Bound::Rule => "the rule takes too much work with all its inputs",
            Bound::Module => "the module takes too much work",
        }
    }
}
