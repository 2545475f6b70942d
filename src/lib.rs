//! The contract between a Terraform module and the people who fill in its variables.
//!
//! The layers stand here lowest first; a module may name only those above it in this list
//! (`docs/architecture.md` says what each is, and a test enforces the order).

pub mod check;
pub mod cli;
pub mod condition;
pub mod diagnostic;
pub mod eval;
pub mod functions;
pub mod inputs;
pub mod module;
pub mod re2;
pub mod report;
pub mod schema;
pub mod syntax;
pub mod system;
pub mod typeexpr;
pub mod value;
pub mod version;
