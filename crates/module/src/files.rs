//! The module files of a directory, and their order.

use release::{Product, Release, changes};
use system::{DirEntry, EntryKind};

/// The file in which `terraform init` keeps the selected versions of providers, in the root module.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// File names of one module, each list sorted bytewise.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ModuleFiles {
    pub primary: Vec<String>,
    /// Merged over the primary files, in this order.
    pub overrides: Vec<String>,
}

impl ModuleFiles {
    /// Selects from a directory's entries, which are sorted bytewise: `*.tf` and `*.tf.json`, no
    /// dot files, no editor leftovers, no directories. Releases of OpenTofu that
    /// have `*.tofu` and `*.tofu.json` read them in place of the `.tf` or `.tf.json` file of the same name.
    pub fn select(entries: &[DirEntry], release: Release) -> Self {
        // Releases before it ignore these files.
        let has_tofu = release.has(&changes::TOFU_FILES);
        let product = if has_tofu { Product::OpenTofu } else { Product::Terraform };
        let mut files = ModuleFiles::default();
        let names =
            || entries.iter().filter(|it| it.kind != EntryKind::Directory).map(|it| &it.name);
        for name in names() {
            let Some(stem) = stem(name, product) else { continue };
            if has_tofu && is_hidden_by_tofu(name, |it| names().any(|name| name == it)) {
                continue;
            }
            if is_override(stem) {
                files.overrides.push(name.clone());
            } else {
                files.primary.push(name.clone());
            }
        }
        files
    }

    pub fn is_empty(&self) -> bool {
        self.primary.is_empty() && self.overrides.is_empty()
    }
}

/// Whether Terraform (or OpenTofu) reads a file of this name as part of a module.
pub fn is_module_file(name: &str, product: Product) -> bool {
    stem(name, product).is_some()
}

/// Whether a file of this name changes what other files of its module declare.
pub fn is_override_file(name: &str) -> bool {
    stem(name, Product::OpenTofu).is_some_and(is_override)
}

fn is_override(stem: &str) -> bool {
    stem == "override" || stem.ends_with("_override")
}

/// Whether only OpenTofu reads a file of this name.
pub(super) fn is_of_tofu(name: &str) -> bool {
    is_module_file(name, Product::OpenTofu) && !is_module_file(name, Product::Terraform)
}

/// The name without its extension; `None` for a file outside of the module.
fn stem(name: &str, product: Product) -> Option<&str> {
    let is_leftover = name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'));
    if name.starts_with('.') || is_leftover {
        return None;
    }
    let extensions: &[&str] = if product == Product::OpenTofu {
        &[".tf", ".tf.json", ".tofu", ".tofu.json"]
    } else {
        &[".tf", ".tf.json"]
    };
    extensions.iter().find_map(|it| name.strip_suffix(it))
}

fn is_hidden_by_tofu(name: &str, exists: impl Fn(&str) -> bool) -> bool {
    let twin = |stem: &str, extension: &str| exists(&format!("{stem}{extension}"));
    name.strip_suffix(".tf").is_some_and(|it| twin(it, ".tofu"))
        || name.strip_suffix(".tf.json").is_some_and(|it| twin(it, ".tofu.json"))
}
