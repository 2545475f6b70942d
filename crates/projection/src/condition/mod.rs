//! Validation conditions as sets of values: exact, necessary or untranslated.
//!
//! A condition becomes sets of assignments (`symbolic::Truth`): those for which it is true, false, null, or
//! fails. No set is derived as the complement of another, and no set is smaller than what it represents. So a
//! schema made from the true set never refuses what Terraform accepts. A set that is larger says why
//! ([`Loss`](crate::sets::Loss)).
//!
//! A variable of a module, its rules and the [`TranslationTarget`] go in; a [`Translation`] for each rule comes out.
//! `symbolic` has the symbolic values of expressions, `expressions` reads expressions, `functions` reads calls, and
//! `identities` reads spellings that mean more than their parts. Imports run one way, except for the reader's recursion
//! through `expressions/mod.rs`. The book is `docs/conditions.md`.

mod constant;
mod context;
mod error_message;
mod extents;
mod expressions;
mod functions;
mod go_tool_forms;
mod identities;
mod membership;
mod never;
mod null_elements;
mod outcomes;
mod patterns;
mod quantifiers;
mod refused;
mod relation;
mod releases;
mod symbolic;
mod translation;
mod types;

pub use constant::fold;
pub use extents::{Extents, Outcomes, extents, outcomes};
pub use go_tool_forms::is_basic;
pub use patterns::{TIMESTAMP, named as named_pattern};
pub use translation::{Fidelity, Translation, TranslationTarget, translate, translate_rule};
