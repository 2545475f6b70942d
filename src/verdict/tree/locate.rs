//! Where a call's source leads.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use crate::{release::Release, system::paths};

/// Finds the directories of called modules.
#[derive(Default)]
pub struct Locator<'a> {
    /// Whether what `terraform init` wrote into `.terraform` is looked at.
    initialised: bool,
    /// What `terraform init` wrote down for the root module.
    manifest: Option<Manifest>,
    /// The directories that the configuration gives for sources.
    contracts: Option<&'a dyn Contracts>,
}

/// Directories that stand for modules which come from elsewhere.
pub trait Contracts {
    /// The directory for a source as it is written in a call, and the version that the call asks for;
    /// `caller` is the directory of the module that calls.
    fn dir(&self, caller: &Path, source: &str, version: Option<&str>) -> Option<PathBuf>;
}

impl<'a> Locator<'a> {
    /// Looks at nothing that `terraform init` wrote.
    pub fn of_sources(contracts: &'a dyn Contracts) -> Self {
        Locator { initialised: false, manifest: None, contracts: Some(contracts) }
    }

    pub fn initialised(manifest: Option<Manifest>, contracts: Option<&'a dyn Contracts>) -> Self {
        Locator { initialised: true, manifest, contracts }
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
    ) -> Result<PathBuf, String> {
        // Backslashes are no separators in sources.
        if source.starts_with("./") || source.starts_with("../") {
            if is_installed(source) && !self.initialised {
                return Err(not_installed(source));
            }
            return Ok(paths::clean(&dir.join(source)));
        }
        // What is installed is what a plan takes.
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

/// Whether a path leads into what `terraform init` writes: some call modules that another call brought.
pub(super) fn is_installed(source: &str) -> bool {
    source.split('/').any(|it| it == ".terraform")
}

pub(super) fn not_installed(source: &str) -> String {
    format!("its source {source:?} is there after `terraform init` only")
}
