//! Recognises values files, and those that Terraform reads automatically.

use system::{DirEntry, EntryKind};

/// Files that are read first, in this order.
const NAMED: [&str; 2] = ["terraform.tfvars", "terraform.tfvars.json"];

/// Whether a file of this name is a values file by convention: `*.tfvars` or `*.tfvars.json`.
pub fn is_values_file(name: &str) -> bool {
    name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
}

/// Whether a values file is read as JSON: its name decides, and letter case matters.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "as Terraform compares")]
pub fn is_json_file(name: &str) -> bool {
    name.ends_with(".json")
}

/// Whether Terraform reads a file of this name automatically, even a dot file.
pub fn is_auto_file(name: &str) -> bool {
    NAMED.contains(&name) || name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json")
}

/// The files that Terraform reads automatically, lowest precedence first. `entries` are a directory's,
/// sorted bytewise. A directory with such a name is included, since it is an error there. A
/// `terraform.tfvars` that is a broken link counts as missing; `exists` follows links.
pub(super) fn auto_files(entries: &[DirEntry], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let found = |name: &str| {
        let entry = entries.iter().find(|it| it.name == name)?;
        (entry.kind != EntryKind::Symlink || exists(name)).then(|| name.to_owned())
    };
    let named = NAMED.iter().filter_map(|it| found(it));
    let others = entries.iter().map(|it| &it.name);
    let others = others.filter(|it| is_auto_file(it) && !NAMED.contains(&it.as_str()));
    named.chain(others.cloned()).collect()
}
