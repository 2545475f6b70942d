//! The one test binary. A module for each layer or promise; everything else in `tests/` is data.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod architecture;
mod check;
mod cli;
mod condition;
mod config;
mod eval;
mod functions;
mod git;
mod inputs;
mod module;
mod oracle;
mod re2;
mod report;
mod schema;
mod syntax;
mod system;
mod typeexpr;
mod value;
mod verdict;
mod version;
mod workspace;
