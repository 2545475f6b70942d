//! Where the index can differ from a tree or from the work tree, found without reading what is
//! alike.
//!
//! libgit2 reads every tree and looks at every file, one after another. Here a directory is passed
//! by when its tree has the id that the index's entries hash to, and a file when nothing has
//! touched it since the index saw it, on all cores. libgit2 is then asked about the rest only: what
//! counts as a change (ignored files, line ends, submodules) stays its decision.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::Path,
    time::SystemTime,
};

use git2::{IndexEntry, ObjectType, Oid, Tree};
use sha1::{Digest as _, Sha1};

use super::trees::LINK_MODE;

/// The mode of a directory in a tree.
const TREE_MODE: u32 = 0o040_000;

/// The mode of a file, except for its permissions.
const FILE_MODE: u32 = 0o100_000;

/// Whether files with a name matter.
pub(super) type Wanted<'a> = &'a (dyn Fn(&[u8]) -> bool + Sync);

/// The number of paths beyond which comparing them one by one is no longer quicker.
const MAX_PATHS: usize = 1_000;

/// The content of the index, by directory.
pub(super) struct Contents {
    /// When the index was written.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "read by `files`"))]
    written: Option<SystemTime>,
    /// By path with a slash at its end; the root's is empty.
    directories: HashMap<Vec<u8>, Vec<Child>>,
}

struct Child {
    name: Vec<u8>,
    /// Git's mode: of a file, a link, a submodule or a directory.
    mode: u32,
    id: Oid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "read by `files`"))]
    seen: Option<Seen>,
}

/// The facts that the index remembers of a file, in its own widths.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    changed: (i32, u32),
    modified: (i32, u32),
    inode: u32,
    size: u32,
}

impl Contents {
    pub(super) fn of(git: &git2::Repository) -> Result<Contents, git2::Error> {
        let mut index = git.index()?;
        #[expect(clippy::disallowed_methods, reason = "the time of the index that libgit2 read")]
        let written = index.path().and_then(|it| fs::metadata(it).ok()?.modified().ok());
        // If it is written once more by now, it is newer than the time says, which is safe.
        index.read(false)?;
        let mut contents = Contents { written, directories: HashMap::new() };
        let mut open = vec![(Vec::new(), Vec::new())];
        // Entries come in the order of their paths, which is also the order of a tree's.
        for entry in index.iter() {
            let name_at = entry.path.iter().rposition(|it| *it == b'/').map_or(0, |it| it + 1);
            let (dir, name) = entry.path.split_at(name_at);
            while open.last().is_some_and(|(it, _)| !dir.starts_with(it)) {
                contents.close(&mut open)?;
            }
            let mut at = open.last().map_or(0, |(it, _)| it.len());
            while let Some(slash) = dir[at..].iter().position(|it| *it == b'/') {
                at += slash + 1;
                open.push((dir[..at].to_owned(), Vec::new()));
            }
            let child = Child::of(name.to_owned(), &entry);
            if let Some((_, children)) = open.last_mut() {
                children.push(child);
            }
        }
        while !open.is_empty() {
            contents.close(&mut open)?;
        }
        Ok(contents)
    }

    /// Moves the innermost open directory into its parent.
    fn close(&mut self, open: &mut Vec<(Vec<u8>, Vec<Child>)>) -> Result<(), git2::Error> {
        let Some((path, children)) = open.pop() else { return Ok(()) };
        if let Some((parent, siblings)) = open.last_mut() {
            let name = path[parent.len()..path.len() - 1].to_owned();
            let id = tree_id(&children)?;
            siblings.push(Child { name, mode: TREE_MODE, id, seen: None });
        }
        self.directories.insert(path, children);
        Ok(())
    }

