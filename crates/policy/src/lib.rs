//! An organisation's rules over plans and configurations: what is required, what is forbidden, what is valid.
//!
//! A policy and a plan, a state or a module go in; findings of the rules `policy/ID` come out.
//!
//! [`language`] reads `*.rules.hcl` into a [`Policy`], and [`tfpolicy`] does the same for HashiCorp's `*.policy.hcl`; [`plan`] reads the JSON of a plan or a state, and a
//! [`GovernedModule`] reads a module before any plan. Both give one model of objects (`subjects::World`, made by
//! `planned`, `configured` and `sourced`), which `judge` goes over, so that one rule serves before a plan and
//! after it. [`validate`] judges one value by one validator, and `links` judges what a value refers to.
//!
//! An outcome is pass, fail or undecided, and a decided outcome holds however the unknowns turn out. For
//! example: a rule about the length of a name that only the provider knows is undecided; it fails only if every
//! possible name would fail.

mod aligned;
mod asked;
mod configuration;
mod configured;
mod counted;
mod files;
mod findings;
mod found;
mod idle;
mod inferred;
mod judge;
mod links;
mod locked;
pub mod language;
pub mod plan;
mod needs;
mod pattern;
mod planned;
mod references;
mod sourced;
mod subjects;
mod testing;
pub mod tfpolicy;
pub mod validate;

pub use asked::Asked;
pub use configuration::{GovernedModule, judge_written};
pub use files::{NoRules, RuleFile, is_rules, read, rule_files};
pub use judge::{Judged, judge};
pub use language::{GivenContexts, Policy};
pub use locked::LockedProviders;
pub use plan::Plan;
pub use testing::{ReadFile, Tested, test};

/// A policy is shared by threads.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Policy>();
};
