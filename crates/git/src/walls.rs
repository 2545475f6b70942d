//! The walls of a run: the work trees of the repositories that hold what the user names.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use system::{EntryKind, System, WalledDirectory, Walls, paths};

use super::{GitError, Repository};

/// The walls around what a command line names (nothing is the current directory). The root of a named
/// path is the work tree that holds it; outside of any, the current directory if it holds all such
/// paths, else each path itself. With `root` that directory is the one root.
///
/// Errors: a repository that git refuses, such as one of another owner; `root` is not a directory, or does not hold a
/// named path.
pub fn walls(
    system: &dyn System,
    named: &[PathBuf],
    root: Option<&Path>,
) -> Result<Walls, GitError> {
    let current_dir = system.current_dir()?;
    let here = [PathBuf::from(".")];
    let named = if named.is_empty() { &here[..] } else { named };
    let named: Vec<Named> = named.iter().map(|it| Named::new(system, &current_dir, it)).collect();
    match root {
        Some(root) => around_given(system, &current_dir, &named, root),
        None => around_found(system, &current_dir, &named),
    }
}

/// A path of the command line.
struct Named {
    /// Absolute, as written.
    path: PathBuf,
    /// Absolute, links resolved; as written where it does not exist.
    real: PathBuf,
    /// The directory that it is or is in, links resolved.
    dir: PathBuf,
}

impl Named {
    fn new(system: &dyn System, current_dir: &Path, text: &Path) -> Named {
        let path = paths::clean(&current_dir.join(text));
        let real = system.canonicalize(&path).unwrap_or_else(|_| real_parent(system, &path));
        let is_directory = matches!(system.kind(&real), Ok(EntryKind::Directory));
        let dir = if is_directory { real.as_path() } else { real.parent().unwrap_or(&real) };
        Named { dir: dir.to_owned(), path, real }
    }
}

/// A path that does not exist, in its directory without links.
fn real_parent(system: &dyn System, path: &Path) -> PathBuf {
    let parent = path.parent().and_then(|it| system.canonicalize(it).ok());
    parent.zip(path.file_name()).map_or(path.to_owned(), |(dir, name)| dir.join(name))
}

fn around_given(
    system: &dyn System,
    current_dir: &Path,
    named: &[Named],
    root: &Path,
) -> Result<Walls, GitError> {
    let written = paths::clean(&current_dir.join(root));
    let real = system.canonicalize(&written)?;
    if system.kind(&real)? != EntryKind::Directory {
        return Err(
            io::Error::new(io::ErrorKind::NotADirectory, "--root is not a directory").into()
        );
    }
    let mut walls = Walls::around(&real);
    walls.trees.push(WalledDirectory { name: written, root: real.clone(), inside: PathBuf::new() });
    for it in named {
        add_alias(&mut walls, it, &real);
        if !it.real.starts_with(&real) {
            return Err(GitError::NotInRoot(paths::display(&it.path), paths::display(&real)));
        }
    }
    Ok(walls)
}

fn around_found(
    system: &dyn System,
    current_dir: &Path,
    named: &[Named],
) -> Result<Walls, GitError> {
    let mut walls = Walls::default();
    let is_below = |root: &&Path| named.iter().any(|it| it.path.starts_with(root));
    let own = root(system, current_dir).filter(is_below).map(WorkTree::open).transpose()?;
    let mut homeless = Vec::new();
    for it in named {
        // A path below the current work tree stays in it, even if its links lead elsewhere: names may come from the
        // tree itself, such as those that pre-commit passes.
        let is_own = own.as_ref().filter(|own| it.path.starts_with(&own.root));
        let tree = match is_own {
            Some(own) if it.real.starts_with(&own.root) => nearest(system, own, &it.dir)?,
            Some(own) => Some(own.clone()),
            None => work_tree(system, &it.dir)?,
        };
        match tree {
            Some(tree) => {
                add(&mut walls, system, it, &tree.root);
                let exclude = || tree.exclude.map(|it| (tree.root, it));
                walls.exclude = walls.exclude.take().or_else(exclude);
            }
            None => homeless.push(it),
        }
    }
    let holds = |it: &&Named| it.path.starts_with(current_dir);
    if !homeless.is_empty() && homeless.iter().all(holds) {
        for it in homeless {
            add(&mut walls, system, it, current_dir);
        }
    } else {
        for it in homeless {
            add(&mut walls, system, it, &it.dir);
        }
    }
    Ok(walls)
}

/// A work tree.
#[derive(Clone)]
struct WorkTree {
    root: PathBuf,
    /// Git's own list of ignored files (`info/exclude`).
    exclude: Option<String>,
}

