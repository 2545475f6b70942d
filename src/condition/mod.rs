//! Validation conditions as sets of values: exact, necessary or untranslated.
//!
//! A condition becomes sets of assignments (`truth`): those for which it is true, false, null, or
//! fails. None is derived as the complement of another, and none is smaller than what it stands
//! for, so that a schema made from the true set never refuses what Terraform accepts; where it is
//! larger, it says why ([`Loss`](crate::sets::Loss)).

mod alike;
mod backtracking;
mod basic;
mod boolean;
mod common;
mod comparison;
mod conditional;
mod constant;
mod context;
mod counting;
mod filtered;
mod form_names;
mod functions;
mod keyed;
mod message;
mod outcomes;
mod patterns;
mod quantifiers;
mod refused;
mod releases;
mod sequences;
mod sets;
mod symbolic;
mod template;
mod terms;
mod totals;
mod translation;
mod types;
mod unique;

pub use basic::is_basic;
pub use constant::fold;
pub use patterns::named as named_pattern;
pub use translation::{Fidelity, Target, Translation, translate};
