//! Where a call's source leads.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use crate::system::paths;

/// Finds the directories of called modules.
#[derive(Default)]
pub struct Locator<'a> {
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
    pub fn new(manifest: Option<Manifest>, contracts: Option<&'a dyn Contracts>) -> Self {
        Locator { manifest, contracts }
    }

    /// The directory of a called module. `dir` is the caller's, `key` the way from the root as
    /// `modules.json` writes it. Errors: why it is not here.
    pub fn locate(
        &self,
        dir: &Path,
        key: &str,
        source: &str,
        version: Option<&str>,
    ) -> Result<PathBuf, String> {
        // Backslashes are no separators in sources.
        if source.starts_with("./") || source.starts_with("../") {
            return Ok(paths::clean(&dir.join(source)));
        }
        // What is installed is what a plan takes.
        let installed = self.manifest.as_ref().map(|it| it.dir(key, source, version));
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
