//! Conversions, marks, `can` and `try`.

mod conversions;
mod ephemeral;
mod fallback;
mod sensitivity;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    fallback::CAN,
    fallback::CONVERT,
    ephemeral::EPHEMERALASNULL,
    sensitivity::ISSENSITIVE,
    sensitivity::NONSENSITIVE,
    sensitivity::SENSITIVE,
    conversions::TOBOOL,
    conversions::TOLIST,
    conversions::TOMAP,
    conversions::TONUMBER,
    conversions::TOSET,
    conversions::TOSTRING,
    fallback::TRY,
];
