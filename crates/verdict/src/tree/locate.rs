//! Finds the directory that a call's source leads to.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use release::Release;
use system::{System, paths};

/// Finds the directories of called modules.
#[derive(Default)]
pub struct Locator<'a> {
    /// Whether the modules that `terraform init` put into `.terraform` are used.
    initialised: bool,
    /// The modules that `terraform init` installed for the root module.
    manifest: Option<Manifest>,
    /// The directories that the configuration gives for sources.
    contracts: Option<&'a dyn ContractDirectories>,
}

/// Directories that replace modules from elsewhere.
pub trait ContractDirectories {
    /// The directory for a source as it is written in a call, and the version that the call asks for;
    /// `caller` is the directory of the module that calls.
    fn dir(&self, caller: &Path, source: &str, version: Option<&str>) -> Option<PathBuf>;
}

impl<'a> Locator<'a> {
    /// A locator that ignores everything that `terraform init` wrote.
    pub fn of_sources(contracts: &'a dyn ContractDirectories) -> Self {
        Locator { initialised: false, manifest: None, contracts: Some(contracts) }
    }

    pub fn initialised(
        manifest: Option<Manifest>,
        contracts: Option<&'a dyn ContractDirectories>,
    ) -> Self {
        Locator { initialised: true, manifest, contracts }
    }

    /// A locator for commands that run where Terraform does: it reads what `terraform init` wrote into
    /// `.terraform` (`TF_DATA_DIR` where that is set).
    pub fn in_directory(
        system: &dyn System,
        dir: &Path,
        contracts: Option<&'a dyn ContractDirectories>,
    ) -> Self {
        let data_dir = system.env("TF_DATA_DIR").filter(|it| !it.is_empty());
        Locator::initialised(Manifest::read(system, dir, data_dir.as_deref()), contracts)
    }

    /// Whether missing modules may still appear, since nothing says that `terraform init` was run.
    pub fn awaits(&self) -> bool {
        !self.initialised
    }

    /// The directory of a called module. `dir` is the caller's, `key` the way from the root as
    /// `modules.json` writes it. Errors: why it is not here.
    pub fn locate(
        &self,
        dir: &Path,
        key: &str,
        source: &str,
        version: Option<&str>,
        release: Release,
        system: &dyn System,
    ) -> Result<PathBuf, String> {
        // A backslash is not a separator in a source.
        if source.starts_with("./") || source.starts_with("../") {
            let path = paths::clean(&dir.join(source));
            // What the repository itself holds is there before `terraform init`, too.
            if is_installed(source) && !self.initialised && !system.holds_tracked(&path) {
                return Err(not_installed(source));
            }
            return Ok(path);
        }
        // A plan uses the installed module.
        let installed = self.manifest.as_ref().map(|it| it.dir(key, source, version, release));
        if let Some(Ok(dir)) = installed {
            return Ok(dir);
        }
        if let Some(dir) = self.contracts.and_then(|it| it.dir(dir, source, version)) {
            return Ok(dir);
        }
        match installed {
            Some(Err(reason)) => Err(reason),
            _ => Err(format!("its source {source:?} is not here")),
        }
    }
}

/// Whether a path leads into the directory of `terraform init`: some modules call those that another
/// call installed.
pub(super) fn is_installed(source: &str) -> bool {
    source.split('/').any(|it| it == ".terraform")
}

pub(super) fn not_installed(source: &str) -> String {
    format!("its source {source:?} exists only after `terraform init`")
}
