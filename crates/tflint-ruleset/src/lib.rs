//! The tflint ruleset: the findings of `check` as issues of tflint.
//!
//! tflint starts this program and calls it by gRPC over a socket. Its configuration and the module's
//! source files go in; issues go out, each under the tflint rule that `names` gives for
//! its lint, or under `terraschema_module_call` if it lies in a called module.
//!
//! | step | code |
//! |---|---|
//! | Print the handshake, serve one connection, end. | `process` |
//! | Answer tflint's calls of `proto.RuleSet`: names, options, `Check`. | `server`, `ruleset` |
//! | During a check, call tflint's `proto.Runner`; go-plugin's broker announces its address. | `broker`, `runner` |
//! | Check the root module with what it calls. | `check`, which calls [`check_single`](::check::check_single) |
//! | Turn each finding into an issue. | `issue` |
//!
//! - Sources are tflint's texts, not the disk's: a language server sends what its editor has not saved.
//!   Everything else is read from the disk, within the module's repository (`host_files`).
//! - The messages of the protocol are written by hand (`wire`), so that a build needs no `protoc` and
//!   generates nothing.
//! - A finding of a rule without a tflint name is logged, not reported: tflint itself or `terraschema
//!   check` reports it.
//! - An error of a check makes tflint drop all issues of its run, other plugins' too. So only a broken
//!   configuration and failures of the plugin are errors.

mod broker;
mod check;
mod host_files;
mod issue;
pub mod names;
mod options;
mod process;
pub mod rpc;
mod ruleset;
mod runner;
mod server;
pub mod wire;

pub use check::guarded;
pub use process::main;
