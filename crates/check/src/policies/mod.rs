//! Judges modules by the policies that govern them.
//!
//! `judge` takes a module as its nearest configuration file has it. `demanded` takes it as the file has it that demands
//! the rules, where a nearer file says otherwise.

mod demanded;
mod judge;

pub(super) use self::judge::{Values, check, check_loose};
