//! The paths at which two states differ, found by the ids of their trees.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use git2::{ObjectType, Oid, Tree};

use super::{GitError, Repository, narrow::Contents, trees::LINK_MODE};

/// More paths than this are no longer quicker to look at one by one.
const MOST: usize = 1_000;

/// An entry's id and mode, and whether it is a directory.
type Entry = (Oid, i32, bool);

/// What was found so far.
struct Found<'r> {
    paths: BTreeSet<Vec<u8>>,
    /// Directories that differ and are not gone through yet.
    left: Vec<(Vec<u8>, [Tree<'r>; 2])>,
}

impl Repository {
    /// Paths of files and directories, relative to [`Repository::root`]. Outside them a commit holds what another one
    /// holds, or what the work tree holds (`None`). Of files, only those whose names `is_wanted` are listed. A symbolic
    /// link always counts, since what it leads to may differ. `Ok(None)`: there are many, or the answer is not known.
    pub fn unlike(
        &self,
        base: &str,
        head: Option<&str>,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Option<Vec<PathBuf>>, GitError> {
        let contents = Contents::of(&self.inner)?;
        let is_wanted = |it: &[u8]| std::str::from_utf8(it).is_ok_and(is_wanted);
        let base = self.commit(base)?.tree()?;
        let name = |bytes: &[u8]| bytes.rsplit(|it| *it == b'/').next().is_some_and(&is_wanted);
        let mut paths: BTreeSet<Vec<u8>> = contents.links().filter(|it| name(it)).collect();
        if let Some(head) = head {
            let head = self.commit(head)?.tree()?;
            let left = vec![(Vec::new(), [base, head.clone()])];
            let mut found = Found { paths, left };
            while let Some((dir, [base, head])) = found.left.pop() {
                self.unlike_in(&dir, [&base, &head], &is_wanted, &mut found)?;
                if found.paths.len() > MOST {
                    return Ok(None);
                }
            }
            paths = found.paths;
            self.links_in(&head, &contents, &is_wanted, &mut paths)?;
        } else {
            #[cfg(target_os = "linux")]
            let files = contents.unlike_among(&self.root, &is_wanted);
            #[cfg(not(target_os = "linux"))]
            let files: Option<Vec<Vec<u8>>> = None;
            let Some((files, entries)) =
                files.zip(contents.unlike_tree(&self.inner, &base, &is_wanted)?)
            else {
                return Ok(None);
            };
            paths.extend(files.into_iter().chain(entries));
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
        both: [&Tree<'r>; 2],
        is_wanted: &dyn Fn(&[u8]) -> bool,
        found: &mut Found<'r>,
    ) -> Result<(), GitError> {
        let [before, after] = both.map(|tree| -> BTreeMap<Vec<u8>, Entry> {
            let entry = |it: git2::TreeEntry<'_>| {
                let is_directory = it.kind() == Some(ObjectType::Tree);
                (it.name_bytes().to_owned(), (it.id(), it.filemode(), is_directory))
            };
            tree.iter().map(entry).collect()
        });
        let names: BTreeSet<&Vec<u8>> = before.keys().chain(after.keys()).collect();
        for name in names {
            let entries = [before.get(name), after.get(name)];
            if entries[0] == entries[1] {
                continue;
            }
            let path = [dir, name.as_slice()].concat();
            if let [Some((one, _, true)), Some((other, _, true))] = entries {
                let trees = [self.inner.find_tree(*one)?, self.inner.find_tree(*other)?];
                found.left.push(([&path, &b"/"[..]].concat(), trees));
            } else if is_wanted(name) || entries.iter().flatten().any(|it| it.2) {
                found.paths.insert(path);
            }
        }
        Ok(())
    }

    /// Adds the links of a tree; what the index holds of it is known already.
    fn links_in(
        &self,
        root: &Tree<'_>,
        contents: &Contents,
        is_wanted: &dyn Fn(&[u8]) -> bool,
        paths: &mut BTreeSet<Vec<u8>>,
    ) -> Result<(), GitError> {
        let mut left: Vec<(Vec<u8>, Oid)> = vec![(Vec::new(), root.id())];
        while let Some((dir, id)) = left.pop() {
            for entry in &self.inner.find_tree(id)? {
                let path = [&dir, entry.name_bytes()].concat();
                let mode = entry.filemode().cast_unsigned() & 0o170_000;
                if mode == LINK_MODE {
                    paths.extend(Some(path).filter(|_| is_wanted(entry.name_bytes())));
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
