//! Git's data: the changed files, and a tree as the index holds it.
//!
//! A [`Repository`] and a [`RevisionRange`] go in; the paths of changed files come out, and systems such as
//! [`IndexSystem`] that show one state of the files, so that every higher layer reads a commit like a
//! disk. `walls` gives the bounds of a repository to `system::ConfinedSystem`.
//!
//! Besides `system`, this is the only layer that reaches the disk, since libgit2 does its own reading. It is a feature,
//! so that a program that embeds the library need not compile libgit2.

mod changes;
mod index;
mod narrow;
mod remotes;
mod tags;
mod trees;
mod unlike;
mod walls;
mod work_tree;

pub use changes::RevisionRange;
pub use index::IndexSystem;
pub use remotes::remotes;
pub use walls::walls;
pub use work_tree::WorkTreeSystem;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use git2::{ErrorClass, ErrorCode, RepositoryOpenFlags};

use system::{System, Tracked};

/// Why git could not answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("{0} is not in a Git repository; leave out --staged and --changed to check everything")]
    NoRepository(String),
    #[error("{0}; if you trust it: git config --global --add safe.directory {1}")]
    NotOwned(String, String),
    #[error("the Git repository of {0} cannot be read: {1}")]
    Unsupported(String, String),
    #[error(
        "the Git index is sparse, which is not supported: run `git sparse-checkout reapply \
        --no-sparse-index`"
    )]
    SparseIndex,
    #[error("{0} is unmerged: resolve the conflict first")]
    Unmerged(String),
    #[error("{0} is outside the root {1}")]
    NotInRoot(String, String),
    #[error("the repository has no work tree, so it has no files to check")]
    Bare,
    #[error("{0:?} is not a revision of this repository: {1}")]
    UnknownRevision(String, String),
    #[error(
        "no default branch found to compare with (tried {0}); name a revision: --changed=REVISION{1}"
    )]
    NoDefaultBranch(String, &'static str),
    #[error("{0} and {1} have no common ancestor in this clone{SHALLOW}")]
    Shallow(String, String),
    #[error("{0} and {1} have no common ancestor")]
    Unrelated(String, String),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("git: {0}")]
    Other(String),
}

/// The hint about missing history in a shallow clone.
const SHALLOW: &str = "; the clone is shallow: fetch more history (`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout)";

impl From<git2::Error> for GitError {
    fn from(error: git2::Error) -> GitError {
        // An index has this extension if it is sparse.
        let is_sparse = error.class() == ErrorClass::Index && error.message().contains("'sdir'");
        if is_sparse { GitError::SparseIndex } else { GitError::Other(error.message().to_owned()) }
    }
}

/// The files that an index holds.
#[derive(Clone)]
pub struct IndexFiles {
    root: PathBuf,
    repository: Arc<Mutex<git2::Repository>>,
}

impl Tracked for IndexFiles {
    fn holds(&self, file: &Path) -> bool {
        let Ok(inside) = file.strip_prefix(&self.root) else { return false };
        let repository = self.repository.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = repository.index().ok().and_then(|it| it.get_path(inside, 0));
        entry.is_some_and(|it| index::is_committed(&it))
    }
}

impl std::fmt::Debug for IndexFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexFiles").field("root", &self.root).finish_non_exhaustive()
    }
}

/// A repository with a work tree: a main one, a linked worktree or a submodule.
pub struct Repository {
    inner: git2::Repository,
    /// Absolute, symbolic links resolved.
    root: PathBuf,
}

impl Repository {
    /// Finds the repository that the current directory is in, with the variables that git sets for its hooks: the
    /// index of `git commit -a`, and the repository of `git --git-dir` where no directory above has a `.git`.
    pub fn here(system: &dyn System) -> Result<Repository, GitError> {
        let here = system.current_dir()?;
        let variable = |name| system.env(name).filter(|it| !it.is_empty());
        let repository = match (Repository::discover(&here), variable("GIT_DIR")) {
            (Err(GitError::NoRepository(_)), Some(dir)) => {
                let root = variable("GIT_WORK_TREE").unwrap_or_default();
                Repository::open_apart(&here.join(dir), &here.join(root))?
            }
            (found, _) => found?,
        };
        // Git reads the name in the directory of the work tree, even if the hook runs elsewhere.
        let index = variable("GIT_INDEX_FILE").map(|it| repository.root.join(it));
        if let Some(file) = index.filter(|it| repository.may_own(it)) {
            let mut index = git2::Index::open(&file)?;
            repository.inner.set_index(&mut index)?;
        }
        Ok(repository)
    }

