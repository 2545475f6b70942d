//! The tflint ruleset: the findings of `check` as issues of tflint, which starts this plugin and
//! speaks to it by gRPC over a socket.
//!
//! tflint calls `proto.RuleSet`, and during a check we call its `proto.Runner` on a connection that
//! go-plugin's broker announces. Messages are written by hand, so nothing is generated.

mod broker;
mod check;
mod host_files;
mod issue;
mod options;
mod process;
pub mod rpc;
mod ruleset;
mod runner;
mod server;
pub mod wire;

pub use check::guarded;
pub use process::main;
