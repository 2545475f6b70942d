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

// What this target has in common with `it`; each of them uses a part.
#[path = "../it/condition"]
mod condition {
    #[allow(dead_code)]
    pub mod evidence;
    #[allow(dead_code, unused_imports)]
    mod finite;
    mod formats;
    #[allow(dead_code, unused_imports)]
    pub mod fuzz;
    #[allow(dead_code)]
    pub mod matching;
    #[path = "../../outside/condition/terraform.rs"]
    pub mod terraform;
    #[allow(dead_code)]
    pub mod values;
}
#[path = "../it/eval"]
mod eval {
    #[path = "../../outside/eval/differential.rs"]
    pub mod differential;
    #[path = "../../outside/eval/generate/mod.rs"]
    pub mod generate;
    #[allow(dead_code)]
    pub mod json;
    #[allow(dead_code)]
    pub mod ours;
    #[path = "../../outside/eval/plan.rs"]
    pub mod plan;
    #[allow(dead_code, reason = "`spec` uses the rest")]
    #[path = "../../outside/eval/terraform.rs"]
    pub mod terraform;
    #[path = "../../outside/eval/yaml.rs"]
    pub mod yaml;
}
#[path = "../it/functions"]
mod functions {
    pub mod not_judged;
}
#[path = "../it/policy"]
mod policy {
    #[allow(dead_code, unused_imports)]
    pub mod modes;
    #[path = "../../outside/policy/provider.rs"]
    pub mod provider;
    #[path = "../../outside/policy/random_plans.rs"]
    pub mod random_plans;
    #[path = "../../outside/policy/rego.rs"]
    pub mod rego;
}
#[path = "../it/re2"]
mod re2 {
    #[allow(dead_code)]
    pub mod random;
}
#[allow(dead_code)]
#[path = "../it/schema"]
mod schema {
    pub mod modules;
    #[path = "../../outside/validator.rs"]
    pub mod validator;
}
#[path = "../it/verdict"]
mod verdict {
    #[path = "../../outside/verdict/differential/mod.rs"]
    pub mod differential;
    #[path = "../../outside/verdict/generated/mod.rs"]
    pub mod generated;
    #[path = "../../outside/verdict/random_trees/mod.rs"]
    pub mod random_trees;
    #[allow(dead_code)]
    pub mod system;
    #[allow(dead_code, unused_imports)]
    pub mod trees;
}

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
#[cfg(unix)]
use testkit::{faults, yaml};
use testkit::{missing, program, random, unpacked, workspace};

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
