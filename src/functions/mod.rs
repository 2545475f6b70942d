//! Terraform's functions, in the families of Terraform's own documentation.
//!
//! A function is a declaration: parameters with flags for null, unknown and marks, a return type
//! and a short body. The cross-cutting cases (argument count, conversion, null, unknown, marks)
//! are handled once, in `call`.

mod declaration;

pub use declaration::{Context, Failure, Function, Host, Param, ReturnType, Ty};
