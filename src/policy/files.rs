//! Files with rules, as the command line and configurations name them.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::language::SUFFIX;
use crate::system::{EntryKind, System, paths};

/// A file with rules: its path as shown, and its text.
pub type RuleFile = (String, Arc<[u8]>);

/// Reads all files with rules (path as shown, text): each file once, sorted by path. A name is a file, or a
/// directory in which every file that ends in [`SUFFIX`] counts, at any depth. `shown` writes a path as people
/// see it. Errors: a sentence about a name that leads to no rules.
pub fn rule_files(
    named: impl IntoIterator<Item = PathBuf>,
    shown: &dyn Fn(&Path) -> String,
    system: &dyn System,
) -> Result<Vec<RuleFile>, String> {
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    for path in named {
        let name = shown(&path);
        let kind = system.kind(&path).map_err(|it| format!("cannot read {name}: {it}"))?;
        if kind != EntryKind::Directory {
            found.insert(paths::clean(&path));
            continue;
        }
        let files = system.walk(&path, &|_| true);
        let files = files.map_err(|it| format!("cannot list {name}: {it}"))?;
        let is_rules = |it: &&PathBuf| it.to_string_lossy().ends_with(SUFFIX);
        if !files.iter().any(|it| is_rules(&it)) {
            return Err(format!("{name} holds no file that ends in {SUFFIX}"));
        }
        found.extend(files.iter().filter(is_rules).map(|it| paths::clean(it)));
    }
    let read = |path: PathBuf| {
        let name = shown(&path);
        let bytes = system.read(&path).map_err(|it| format!("cannot read {name}: {it}"))?;
        Ok((name, bytes.into()))
    };
    found.into_iter().map(read).collect()
}
