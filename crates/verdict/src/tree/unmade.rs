//! Directories of called modules that something makes after a clone: git ignores them, such as what
//! `make vendor` downloads, or they are submodules that are not checked out.

use std::path::Path;

use system::{System, paths};

/// Why a directory of the repository is empty or missing; `None` if no reason is known.
pub(super) fn reason(system: &dyn System, dir: &Path) -> Option<&'static str> {
    if system.kind(dir).is_err() && system.is_ignored(dir) {
        return Some("its directory does not exist, and Git ignores it");
    }
    let dir = paths::clean(&system.current_dir().ok()?.join(dir));
    let is_unmade = dir.ancestors().skip(1).any(|root| {
        let modules = system.read(&root.join(".gitmodules")).unwrap_or_default();
        let modules = String::from_utf8_lossy(&modules);
        let mut submodules = modules.lines().filter_map(path).map(|it| root.join(it));
        submodules.any(|it| dir.starts_with(&it) && is_empty(system, &it))
    });
    is_unmade.then_some("the Git submodule in its directory is not checked out")
}

/// The path in a line of `.gitmodules`, a file in the syntax of git's configuration: `path = modules/vpc`.
fn path(line: &str) -> Option<&str> {
    let (key, value) = line.split_once('=')?;
    (key.trim() == "path").then(|| value.trim().trim_matches('"'))
}

/// Whether a directory has nothing in it, or is not there.
fn is_empty(system: &dyn System, dir: &Path) -> bool {
    system.list(dir).is_ok_and(|it| it.is_empty()) || system.kind(dir).is_err()
}