    /// The ids of the files below the root that equal the index, by path; `None` if most may not.
    pub(super) fn untouched(&self, root: &Path) -> Option<HashMap<Vec<u8>, [u8; 20]>> {
        #[cfg(target_os = "linux")]
        let unlike: HashSet<Vec<u8>> = self.unlike_files(root)?.into_iter().collect();
        #[cfg(not(target_os = "linux"))]
        let unlike: HashSet<Vec<u8>> = {
            let _ = root;
            None?
        };
        let mut found = HashMap::new();
        for (dir, children) in &self.directories {
            // If a path is not a directory any more, anything may be below it.
            let mut ends = dir.iter().enumerate().filter(|it| *it.1 == b'/').map(|it| it.0);
            if !ends.all(|end| !unlike.contains(&dir[..end])) {
                continue;
            }
            for child in children.iter().filter(|it| it.mode & 0o170_000 == FILE_MODE) {
                let path = [dir, child.name.as_slice()].concat();
                if let (false, Ok(id)) = (unlike.contains(&path), child.id.as_bytes().try_into()) {
                    found.insert(path, id);
                }
            }
        }
        Some(found)
    }

    /// The paths of the symbolic links that the index holds.
    pub(super) fn links(&self) -> impl Iterator<Item = Vec<u8>> {
        self.directories.iter().flat_map(|(dir, children)| {
            let links = children.iter().filter(|it| it.mode & 0o170_000 == LINK_MODE);
            links.map(|it| [dir, it.name.as_slice()].concat())
        })
    }

    /// Whether the index holds this very tree at a name in a directory (with a slash at its end).
    pub(super) fn holds_tree(&self, dir: &[u8], name: &[u8], id: Oid) -> bool {
        let children = self.directories.get(dir).map_or(&[][..], Vec::as_slice);
        // They are in the order of a tree's, in which a directory has a slash behind its name.
        let key = |it: &Child| {
            let slash: &[u8] = if it.mode == TREE_MODE { b"/" } else { b"" };
            [it.name.as_slice(), slash].concat()
        };
        let wanted = [name, b"/"].concat();
        let at = children.binary_search_by(|it| key(it).cmp(&wanted));
        at.is_ok_and(|at| children[at].id == id)
    }

