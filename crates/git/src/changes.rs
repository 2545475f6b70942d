//! The files that differ between two states of the repository.

use std::{collections::BTreeSet, path::PathBuf};

use git2::{Commit, Delta, Diff, DiffOptions, Tree};

use super::{GitError, Repository, narrow::Contents};

/// Two states to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RevisionRange {
    /// The index against `HEAD`.
    Staged,
    /// The work tree (untracked files included) against the merge base of `HEAD` and a revision;
    /// `None` is the default branch.
    WorkTree(Option<String>),
    /// `A...B`: the commit B against the merge base of A and B.
    SinceMergeBase(String, String),
    /// `A..B`: the commit B against the commit A.
    Between(String, String),
}

impl RevisionRange {
    /// Reads the value of `--changed`: nothing, `REV`, `A...B` or `A..B`; an empty end is `HEAD`.
    pub fn parse(text: &str) -> RevisionRange {
        let or_head = |it: &str| if it.is_empty() { "HEAD".to_owned() } else { it.to_owned() };
        if text.is_empty() {
            RevisionRange::WorkTree(None)
        } else if let Some((from, to)) = text.split_once("...") {
            RevisionRange::SinceMergeBase(or_head(from), or_head(to))
        } else if let Some((from, to)) = text.split_once("..") {
            RevisionRange::Between(or_head(from), or_head(to))
        } else {
            RevisionRange::WorkTree(Some(text.to_owned()))
        }
    }
}

/// Names under which a default branch is commonly known, likeliest first.
const DEFAULT_BRANCHES: [&str; 5] =
    ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

impl Repository {
    /// The paths that differ, relative to [`Repository::root`], sorted: changed, added, deleted
    /// ones, and both names of a renamed one.
    pub fn changed(&self, range: &RevisionRange) -> Result<Vec<PathBuf>, GitError> {
        let mut paths = BTreeSet::new();
        for diff in self.diffs(range)? {
            for delta in diff.deltas() {
                let both = [delta.old_file().path(), delta.new_file().path()];
                paths.extend(both.into_iter().flatten().map(PathBuf::from));
            }
        }
        Ok(paths.into_iter().collect())
    }

    /// The paths that are gone, relative to [`Repository::root`], sorted.
    pub fn deleted(&self, range: &RevisionRange) -> Result<Vec<PathBuf>, GitError> {
        let mut paths = BTreeSet::new();
        for diff in self.diffs(range)? {
            let gone = diff.deltas().filter(|it| it.status() == Delta::Deleted);
            paths.extend(gone.filter_map(|it| it.old_file().path().map(PathBuf::from)));
        }
        Ok(paths.into_iter().collect())
    }

    /// The differences from one state to the other.
    fn diffs(&self, range: &RevisionRange) -> Result<Vec<Diff<'_>>, GitError> {
        let git = &self.inner;
        match range {
            RevisionRange::Staged => {
                let Some(head) = self.head_tree()? else {
                    let mut options = options(None);
                    return Ok(vec![git.diff_tree_to_index(None, None, Some(&mut options))?]);
                };
                let contents = Contents::of(git)?;
                Ok(self.tree_to_index(&head, &contents)?.into_iter().collect())
            }
            RevisionRange::WorkTree(revision) => {
                let Some(base) = self.work_tree_base(revision.as_deref())? else {
                    let mut options = options(None);
                    return Ok(vec![
                        git.diff_tree_to_workdir_with_index(None, Some(&mut options))?,
                    ]);
                };
                let contents = Contents::of(git)?;
                let staged = self.tree_to_index(&base, &contents)?;
                let unstaged = self.index_to_work_tree(&contents)?;
                Ok(staged.into_iter().chain(unstaged).collect())
            }
            RevisionRange::SinceMergeBase(from, to) => {
                let (from, to) = (self.merge_base(from, to)?.tree()?, self.commit(to)?.tree()?);
                Ok(vec![git.diff_tree_to_tree(Some(&from), Some(&to), Some(&mut options(None)))?])
            }
            RevisionRange::Between(from, to) => {
                let (from, to) = (self.commit(from)?.tree()?, self.commit(to)?.tree()?);
                Ok(vec![git.diff_tree_to_tree(Some(&from), Some(&to), Some(&mut options(None)))?])
            }
        }
    }

    fn tree_to_index(
        &self,
        tree: &Tree<'_>,
        contents: &Contents,
    ) -> Result<Option<Diff<'_>>, GitError> {
        let paths = contents.unlike_tree(&self.inner, tree, &|_| true)?;
        narrowed(paths, |mut options| {
            self.inner.diff_tree_to_index(Some(tree), None, Some(&mut options))
        })
    }

    fn index_to_work_tree(&self, contents: &Contents) -> Result<Option<Diff<'_>>, GitError> {
        #[cfg(target_os = "linux")]
        let paths = contents.unlike_files(&self.root);
        #[cfg(not(target_os = "linux"))]
        let paths = None;
        narrowed(paths, |mut options| self.inner.diff_index_to_workdir(None, Some(&mut options)))
    }

    /// `None` before the first commit.
    fn head_tree(&self) -> Result<Option<Tree<'_>>, GitError> {
        match self.inner.head() {
            Ok(head) => Ok(Some(head.peel_to_tree()?)),
            Err(error) if error.code() == git2::ErrorCode::UnbornBranch => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn work_tree_base(&self, revision: Option<&str>) -> Result<Option<Tree<'_>>, GitError> {
        if self.head_tree()?.is_none() {
            return Ok(None);
        }
        let revision = match revision {
            Some(it) => it.to_owned(),
            None => self.default_branch()?,
        };
        Ok(Some(self.merge_base(&revision, "HEAD")?.tree()?))
    }

    fn default_branch(&self) -> Result<String, GitError> {
        let found = DEFAULT_BRANCHES.iter().find(|it| self.inner.revparse_single(it).is_ok());
        let missing = || GitError::NoDefaultBranch(DEFAULT_BRANCHES.join(", "), self.depth());
        found.map(|it| (*it).to_owned()).ok_or_else(missing)
    }

    fn merge_base(&self, a: &str, b: &str) -> Result<Commit<'_>, GitError> {
        let (one, two) = (self.commit(a)?.id(), self.commit(b)?.id());
        match self.inner.merge_base(one, two) {
            Ok(base) => Ok(self.inner.find_commit(base)?),
            Err(_) if self.inner.is_shallow() => Err(GitError::Shallow(a.to_owned(), b.to_owned())),
            Err(_) => Err(GitError::Unrelated(a.to_owned(), b.to_owned())),
        }
    }
}

/// Compares these paths only, or all if they are unknown.
fn narrowed<'a>(
    paths: Option<Vec<Vec<u8>>>,
    compare: impl FnOnce(DiffOptions) -> Result<Diff<'a>, git2::Error>,
) -> Result<Option<Diff<'a>>, GitError> {
    if paths.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    Ok(Some(compare(options(paths))?))
}

fn options(paths: Option<Vec<Vec<u8>>>) -> DiffOptions {
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).ignore_submodules(true);
    options.disable_pathspec_match(true);
    for path in paths.into_iter().flatten() {
        // A directory is missed behind `a-b`, which sorts between `a` and what is in it, when it
        // is given without its slash.
        options.pathspec([&path, &b"/"[..]].concat());
        options.pathspec(path);
    }
    options
}
