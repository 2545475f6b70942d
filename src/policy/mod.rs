//! An organisation's rules over plans: what is required, what is forbidden, what is valid.
//!
//! [`language`] reads `*.rules.hcl` into a [`Policy`]; [`plan`] reads what Terraform says of a plan or a
//! state; [`validate`] judges one value by one validator. An outcome is pass, fail or undecided, and a
//! decided outcome holds however the unknowns turn out. What is found becomes a
//! [`Finding`](crate::diagnostic::Finding) of the rule `policy/ID`.

mod address;
mod findings;
mod judge;
pub mod language;
pub mod plan;
mod needs;
mod pattern;
mod references;
mod subjects;
mod testing;
pub mod validate;

pub use address::Pattern;
pub use judge::{Asked, Judged, judge};
pub use language::{Given, Policy, read};
pub use plan::Plan;
pub use testing::{ReadFile, Tested, test};
