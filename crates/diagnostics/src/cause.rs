//! The kinds of errors, for code: nothing has to compare their words. Each is displayed as the headline of its
//! diagnostic, which is Terraform's own if there is one.

use std::path::{Path, PathBuf};

use smol_str::SmolStr;
use thiserror::Error;

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
    /// An override file changes something of this name, which no other file declares.
    Base(SmolStr),
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

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum ReferenceError {
    #[error("Reference to undeclared input variable")]
    UndeclaredVariable,
    #[error("Reference to undeclared local value")]
    UndeclaredLocal,
    #[error("Reference to undeclared module")]
    UndeclaredModule,
    #[error("Reference to undeclared resource")]
    UndeclaredResource,
    /// A reference to a data source of this check, which only the check itself may use.
    #[error("Reference to scoped resource")]
    OfCheck(String),
    #[error("Unexpected resource instance key")]
    UnexpectedKey,
    #[error("Missing resource instance key")]
    MissingKey,
    /// No instance can have the key.
    #[error("Invalid index key")]
    InvalidKey,
    /// The resource, whose attributes are known, does not have this one.
    #[error("Unsupported attribute")]
    UnsupportedAttribute,
    /// The attribute of the resource has no parts.
    #[error("Invalid index")]
    InvalidIndex,
    /// The object, which Terraform provides, such as `path`, does not have this attribute.
    #[error("Invalid {0:?} attribute")]
    InvalidAttribute(String),
    #[error("Reference to \"each\" in context without for_each")]
    NoEach,
    #[error("Reference to \"count\" in non-counted context")]
    NoCount,
    #[error("Invalid \"self\" reference")]
    NoSelf,
    #[error("Reserved symbol name")]
    Reserved,
    /// The form is not a reference: `var` alone, or `path[0]`.
    #[error("Invalid reference")]
    Invalid,
}

impl ReferenceError {
    /// Whether nothing of the name is declared.
    pub fn is_undeclared(&self) -> bool {
        matches!(
            self,
            ReferenceError::UndeclaredVariable
                | ReferenceError::UndeclaredLocal
                | ReferenceError::UndeclaredModule
                | ReferenceError::UndeclaredResource
        )
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum EvalError {
    // References and names.
    /// `x` where only references with a dot exist.
    #[error("Unknown variable")]
    UnknownName,
    /// A constant refers to something.
    #[error("Variables not allowed")]
    ForbiddenReference,

    // Attributes and elements.
    #[error("Attempt to get attribute from null value")]
    AttributeOfNull,
    /// An object without the attribute, or a value without attributes.
    #[error("Unsupported attribute")]
    UnsupportedAttribute,
    #[error("Missing map element")]
    MissingElement,
    #[error("Attempt to index null value")]
    IndexOfNull,
    #[error("Invalid index")]
    InvalidIndex,
    #[error("Splat of null value")]
    SplatOfNull,

    // Operators and conditionals.
    /// An operand does not convert to the operator's type.
    #[error("Invalid operand")]
    InvalidOperand,
    /// A division by zero, for example.
    #[error("Operation failed")]
    FailedOperation,
    #[error("Null condition")]
    NullCondition,
    #[error("Incorrect condition type")]
    ConditionType,
    #[error("Inconsistent conditional result types")]
    InconsistentResults,

    // Objects, templates, `for`.
    #[error("Ambiguous attribute key")]
    AmbiguousKey,
    /// Two keys of an object in JSON are the same once they are evaluated.
    #[error("Duplicate object attribute")]
    DuplicateAttribute,
    #[error("Null value as key")]
    NullKey,
    #[error("Incorrect key type")]
    KeyType,
    #[error("Invalid template interpolation value")]
    InvalidInterpolation,
    #[error("Iteration over null value")]
    IterationOverNull,
    #[error("Iteration over non-iterable value")]
    NotIterable,
    /// The condition after the `if` of a `for` is null.
    #[error("Condition is null")]
    NullForCondition,
    #[error("Invalid 'for' condition")]
    InvalidForCondition,
    #[error("Invalid object key")]
    InvalidForKey,
    #[error("Duplicate object key")]
    DuplicateKey,

    // Calls.
    /// A constant calls a function.
    #[error("Function calls not allowed")]
    ForbiddenCall,
    #[error("Call to unknown function")]
    UnknownFunction,
    #[error("Unknown provider function")]
    UnknownProviderFunction,
    #[error("Not enough function arguments")]
    NotEnoughArguments,
    #[error("Too many function arguments")]
    TooManyArguments,
    /// The value behind `...` is not a list.
    #[error("Invalid expanding argument value")]
    InvalidExpansion,
    /// An argument does not convert to the parameter's type, or the function refuses it.
    #[error("Invalid function argument")]
    InvalidArgument,
    /// The function refuses its arguments together.
    #[error("Error in function call")]
    FailedCall,
    /// A missing file, which something may make before the plan; from the working directory, or
    /// absolute. The error is like `InvalidArgument` or
    /// `FailedCall`.
    #[error("{}", if *.of_argument { EvalError::InvalidArgument } else { EvalError::FailedCall })]
    MissingFile { of_argument: bool, path: PathBuf },
    #[error("Undecided function call")]
    UndecidedCall,
    /// The second argument of `convert` is not a type.
    #[error("Invalid type specification")]
    NoType,
    /// `convert` is called with a type that is wrong: the headline of that error.
    #[error("{0}")]
    InvalidType(String),

    /// The bound on work or memory is reached.
    #[error("Evaluation too large")]
    TooLarge,
}
