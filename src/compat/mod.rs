//! Whether a change of a module's contract breaks those who call it.
//!
//! The order on contracts is inclusion of what callers may write. *Major* is proved by arguments that the
//! evaluator accepts under the old contract and refuses, or loses something of, under the new one;
//! *harmless* is proved by inclusion of sets that are none too small (`condition::extents`). What is proved
//! neither way is told as that. The page is `docs/compat.md`.

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
