//! Numbers: rounding, extremes, powers, parsing.

mod extremes;
mod parseint;
mod power;
mod rounding;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    rounding::ABS,
    rounding::CEIL,
    rounding::FLOOR,
    power::LOG,
    extremes::MAX,
    extremes::MIN,
    parseint::PARSEINT,
    power::POW,
    rounding::SIGNUM,
];
