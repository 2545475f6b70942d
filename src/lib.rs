//! The contract between a Terraform module and the people who fill in its variables.
//!
//! [`contract::Contract`] is the front door: load a module, get its schema, judge inputs. Everything
//! that it is made of stands behind it, a module for each layer.
//!
//! The default feature `cli` is the command; without it (`default-features = false`) nothing is
//! compiled that only a command needs. `git` is the layer of that name, `tflint` the ruleset.
//!
//! Does a condition hold for a value? A Terraform of the version would say the same:
//! ```
//! use std::collections::BTreeMap;
//!
//! use terraschema::{
//!     diagnostic::FileId,
//!     eval::{EvalHost, Scope, evaluate},
//!     syntax::parse_expression,
//!     system::MemorySystem,
//!     value::Value,
//!     release::Release,
//! };
//!
//! let condition = r#"can(regex("^[a-z]+$", var.name)) && length(var.name) <= 8"#;
//! let (condition, errors) = parse_expression(FileId::default(), condition.as_bytes(), 0);
//! assert!(errors.is_empty());
//!
//! // Functions such as `file` read through a system: `OsSystem` is the machine's.
//! let system = MemorySystem::new();
//! let host = EvalHost::new(&system, "/", Release::NEWEST);
//! for (name, expected) in [("web", true), ("Web", false), ("production", false)] {
//!     let variables = BTreeMap::from([("name".into(), Value::string(name))]);
//!     let scope = Scope { data: &variables, host: &host, release: Release::NEWEST };
//!     let (value, errors) = evaluate(&condition, &scope);
//!     assert!(errors.is_empty());
//!     assert_eq!(value.as_bool(), Some(expected));
//! }
//! ```
//! A condition that is an error for a value (`null < 1`) is in the diagnostics. A value that is not
//! known before a plan is not [`known`](value::Value::is_known): `as_bool` gives nothing then.
//!
//! The layers stand here lowest first; a module may name only those above it in this list
//! (`docs/architecture.md` says what each is, and a test enforces the order).

mod stack;
pub mod diagnostic;
pub mod release;
pub mod system;
pub mod syntax;
pub mod value;
pub mod typeexpr;
pub mod re2;
pub mod sets;
mod go;
pub mod functions;
pub mod eval;
pub mod module;
pub mod condition;
pub mod schema;
pub mod inputs;
pub mod verdict;
pub mod policy;
#[cfg(feature = "git")]
pub mod git;
pub mod config;
pub mod report;
pub mod contract;
pub mod check;
pub mod compat;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "tflint")]
pub mod tflint;
