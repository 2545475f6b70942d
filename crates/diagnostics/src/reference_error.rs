//! The errors of references, which Terraform checks before it evaluates anything. Each is displayed as
//! the headline of its diagnostic.

use thiserror::Error;

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
