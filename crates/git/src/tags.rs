//! Tags, and the commits that they name.

use std::collections::HashMap;

use git2::{ObjectType, Oid};

use super::{GitError, Repository};

impl Repository {
    /// Whether a word names a commit.
    pub fn has_revision(&self, revision: &str) -> bool {
        self.commit(revision).is_ok()
    }

    /// Says what is wrong with a revision that does not exist.
    pub fn check_revision(&self, revision: &str) -> Result<(), GitError> {
        self.commit(revision).map(drop)
    }

    /// The names of all wanted tags of commits, with the commits. A tag of anything else is left out.
    fn tags_of_commits(
        &self,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<(String, Oid)>, GitError> {
        let mut out = Vec::new();
        for reference in self.inner.references_glob("refs/tags/*")? {
            let Ok(reference) = reference else { continue };
            let name = reference.name().ok().and_then(|it| it.strip_prefix("refs/tags/"));
            let Some(name) = name.filter(|it| is_wanted(it)) else { continue };
            if let Ok(commit) = reference.peel(ObjectType::Commit) {
                out.push((name.to_owned(), commit.id()));
            }
        }
        Ok(out)
    }

    /// The names of all wanted tags whose commits are the revision or lie before it.
    ///
    /// One walk over the history finds them. It ends when no other tag `is_needed` any more, given the tags
    /// that were found.
    pub fn tags_before(
        &self,
        revision: &str,
        is_wanted: &dyn Fn(&str) -> bool,
        is_needed: &dyn Fn(&str, &[String]) -> bool,
    ) -> Result<Vec<String>, GitError> {
        let mut left: HashMap<Oid, Vec<String>> = HashMap::new();
        for (name, commit) in self.tags_of_commits(is_wanted)? {
            left.entry(commit).or_default().push(name);
        }
        let mut out = Vec::new();
        let mut walk = self.inner.revwalk()?;
        walk.push(self.commit(revision)?.id())?;
        while !left.is_empty() {
            let Some(commit) = walk.next() else { break };
            if let Some(names) = left.remove(&commit?) {
                out.extend(names);
                left.retain(|_, names| names.iter().any(|it| is_needed(it, &out)));
            }
        }
        Ok(out)
    }

    /// The names of all wanted tags of commits.
    pub fn tags(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, GitError> {
        Ok(self.tags_of_commits(is_wanted)?.into_iter().map(|it| it.0).collect())
    }

    /// What to say where a tag may lie beyond the end of a shallow clone.
    pub fn depth_hint(&self) -> &'static str {
        self.depth()
    }
}
