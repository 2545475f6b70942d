//! The functions of the provider that is part of Terraform: `provider::terraform::encode_expr` and others.

mod encode;
mod hcl;
mod read;

use super::Function;
/// The functions of this family, sorted by name, without `provider::terraform::`.
pub const FUNCTIONS: &[Function] = &[read::FUNCTION, encode::ENCODE_EXPR, encode::ENCODE_TFVARS];

/// The function with this name behind `provider::terraform::`.
pub fn lookup(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|it| it.name == name)
}
