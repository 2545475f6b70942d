//! Whether a change of a module's contract breaks those who call it.
//!
//! Two states of a repository's modules go in; a report comes out, with the changes of each module and
//! the next version. [`compare()`] does the same for two contracts.
//!
//! The order on contracts is inclusion of what callers may write. *Major* is proved by arguments that the
//! evaluator accepts under the old contract and refuses, or loses something of, under the new one;
//! *harmless* is proved by inclusion of sets that are none too small (`condition::extents`). What is proved
//! neither way is told as that. For example: `length(var.name) <= 8` became `<= 6`; the witness is a name of
//! seven characters, which `verdict` accepts under the old rule and refuses under the new one.
//!
//! The two proofs need two means because sets may be too large: such a set can prove that nothing is refused
//! anew, but no break. The page is `docs/compat.md`.

mod call;
mod callers;
mod cases;
mod casework;
mod change;
mod compare;
mod constraints;
mod contract;
mod defaults;
mod described;
mod findings;
mod form;
mod guesses;
mod implication;
mod inclusion;
mod judge;
mod kinds;
mod links;
mod modes;
mod names;
mod next;
mod objects;
mod outputs;
mod pairs;
mod reads;
mod renames;
mod rules;
mod run;
mod search;
mod skeleton;
mod space;
mod types;
mod variables;
mod view;

pub use change::{Change, State, Witness};
pub use compare::compare;
pub use contract::Contract;
pub use described::Described;
pub use next::{claimed, next_version, releases, version_of_tag};
pub use run::{Request, Revision, run};
