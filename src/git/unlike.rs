//! Outside of which paths two states are alike, told by the ids of their trees.

use std::{collections::BTreeSet, path::PathBuf};

use git2::{ObjectType, Oid, Tree};

use super::{GitError, Repository, narrow::Contents, trees::LINK_MODE};

/// More paths than this are no longer quicker to look at one by one.
const MOST: usize = 1_000;

impl Repository {
    /// Paths of files and directories, relative to [`Repository::root`], outside of which a commit holds what
    /// another one does, or the work tree (`None`). A symbolic link always counts: what it leads to may differ.
    /// `Ok(None)`: there are many, or nobody can tell.
    pub fn unlike(&self, base: &str, head: Option<&str>) -> Result<Option<Vec<PathBuf>>, GitError> {
        let contents = Contents::of(&self.inner)?;
        let base = self.commit(base)?.tree()?;
        let mut paths: BTreeSet<Vec<u8>> = contents.links().collect();
        match head {
            Some(head) => {
                let head = self.commit(head)?.tree()?;
                let mut left = vec![(Vec::new(), Some(base), Some(head.clone()))];
                while let Some((dir, base, head)) = left.pop() {
                    self.unlike_in(&dir, [base.as_ref(), head.as_ref()], &mut paths, &mut left)?;
                    if paths.len() > MOST {
                        return Ok(None);
                    }
                }
                self.links_in(&head, &contents, &mut paths)?;
            }
            None => {
                #[cfg(target_os = "linux")]
                let files = contents.unlike_files(&self.root);
                #[cfg(not(target_os = "linux"))]
                let files: Option<Vec<Vec<u8>>> = None;
                let Some((files, entries)) = files.zip(contents.unlike_tree(&self.inner, &base)?)
                else {
                    return Ok(None);
                };
                paths.extend(files.into_iter().chain(entries));
            }
        }
        if paths.len() > MOST {
            return Ok(None);
        }
        let texts = paths.into_iter().map(|it| String::from_utf8(it).ok().map(PathBuf::from));
        Ok(texts.collect())
    }

    /// Adds what differs of two directories, and the directories in them that do.
    fn unlike_in<'r>(
        &'r self,
        dir: &[u8],
        both: [Option<&Tree<'r>>; 2],
        paths: &mut BTreeSet<Vec<u8>>,
        left: &mut Vec<(Vec<u8>, Option<Tree<'r>>, Option<Tree<'r>>)>,
    ) -> Result<(), GitError> {
        let names = both.iter().flatten().flat_map(|it| it.iter());
        let names: BTreeSet<Vec<u8>> = names.map(|it| it.name_bytes().to_owned()).collect();
        for name in names {
            let entries = both.map(|it| {
                let entry = it?.iter().find(|it| it.name_bytes() == name)?;
                Some((entry.id(), entry.filemode(), entry.kind()))
            });
            if entries[0] == entries[1] {
                continue;
            }
            let path = [dir, &name].concat();
            let are_directories =
                entries.iter().all(|it| it.is_some_and(|it| it.2 == Some(ObjectType::Tree)));
            if let ([Some(one), Some(other)], true) = (entries, are_directories) {
                let trees = [self.inner.find_tree(one.0)?, self.inner.find_tree(other.0)?];
                let [one, other] = trees;
                left.push(([&path, &b"/"[..]].concat(), Some(one), Some(other)));
            } else {
                paths.insert(path);
            }
        }
        Ok(())
    }

    /// Adds the links of a tree; what the index holds of it is known already.
    fn links_in(
        &self,
        root: &Tree<'_>,
        contents: &Contents,
        paths: &mut BTreeSet<Vec<u8>>,
    ) -> Result<(), GitError> {
        let mut left: Vec<(Vec<u8>, Oid)> = vec![(Vec::new(), root.id())];
        while let Some((dir, id)) = left.pop() {
            for entry in &self.inner.find_tree(id)? {
                let path = [&dir, entry.name_bytes()].concat();
                let mode = entry.filemode().cast_unsigned() & 0o170_000;
                if mode == LINK_MODE {
                    paths.insert(path);
                } else if entry.kind() == Some(ObjectType::Tree)
                    && !contents.holds_tree(&dir, entry.name_bytes(), entry.id())
                {
                    left.push(([&path, &b"/"[..]].concat(), entry.id()));
                }
            }
            if paths.len() > MOST || left.len() > 2_000_000 {
                return Ok(());
            }
        }
        Ok(())
    }
}
