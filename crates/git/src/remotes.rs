//! The addresses that a repository is known by.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{Repository, walls::has_git};
use system::{System, paths};

/// The URLs of the remotes of each repository that one of these paths, or the current directory, is in. A repository
/// that cannot be opened has none.
pub fn remotes(system: &dyn System, named: &[PathBuf]) -> BTreeMap<PathBuf, Vec<String>> {
    let Ok(current) = system.current_dir() else { return BTreeMap::new() };
    let own = current.clone();
    let named = named.iter().map(|it| paths::clean(&current.join(it)));
    let real = |it: PathBuf| system.canonicalize(&it).unwrap_or(it);
    let root = |path: PathBuf| path.ancestors().find(|it| has_git(it)).map(Path::to_owned);
    let roots = std::iter::once(own).chain(named).map(real).filter_map(root);
    roots.map(|root| (root.clone(), urls(&root))).collect()
}

fn urls(root: &Path) -> Vec<String> {
    let Ok(repository) = Repository::open(root) else { return Vec::new() };
    let Ok(names) = repository.inner.remotes() else { return Vec::new() };
    let url = |name: &str| Some(repository.inner.find_remote(name).ok()?.url().ok()?.to_owned());
    names.iter().filter_map(Result::ok).flatten().filter_map(url).collect()
}
