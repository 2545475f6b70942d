//! Calculations with CIDR prefixes.

mod address;
mod cidrcontains;
mod cidrhost;
mod cidrnetmask;
mod cidrsubnet;
mod cidrsubnets;
mod prefix;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    cidrcontains::FUNCTION,
    cidrhost::FUNCTION,
    cidrnetmask::FUNCTION,
    cidrsubnet::FUNCTION,
    cidrsubnets::FUNCTION,
];
