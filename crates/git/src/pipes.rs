//! Pipes in the place of git's own files. libgit2 opens whatever is there, and waits.

use std::{fs, path::Path};

use super::{GitError, walls::read_file};
use system::paths;

/// Files of a repository's directory that libgit2 reads, besides those below `refs`.
const READ: [&str; 11] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "gitdir",
    "index",
    "info/attributes",
    "info/exclude",
    "objects/info/alternates",
    "packed-refs",
    "shallow",
];

/// Refuses the repository that `path` is in where libgit2 would wait for a pipe: in its directory, in the one
/// that its work trees share, and at the current branch. Not looked at are other branches and tags, and what the
/// configuration names.
#[expect(clippy::disallowed_methods, reason = "libgit2 reads the same files, and waits")]
pub(super) fn refuse(path: &Path) -> Result<(), GitError> {
    let Some(git) = path.ancestors().map(|it| it.join(".git")).find(|it| it.exists()) else {
        return Ok(());
    };
    let refused = |file: &Path| {
        let why = format!("{} is not a regular file", paths::display(file));
        GitError::Unsupported(path.display().to_string(), why)
    };
    let is_other = |file: &Path| fs::metadata(file).is_ok_and(|it| !it.is_file() && !it.is_dir());
    if is_other(&git) {
        return Err(refused(&git));
    }
    // A linked work tree or a submodule has a file that names the directory.
    let linked = read_file(&git).and_then(|it| {
        let name = str::from_utf8(&it).ok()?.strip_prefix("gitdir:")?.trim().to_owned();
        Some(paths::clean(&git.parent()?.join(name)))
    });
    let directory = linked.unwrap_or(git);
    let common = read_file(&directory.join("commondir"))
        .and_then(|it| Some(paths::clean(&directory.join(str::from_utf8(&it).ok()?.trim()))));
    for directory in common.iter().chain([&directory]) {
        let branch = read_file(&directory.join("HEAD"))
            .and_then(|it| Some(str::from_utf8(&it).ok()?.strip_prefix("ref:")?.trim().to_owned()));
        let names = READ.into_iter().chain(branch.as_deref());
        if let Some(file) = names.map(|it| directory.join(it)).find(|it| is_other(it)) {
            return Err(refused(&file));
        }
    }
    Ok(())
}
