//! The errors of references: what a name leads to, which Terraform looks at before it evaluates anything. Displayed as
//! the headline of their diagnostic.

use thiserror::Error;

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ReferenceError {
    #[error("Reference to undeclared input variable")]
    UndeclaredVariable,
    #[error("Reference to undeclared local value")]
    UndeclaredLocal,
    #[error("Reference to undeclared module")]
    UndeclaredModule,
    #[error("Reference to undeclared resource")]
    UndeclaredResource,
    /// A data source of this check is referred to, which only the check itself may do.
    #[error("Reference to scoped resource")]
    OfCheck(String),
    #[error("Unexpected resource instance key")]
    UnexpectedKey,
    #[error("Missing resource instance key")]
    MissingKey,
    /// A resource whose attributes are known has no such one.
    #[error("Unsupported attribute")]
    UnsupportedAttribute,
    /// An object that Terraform provides, such as `path`, has no such attribute.
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
    /// The form is no reference: `var` alone, or `path[0]`.
    #[error("Invalid reference")]
    Invalid,
}
