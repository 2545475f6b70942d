//! What the test targets have in common: directories and processes, random choices, recorded cases, tests of programs that
//! may be missing.
//!
//! A test takes what it needs: `Workspace` is a directory of its own on the real disk, `isolated` a process that no
//! setting of the machine reaches, and `unpacked("trees")` the recorded trees of modules. For example, a test in `outside`
//! asks `Program::asked()` for Terraform and returns `MissingProgram::terraform()` where there is none; then it is ignored, and
//! says why.
//!
//! To add a helper, add a file here once two targets need it.
#![allow(
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    clippy::new_without_default,
    clippy::unwrap_used,
    reason = "tests look behind the layers' backs, and may panic"
)]

#[cfg(unix)]
pub mod faults;
pub mod missing;
pub mod program;
pub mod random;
pub mod slips;
pub mod transcript;
pub mod unpacked;
pub mod workspace;
#[cfg(unix)]
pub mod yaml;
