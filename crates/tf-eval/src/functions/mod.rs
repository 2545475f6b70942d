//! Terraform's functions, in the families of Terraform's own documentation.
//!
//! A function is a declaration: parameters with flags for null, unknown and marks, a return type and a
//! short body. Arguments go in; a value or a `CallError` comes out. The cross-cutting cases (argument
//! count, conversion, null, unknown, marks) are handled once, in `call`, so that no body can forget one.

mod arguments;
pub mod built_in_provider;
mod call;
mod collection;
mod date_time;
mod declaration;
mod domain;
mod encoding;
mod filesystem;
mod graphemes;
mod hash_crypto;
mod ip_network;
mod numeric;
mod registry;
mod string;
mod type_conversion;

pub use arguments::{double, elements, text, whole_number};
pub use call::{
    CallError, NULL_REFUSED, apply, call, check_count, conversion_work, convert_argument,
};
pub use declaration::{
    CallContext, DependsOn, Failure, Function, Host, Param, Refuses, ReturnType, Ty,
};
pub use domain::{Domain, KnownArgument, always_converts, domain, result_type};
pub use graphemes::{grapheme_count, graphemes};
pub use registry::{BUILT_IN_PROVIDER, FAMILIES, Family, all, lookup};
pub use string::{OF_OPENTOFU as TEMPLATESTRING_OF_OPENTOFU, lower, upper};
