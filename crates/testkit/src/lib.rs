//! What the test targets have in common: directories and processes, random choices, recorded cases, and the other side of
//! each comparison: Terraform, a validator of schemas, the command in memory.
//!
//! A test takes what it needs: [`workspace::Workspace`] is a directory of its own on the real disk, [`workspace::isolated`]
//! a process that no setting of the machine reaches, and `unpacked("trees")` the recorded trees of modules. For example, a
//! test in `outside` asks [`program::Program::asked`] for Terraform and returns
//! [`missing::MissingProgram::terraform`] where there is none; then it is ignored, and says why.
//!
//! | What a test works with | Where |
//! |---|---|
//! | the machine: directories, processes, faults of system calls | [`workspace`], [`faults`] |
//! | programs that may be missing | [`program`], [`missing`] |
//! | the command in memory | [`transcript`], [`compat`] |
//! | recorded cases of `tests/data` as directories | [`unpacked`] |
//! | random numbers, slips of the pen, regular expressions | [`random`], [`slips`], [`regexes`] |
//! | modules, and schemas that judge values | [`modules`], [`validator`] |
//! | random conditions, and what values show of their translations | [`condition`] |
//! | expressions: ours, Terraform's, transcripts of `tests/spec` | [`eval`] |
//! | verdicts on trees of modules | [`verdict`] |
//! | policies over plans and configurations | [`policy`] |
//! | a report with everything in it | [`report`] |
//! | files that ask for much work | [`bombs`] |
//! | what is fuzzed | [`fuzz`] |
//! | a client of the language server | [`client`] |
//! | YAML of workflows | [`yaml`] |
//!
//! To add a helper, add a file here once two targets need it. What one target uses stays below its directory.
#![allow(
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    clippy::needless_pass_by_value,
    clippy::new_without_default,
    clippy::print_stderr,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "tests look behind the layers' backs, and may panic"
)]

pub mod bombs;
pub mod client;
pub mod compat;
pub mod condition;
pub mod eval;
#[cfg(unix)]
pub mod faults;
pub mod fuzz;
pub mod missing;
pub mod modules;
pub mod policy;
pub mod program;
pub mod random;
pub mod regexes;
pub mod report;
pub mod slips;
pub mod transcript;
pub mod unpacked;
pub mod validator;
pub mod verdict;
pub mod workspace;
#[cfg(unix)]
pub mod yaml;
