//! Tags, and the commits that they name.

use git2::Oid;

use super::{GitError, Repository};

impl Repository {
    /// Whether a word names a commit.
    pub fn has_revision(&self, revision: &str) -> bool {
        self.commit(revision).is_ok()
    }

    /// Says what is wrong with a revision that is none.
    pub fn check_revision(&self, revision: &str) -> Result<(), GitError> {
        self.commit(revision).map(drop)
    }

    /// The names of all tags whose commits are the revision or lie before it; only those that `is_wanted`
    /// are looked at.
    pub fn tags_before(
        &self,
        revision: &str,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, GitError> {
        let head = self.commit(revision)?.id();
        let mut out = Vec::new();
        for name in self.inner.tag_names(None)?.iter().flatten() {
            let Some(name) = name else { continue };
            let is_before = |tag: Oid| {
                tag == head || self.inner.graph_descendant_of(head, tag).unwrap_or(false)
            };
            if is_wanted(name)
                && let Ok(tag) = self.commit(&format!("refs/tags/{name}"))
                && is_before(tag.id())
            {
                out.push(name.to_owned());
            }
        }
        Ok(out)
    }

    /// The names of all tags of commits; a tag of anything else is no state.
    pub fn tags(&self) -> Result<Vec<String>, GitError> {
        let names = self.inner.tag_names(None)?;
        let is_commit = |it: &&str| self.commit(&format!("refs/tags/{it}")).is_ok();
        Ok(names.iter().flatten().flatten().filter(is_commit).map(ToOwned::to_owned).collect())
    }

    /// What to say where a tag may lie beyond the end of a shallow clone.
    pub fn depth_hint(&self) -> &'static str {
        self.depth()
    }
}
