//! The tests that need no harness of their own. A module for each layer or promise. (`tests/spec_sections` runs what
//! `tests/spec` expects, `tests/outside` what needs other people's programs.)
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::cloned_ref_to_slice_refs,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::too_many_lines,
    clippy::unwrap_used
)]

mod action;
mod api;
mod architecture;
mod baseline;
mod bombs;
mod budgets;
mod calls;
mod check;
mod ci;
mod cli;
mod commands;
mod compat;
mod condition;
mod config;
mod consequences;
mod constraints;
mod contracts;
mod eval;
mod explanations;
mod faults;
mod functions;
mod given;
mod git;
#[cfg(unix)]
mod hostile;
mod inputs;
mod hints;
mod hook_names;
mod lead;
mod messages;
#[cfg(feature = "lsp")]
mod lsp;
mod markdown;
mod module;
mod narrowing;
mod noise;
mod onward;
mod oracle;
mod packaging;
mod paths;
mod policy;
mod prose;
mod questions;
mod scaling;
mod races;
mod re2;
mod readme;
mod release;
mod releases;
mod required_version;
mod report;
mod rules;
mod schema;
mod secret_defaults;
mod secrets;
mod secrets_in_broken;
mod sets;
mod shared_runs;
mod silence;
mod spoken;
mod supply;
mod syntax;
mod system;
mod templates;
mod terminal;
mod terragrunt;
mod typeexpr;
mod value;
mod verdict;
