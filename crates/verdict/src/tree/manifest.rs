//! `.terraform/modules/modules.json`: where `terraform init` has put the called modules.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use release::{Constraints, Release, Version, changes};
use system::System;

/// What `terraform init` installed for a root module.
#[derive(Debug)]
pub struct Manifest {
    /// The root module's directory.
    root: PathBuf,
    /// By the call's keys from the root: `vpc`, `vpc.subnets`.
    entries: HashMap<String, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    key: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    version: Option<String>,
    dir: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File {
    modules: Vec<Entry>,
}

impl Manifest {
    /// Reads the manifest of a root module; `None` where there is no readable one, as before `terraform
    /// init`. `data_dir` is `TF_DATA_DIR`, where it is set and applies.
    pub fn read(system: &dyn System, root: &Path, data_dir: Option<&str>) -> Option<Manifest> {
        let data_dir = root.join(data_dir.unwrap_or(".terraform"));
        let bytes = system.read(&data_dir.join("modules/modules.json")).ok()?;
        let file: File = serde_json::from_slice(&bytes).ok()?;
        let entries = file.modules.into_iter().map(|it| (it.key.clone(), it)).collect();
        Some(Manifest { root: root.to_owned(), entries })
    }

    /// The directory of a call. Errors: why it is not here.
    pub(super) fn dir(
        &self,
        key: &str,
        source: &str,
        version: Option<&str>,
        release: Release,
    ) -> Result<PathBuf, String> {
        let Some(entry) = self.entries.get(key) else {
            return Err("terraform init has not installed it yet".to_owned());
        };
        if let (Some(wanted), Some(known)) =
            (registry(source, release), registry(&entry.source, release))
            && wanted != known
        {
            return Err("terraform init has installed another source for it".to_owned());
        }
        let installed = entry.version.as_deref().and_then(Version::parse);
        let wanted = version.and_then(Constraints::parse);
        if let (Some(installed), Some(wanted)) = (installed, wanted)
            && !wanted.allow(installed)
        {
            return Err("terraform init has installed another version of it".to_owned());
        }
        Ok(system::paths::clean(&self.root.join(&entry.dir)))
    }
}

/// A registry address without the default host: `NAMESPACE/NAME/PROVIDER`, and a directory in it.
fn registry(source: &str, release: Release) -> Option<&str> {
    let is_of_tofu = release.has(&changes::DEFAULT_REGISTRY);
    let host = if is_of_tofu { "registry.opentofu.org/" } else { "registry.terraform.io/" };
    let address = source.split("//").next().unwrap_or_default();
    let parts = address.split('/').count();
    let is_plain = !source.contains([':', '?']) && !source.starts_with('.');
    (is_plain && (parts == 3 || parts == 4)).then(|| source.strip_prefix(host).unwrap_or(source))
}