impl WorkTree {
    /// Opens the work tree whose `.git` is in the directory.
    ///
    /// Errors: git refuses it, as one of another owner.
    fn open(root: &Path) -> Result<WorkTree, GitError> {
        let exclude = match plain_directory(root) {
            Some(directory) => exclude(&directory),
            None => match Repository::open(root) {
                Err(refused @ GitError::NotOwned(..)) => return Err(refused),
                opened => {
                    let opened = opened.ok().filter(|it| it.root() == root);
                    opened.and_then(|it| exclude(it.inner.commondir()))
                }
            },
        };
        Ok(WorkTree { root: root.to_owned(), exclude })
    }
}

/// The work tree that holds a directory inside of the work tree `own`: a repository of its own may
/// lie in it, such as a submodule that is named by itself.
fn nearest(system: &dyn System, own: &WorkTree, dir: &Path) -> Result<Option<WorkTree>, GitError> {
    let inside = dir.ancestors().take_while(|it| *it != own.root);
    let is_inner = inside.into_iter().any(|it| system.kind(&it.join(".git")).is_ok());
    if is_inner { work_tree(system, dir) } else { Ok(Some(own.clone())) }
}

fn add(walls: &mut Walls, system: &dyn System, named: &Named, root: &Path) {
    if !walls.trees.iter().any(|it| it.name == root) {
        let tree = Walls::around(root).trees;
        walls.trees.extend(tree);
    }
    add_alias(walls, named, root);
    // Where the way to the root leads over a link (`/tmp` on some systems), the paths above the
    // named path have that way in their names, too.
    if !named.path.starts_with(root) {
        let above = named.path.ancestors().skip(1);
        let leads_here =
            |path: &&Path| system.canonicalize(path).is_ok_and(|it| it.starts_with(root));
        if let Some(top) = above.take_while(leads_here).last()
            && let Ok(real) = system.canonicalize(top)
        {
            alias(walls, top, &real, root);
        }
    }
}

/// A named path whose links lead to another place of its root is that place.
fn add_alias(walls: &mut Walls, named: &Named, root: &Path) {
    if named.path != named.real && named.real.starts_with(root) {
        alias(walls, &named.path, &named.real, root);
    }
}

fn alias(walls: &mut Walls, name: &Path, real: &Path, root: &Path) {
    let Ok(inside) = real.strip_prefix(root) else { return };
    let tree =
        WalledDirectory { name: name.to_owned(), root: root.to_owned(), inside: inside.to_owned() };
    if !walls.trees.contains(&tree) {
        walls.trees.push(tree);
    }
}

/// The nearest directory at or above `dir` with a `.git` in it. (libgit2 would believe a
/// `core.worktree` that makes the whole disk one.)
fn root<'d>(system: &dyn System, dir: &'d Path) -> Option<&'d Path> {
    dir.ancestors().find(|it| system.kind(&it.join(".git")).is_ok())
}

/// The work tree that holds a directory; `None` where there is none.
fn work_tree(system: &dyn System, dir: &Path) -> Result<Option<WorkTree>, GitError> {
    root(system, dir).map(WorkTree::open).transpose()
}

/// The repository's directory, where git can have no objection: a main work tree whose directories are the
/// user's own, and no word of another work tree in its configuration. To ask libgit2 means that it reads
/// and hashes all configuration files.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "libgit2 reads the same files")]
fn plain_directory(root: &Path) -> Option<PathBuf> {
    use memchr::memmem::find;
    use std::os::unix::fs::MetadataExt;

    let directory = root.join(".git");
    let user = rustix::process::geteuid().as_raw();
    let is_own =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_dir() && it.uid() == user);
    let is_main = is_own(root)
        && is_own(&directory)
        && directory.join("HEAD").is_file()
        && !directory.join("commondir").exists();
    let config = read_file(&directory.join("config")).filter(|_| is_main)?.to_ascii_lowercase();
    let may_move = [&b"worktree"[..], b"include"].iter().any(|it| find(&config, it).is_some());
    (!may_move).then_some(directory)
}

#[cfg(not(unix))]
fn plain_directory(_root: &Path) -> Option<PathBuf> {
    None
}

/// Whether there is a `.git` in a directory, of whatever kind.
#[expect(clippy::disallowed_methods, reason = "libgit2 reads the same files")]
pub(super) fn has_git(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(".git")).is_ok()
}

fn exclude(directory: &Path) -> Option<String> {
    let text = read_file(&directory.join("info/exclude"))?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Nothing but a file is read: a pipe in its place would never end.
#[expect(clippy::disallowed_methods, reason = "libgit2 reads the same files")]
pub(super) fn read_file(path: &Path) -> Option<Vec<u8>> {
    if fs::metadata(path).is_ok_and(|it| it.is_file()) { fs::read(path).ok() } else { None }
}

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
pub(super) fn refuse_pipes(path: &Path) -> Result<(), GitError> {
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