    /// The paths that may differ between the index and the tree: directories, and files with such names. Everything
    /// outside these paths is equal. `None` if they are many.
    pub(super) fn unlike_tree(
        &self,
        git: &git2::Repository,
        root: &Tree<'_>,
        is_wanted: Wanted<'_>,
    ) -> Result<Option<Vec<Vec<u8>>>, git2::Error> {
        let (mut found, mut todo) = (Vec::new(), vec![(Vec::new(), root.clone())]);
        while let Some((dir, tree)) = todo.pop() {
            let children = self.directories.get(&dir).map_or(&[][..], Vec::as_slice);
            let mut left: HashMap<&[u8], &Child> =
                children.iter().map(|it| (it.name.as_slice(), it)).collect();
            for entry in &tree {
                let path = [&dir, entry.name_bytes()].concat();
                let child = left.remove(entry.name_bytes());
                let is_directory = entry.kind() == Some(ObjectType::Tree);
                match child {
                    Some(it) if it.id == entry.id() && is_same_mode(it.mode, entry.filemode()) => {}
                    Some(it) if it.mode == TREE_MODE && is_directory => {
                        todo.push(([&path, &b"/"[..]].concat(), git.find_tree(entry.id())?));
                    }
                    it => {
                        let was_directory = it.is_some_and(|it| it.mode == TREE_MODE);
                        if is_directory || was_directory || is_wanted(entry.name_bytes()) {
                            found.push(path);
                        }
                    }
                }
            }
            let left = left.values().filter(|it| it.mode == TREE_MODE || is_wanted(&it.name));
            found.extend(left.map(|it| [&dir, it.name.as_slice()].concat()));
            if found.len() > MAX_PATHS {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }
}

impl Child {
    fn of(name: Vec<u8>, entry: &IndexEntry) -> Child {
        let seen = Seen {
            changed: (entry.ctime.seconds(), entry.ctime.nanoseconds()),
            modified: (entry.mtime.seconds(), entry.mtime.nanoseconds()),
            inode: entry.ino,
            size: entry.file_size,
        };
        Child { name, mode: entry.mode, id: entry.id, seen: Some(seen) }
    }
}

/// The id of a tree, as git hashes it. (libgit2 also looks for forged collisions, which takes longer
/// than all the rest.)
fn tree_id(children: &[Child]) -> Result<Oid, git2::Error> {
    let mut bytes = Vec::new();
    for Child { name, mode, id, .. } in children {
        bytes.extend_from_slice(format!("{mode:o} ").as_bytes());
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend_from_slice(id.as_bytes());
    }
    let header = format!("tree {}\0", bytes.len());
    Oid::from_bytes(&Sha1::new().chain_update(header).chain_update(bytes).finalize())
}

fn is_same_mode(index: u32, tree: i32) -> bool {
    u32::try_from(tree) == Ok(index)
}

#[cfg(target_os = "linux")]
mod files {
    //! The work tree's side. Elsewhere names may differ in case or normal form from the index's,
    //! and times mean other things.
    #![expect(clippy::disallowed_methods, reason = "a real work tree, as libgit2 reads it")]

    use std::{
        ffi::OsStr,
        fs,
        os::unix::{ffi::OsStrExt as _, fs::MetadataExt as _},
        path::Path,
        time::SystemTime,
    };

    use rayon::prelude::*;

    use super::{Child, Contents, HashMap, MAX_PATHS, Seen, TREE_MODE, Wanted};

    impl Contents {
        /// The paths that may differ between the files and the index. Everything outside these
        /// paths is exactly equal. `None` if they are many.
        pub fn unlike_files(&self, root: &Path) -> Option<Vec<Vec<u8>>> {
            self.unlike_among(root, &|_| true)
        }

        /// The same of directories and of files with such names.
        pub fn unlike_among(&self, root: &Path, is_wanted: Wanted<'_>) -> Option<Vec<Vec<u8>>> {
            let written = self.written?;
            let directories: Vec<_> = self.directories.iter().collect();
            let unlike = |(dir, children): &(&Vec<u8>, &Vec<Child>)| {
                unlike_directory(root, dir, children, written, is_wanted)
            };
            let found: Vec<_> = directories.par_iter().flat_map_iter(unlike).collect();
            (found.len() <= MAX_PATHS).then_some(found)
        }
    }

    fn unlike_directory(
        root: &Path,
        dir: &[u8],
        children: &[Child],
        written: SystemTime,
        is_wanted: Wanted<'_>,
    ) -> Vec<Vec<u8>> {
        let path = |name: &[u8]| [dir, name].concat();
        let mut left: HashMap<&[u8], &Child> =
            children.iter().map(|it| (it.name.as_slice(), it)).collect();
        let mut found = Vec::new();
        let entries = fs::read_dir(root.join(OsStr::from_bytes(dir)));
        for entry in entries.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.as_bytes();
            let is_directory = || entry.file_type().is_ok_and(|it| it.is_dir());
            let is_like = match left.remove(name) {
                // A file behind a link is not part of the tree, whatever the index says: where a directory
                // was, a link is unlike it, and with it all below.
                Some(it) if it.mode == TREE_MODE => is_directory(),
                _ if !is_wanted(name) && !is_directory() => true,
                Some(it) => entry.metadata().is_ok_and(|now| is_untouched(it, &now, written)),
                None => name == b".git",
            };
            if !is_like {
                found.push(path(name));
            }
        }
        let left = left.into_values().filter(|it| it.mode == TREE_MODE || is_wanted(&it.name));
        found.extend(left.map(|it| path(&it.name)));
        found
    }

    /// Whether a file is the one that the index saw. One of the same instant as the index itself
    /// may have been written again since, as git has it too.
    fn is_untouched(child: &Child, now: &fs::Metadata, written: SystemTime) -> bool {
        #[expect(clippy::cast_possible_truncation, reason = "so does git")]
        #[expect(clippy::cast_sign_loss, reason = "a part of a second")]
        let seen = Seen {
            changed: (now.ctime() as i32, now.ctime_nsec() as u32),
            modified: (now.mtime() as i32, now.mtime_nsec() as u32),
            inode: now.ino() as u32,
            size: now.size() as u32,
        };
        child.seen == Some(seen) && now.modified().is_ok_and(|it| it < written)
    }
}
