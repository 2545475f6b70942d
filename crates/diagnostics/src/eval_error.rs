//! The errors of evaluation. Each is displayed as the headline of its diagnostic, which is Terraform's
//! own if there is one.

use std::path::PathBuf;

use thiserror::Error;

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