    /// Whether an index may be one of this repository: it is not in the directory of another one, such as that of the
    /// repository whose hook runs a command in a submodule.
    #[expect(clippy::disallowed_methods, reason = "libgit2 reads the same files")]
    fn may_own(&self, index: &Path) -> bool {
        let resolved = |it: &Path| it.canonicalize().unwrap_or_else(|_| it.to_owned());
        let Some(dir) = index.parent().map(resolved) else { return false };
        dir == resolved(self.inner.path()) || !dir.join("HEAD").exists()
    }

    /// Opens the repository in a directory of git's own, with a work tree elsewhere.
    fn open_apart(dir: &Path, root: &Path) -> Result<Repository, GitError> {
        let flags = RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT;
        let nowhere = std::iter::empty::<&Path>();
        let inner = git2::Repository::open_ext(dir, flags, nowhere);
        let inner = inner.map_err(|it| unopened(dir, &it))?;
        inner.set_workdir(root, false)?;
        let root = inner.workdir().ok_or(GitError::Bare)?.components().collect();
        Ok(Repository { inner, root })
    }

    /// Finds the repository that `path` (absolute) is in: the nearest directory at or above it with a `.git`.
    ///
    /// Git itself also takes a directory with `HEAD`, `config`, `objects` and `refs` in it for a (bare)
    /// repository. Anybody can commit such a directory, whose configuration then names any work tree and
    /// any file to include; no checkout makes a `.git`.
    pub fn discover(path: &Path) -> Result<Repository, GitError> {
        match path.ancestors().find(|it| walls::has_git(it)) {
            Some(root) => Repository::open(root),
            None => Err(GitError::NoRepository(path.display().to_string())),
        }
    }

    /// Opens the repository whose `.git` is in the directory `path` (absolute).
    fn open(path: &Path) -> Result<Repository, GitError> {
        walls::refuse_pipes(path)?;
        let flags = RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT;
        let nowhere = std::iter::empty::<&Path>();
        let inner = git2::Repository::open_ext(path.join(".git"), flags, nowhere);
        let inner = inner.map_err(|it| unopened(path, &it))?;
        let root = inner.workdir().ok_or(GitError::Bare)?;
        let root = root.components().collect();
        Ok(Repository { inner, root })
    }

    /// The work tree's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files that the index holds.
    pub fn into_tracked(self) -> IndexFiles {
        IndexFiles { root: self.root, repository: Arc::new(Mutex::new(self.inner)) }
    }

    /// Visits the absolute path of every file in the index, and whether it is a symbolic link.
    pub fn each_tracked(&self, visit: &mut dyn FnMut(&Path, bool)) -> Result<(), GitError> {
        for entry in self.inner.index()?.iter() {
            if let Ok(path) = std::str::from_utf8(&entry.path) {
                visit(&self.root.join(path), index::is_link(&entry));
            }
        }
        Ok(())
    }

    /// The commit that a revision names, whatever it is written as.
    fn commit(&self, revision: &str) -> Result<git2::Commit<'_>, GitError> {
        let found = self.inner.revparse_single(revision).and_then(|it| it.peel_to_commit());
        found.map_err(|it| self.explain_revision(revision, &it))
    }

    fn explain_revision(&self, revision: &str, error: &git2::Error) -> GitError {
        GitError::UnknownRevision(revision.to_owned(), error.message().to_owned() + self.depth())
    }

    /// The hint about missing history, if the clone is shallow.
    fn depth(&self) -> &'static str {
        if self.inner.is_shallow() { SHALLOW } else { "" }
    }
}

fn unopened(path: &Path, error: &git2::Error) -> GitError {
    let (shown, why) = (path.display().to_string(), error.message().to_owned());
    match error.code() {
        ErrorCode::NotFound => GitError::NoRepository(shown),
        ErrorCode::Owner => GitError::NotOwned(why, shown),
        _ => GitError::Unsupported(shown, why),
    }
}
