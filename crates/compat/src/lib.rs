//! Decides whether a change of a module's contract breaks its callers.
//!
//! Two states of a repository's modules go in; a report comes out, with the changes of each module and
//! the next version. [`compare()`] does the same for two contracts.
//!
//! Contracts are ordered by inclusion of the arguments that callers may write. A change is *major* if there are
//! arguments that the evaluator accepts under the old contract and refuses, or loses a part of, under the new
//! one. It is *harmless* if inclusion of sets that are never too small (`condition::extents`) proves it. If
//! nothing is proved, the report says so. For example: `length(var.name) <= 8` became `<= 6`; the witness is a
//! name of seven characters, which `verdict` accepts under the old rule and refuses under the new one.
//!
//! Sets alone are not enough because they may be too large: such a set can prove that nothing more is refused,
//! but not that something is. The page is `docs/compat.md`.

mod call;
mod callers;
mod cases;
mod compare;
mod constraints;
mod contract;
mod defaults;
mod described;
mod duplicates;
mod findings;
mod form;
mod guesses;
mod implication;
mod inclusion;
mod judge;
mod kinds;
mod legacy;
mod links;
mod modes;
mod names;
mod objects;
mod outputs;
mod older;
mod pairs;
mod reads;
mod reduce;
mod renames;
mod rules;
mod run;
mod search;
mod shapes;
mod skeleton;
mod space;
mod tags;
mod types;
mod variables;
mod view;

pub use compare::compare;
pub use contract::ModuleContract;
pub use described::Described;
pub use findings::{Change, State, Witness};
pub use judge::Arguments;
pub use run::{CompatRequest, Revision, run};
pub use search::Samples;
pub use tags::{Owners, claimed, is_newest, next_version, owners, releases, version_of_tag};
