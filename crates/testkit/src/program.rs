//! The real Terraform or OpenTofu that is asked.
//!
//! `ORACLE_TERRAFORM` names another program than the `terraform` on the search path. It says itself
//! which release it is, and we judge as that one.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use release::{Product, Release};

#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub release: Release,
}

impl Program {
    /// The program of `ORACLE_TERRAFORM`, or else the recorded one.
    pub fn asked() -> Option<Program> {
        Program::named().or_else(Program::recorded)
    }

    /// The program of `ORACLE_TERRAFORM`.
    fn named() -> Option<Program> {
        let path = PathBuf::from(env::var_os("ORACLE_TERRAFORM")?);
        let release = release(&path);
        let release = release.unwrap_or_else(|| panic!("{} says no release", path.display()));
        let is_recorded = release.product().releases().any(|it| it == release);
        assert!(is_recorded, "{release} was not recorded");
        Some(Program { path, release })
    }

    /// The `terraform` on the search path, when it is the release whose behaviour is recorded.
    pub fn recorded() -> Option<Program> {
        let path = env::var_os("PATH")?;
        let mut all = env::split_paths(&path).map(|it| it.join("terraform"));
        let path = all.find(|it| it.is_file())?;
        let release = release(&path)?;
        let is_recorded = release.recorded() == Release::V1_11.recorded();
        is_recorded.then_some(Program { path, release: Release::V1_11 })
    }

    /// Whether it is the one whose answers are recorded; then expressions are drawn as usual.
    pub fn is_recorded(&self) -> bool {
        self.release == Release::V1_11
    }
}

/// What a program says it is: `OpenTofu v1.12.6`. (Its JSON does not name the product.)
fn release(program: &Path) -> Option<Release> {
    let output = Command::new(program).arg("version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    [Product::Terraform, Product::OpenTofu].into_iter().find_map(|product| {
        let start = format!("{product} v");
        let version = text.lines().find_map(|it| it.strip_prefix(&*start))?;
        Release::parse(product, version.trim()).ok()
    })
}
