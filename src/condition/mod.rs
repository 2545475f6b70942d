//! Validation conditions as constraints: exact, necessary or untranslated.
//!
//! A condition becomes a pair of sets, the values for which it is true and those for which it is
//! false ([`Truth`]). Each set is never smaller than what it stands for, so that a schema made from
//! it never refuses what Terraform accepts; where it is larger, it says why ([`Loss`]).

mod basic;
mod boolean;
mod constant;
mod constraint;
mod context;
mod patterns;
mod region;
mod translation;

pub use basic::is_basic;
pub use constant::fold;
pub use constraint::{Constraint, Length, Limit, Measure, Range};
pub use region::{Loss, Region, Truth};
pub use translation::{Fidelity, Translation, translate};
