//! Validation conditions as sets of values: exact, necessary or untranslated.
//!
//! A condition becomes sets of assignments (`truth`): those for which it is true, false, null, or
//! fails. None is derived as the complement of another, and none is smaller than what it stands
//! for, so that a schema made from the true set never refuses what Terraform accepts; where it is
//! larger, it says why ([`Loss`](crate::sets::Loss)).

mod affixes;
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
mod cut;
mod filtered;
mod forms;
mod functions;
mod keyed;
mod leaf;
mod message;
mod never;
mod parts;
mod patterns;
mod place;
mod quantify;
mod refused;
mod releases;
mod sequences;
mod sets;
mod slice;
mod term;
mod terms;
mod totals;
mod translation;
mod truth;
mod types;
mod unique;
mod views;

pub use basic::is_basic;
pub use constant::fold;
use leaf::Leaf;
pub use patterns::named as named_pattern;
pub use translation::{Fidelity, Target, Translation, translate};
