//! What git knows: which files changed, and a tree as the index holds it.
//!
//! Beside `system`, the only place that reaches the disk: libgit2 does its own reading.

mod changes;
mod index;

pub use changes::Range;
pub use index::IndexSystem;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::system::System;

/// Why git could not answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error(
        "{0} is not in a git repository; --staged and --changed need one (leave them out to check everything)"
    )]
    NoRepository(String),
    #[error("the repository has no work tree, so there are no files to check")]
    Bare,
    #[error("{0:?} is no revision of this repository: {1}")]
    UnknownRevision(String, String),
    #[error(
        "no default branch found to compare with (tried {0}); name a revision: --changed=REVISION"
    )]
    NoDefaultBranch(String),
    #[error(
        "{0} and {1} have no common ancestor in this clone; it is shallow: fetch more history (`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout)"
    )]
    Shallow(String, String),
    #[error("{0} and {1} have no common ancestor")]
    Unrelated(String, String),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("git: {0}")]
    Other(#[from] git2::Error),
}

/// A repository with a work tree: a main one, a linked worktree or a submodule.
pub struct Repository {
    inner: git2::Repository,
    /// Absolute, symbolic links resolved.
    root: PathBuf,
}

impl Repository {
    /// Finds the repository that the current directory is in, with the index that git's own
    /// variable names: `git commit -a` runs hooks with another one.
    pub fn here(system: &dyn System) -> Result<Repository, GitError> {
        let here = system.current_dir()?;
        let repository = Repository::discover(&here)?;
        if let Some(file) = system.env("GIT_INDEX_FILE").filter(|it| !it.is_empty()) {
            let mut index = git2::Index::open(&here.join(file))?;
            repository.inner.set_index(&mut index)?;
        }
        Ok(repository)
    }

    /// Finds the repository that `path` (absolute) is in.
    pub fn discover(path: &Path) -> Result<Repository, GitError> {
        let inner = git2::Repository::discover(path)
            .map_err(|_| GitError::NoRepository(path.display().to_string()))?;
        let root = inner.workdir().ok_or(GitError::Bare)?;
        let root = root.components().collect();
        Ok(Repository { inner, root })
    }

    /// The work tree's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the index holds, absolute paths.
    pub fn tracked(&self) -> Result<BTreeSet<PathBuf>, GitError> {
        let index = self.inner.index()?;
        let paths = index.iter().filter_map(|it| String::from_utf8(it.path).ok());
        Ok(paths.map(|it| self.root.join(it)).collect())
    }

    /// The commit that a revision names, whatever it is written as.
    fn commit(&self, revision: &str) -> Result<git2::Commit<'_>, GitError> {
        let found = self.inner.revparse_single(revision).and_then(|it| it.peel_to_commit());
        found.map_err(|it| self.explain_revision(revision, &it))
    }

    fn explain_revision(&self, revision: &str, error: &git2::Error) -> GitError {
        let mut why = error.message().to_owned();
        if self.inner.is_shallow() {
            why += "; the clone is shallow: fetch more history (`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout)";
        }
        GitError::UnknownRevision(revision.to_owned(), why)
    }
}
