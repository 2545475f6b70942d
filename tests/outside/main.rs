//! The tests that ask other people's programs: Terraform, and what reads our schemas, reports and workflows.
//!
//! Where a program is missing, its tests are ignored, and say why ([`missing`]).
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::print_stderr,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "a test may look at the disk, and may panic"
)]

mod cases;
#[cfg(unix)]
mod ci;
mod consumers;
mod docs;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod editors;
mod formats;
mod go_tool;
mod hooks;
mod layout;
#[cfg(unix)]
mod rights;
#[cfg(unix)]
mod terminal;
mod tools;
mod wasm;
#[cfg(unix)]
mod wheel;

mod condition {
    pub mod terraform;
}
mod eval {
    pub mod differential;
    pub mod generate;
    pub mod plan;
    pub mod yaml;
}
mod policy {
    pub mod provider;
    pub mod random_plans;
    pub mod rego;
}
mod verdict {
    pub mod differential;
    pub mod generated;
    pub mod random_trees;
}

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials: Vec<Trial> = [
        cases::trials(),
        #[cfg(unix)]
        ci::trials(),
        condition::terraform::trials(),
        consumers::trials(),
        consumers::backtracking::trials(),
        consumers::form::trials(),
        consumers::patterns::trials(),
        consumers::vscode::trials(),
        docs::trials(),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        editors::trials(),
        eval::differential::trials(),
        eval::plan::trials(),
        eval::yaml::trials(),
        formats::trials(),
        go_tool::trials(),
        hooks::trials(),
        layout::trials(),
        policy::provider::trials(),
        policy::random_plans::trials(),
        policy::rego::trials(),
        #[cfg(unix)]
        rights::trials(),
        #[cfg(unix)]
        terminal::trials(),
        verdict::differential::trials(),
        verdict::generated::trials(),
        verdict::random_trees::trials(),
        wasm::trials(),
        #[cfg(unix)]
        wheel::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
