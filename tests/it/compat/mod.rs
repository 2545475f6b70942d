//! `terraschema compat`: which change of a contract breaks whom. The pages of `tests/spec/compat` are
//! tests of their own, in the target `spec`.

mod alike;
mod callers;
mod described;
mod harmless;
mod history;
mod page;
mod proofs;
mod random;
mod renames;
mod repositories;
mod states;
mod tree;
mod witnesses;

use testkit::compat::{compat, report};
