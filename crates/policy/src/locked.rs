//! The versions of providers that `terraform init` selected: `.terraform.lock.hcl` in a root module.
//!
//! ```hcl
//! provider "registry.terraform.io/hashicorp/aws" {
//!   version = "5.31.0"
//! }
//! ```

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use diagnostics::FileId;
use hcl::{ExprKind, Item, parse_body};
use module::LOCK_FILE;
use system::{EntryKind, System};

/// The selected version of each provider, by its address.
#[derive(Clone, Debug, Default)]
pub struct LockedProviders(BTreeMap<SmolStr, SmolStr>);

impl LockedProviders {
    /// Reads the lock file of a root module. A file that is missing or broken selects nothing: then a version
    /// is undecided.
    pub fn read(system: &dyn System, dir: &Path) -> LockedProviders {
        let path = dir.join(LOCK_FILE);
        if !matches!(system.kind(&path), Ok(EntryKind::File)) {
            return LockedProviders::default();
        }
        let Ok(bytes) = system.read(&path) else { return LockedProviders::default() };
        let (body, problems) = parse_body(FileId::default(), &bytes);
        if !problems.is_empty() {
            return LockedProviders::default();
        }
        let mut all = BTreeMap::new();
        for item in &body.items {
            let Item::Block(block) = item else { continue };
            let ("provider", [address]) = (block.kind.name.as_str(), block.labels.as_slice())
            else {
                continue;
            };
            let version = block.body.items.iter().find_map(|it| match it {
                Item::Attribute(it) if it.name.name == "version" => match &it.value.kind {
                    ExprKind::String(text) => Some(text.clone()),
                    _ => None,
                },
                _ => None,
            });
            all.extend(version.map(|version| (address.text.clone(), version)));
        }
        LockedProviders(all)
    }

    /// The selected version of a provider: `registry.terraform.io/hashicorp/aws`.
    pub fn version(&self, address: &str) -> Option<&SmolStr> {
        self.0.get(address)
    }
}
