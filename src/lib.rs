//! The contract between a Terraform module and the people who fill in its variables.
//!
//! The layers stand here lowest first; a module may name only those above it in this list
//! (`docs/architecture.md` says what each is, and a test enforces the order).

pub mod diagnostic;
pub mod version;
pub mod system;
pub mod syntax;
pub mod value;
pub mod typeexpr;
pub mod re2;
pub mod functions;
pub mod eval;
pub mod module;
pub mod condition;
pub mod schema;
pub mod inputs;
pub mod verdict;
pub mod git;
pub mod config;
pub mod report;
pub mod check;
pub mod cli;
#[cfg(feature = "tflint")]
pub mod tflint;
