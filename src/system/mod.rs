//! The only door outside: files, environment, clock. Everything above takes a `&dyn System`.

mod atomic;
mod confined;
mod denied;
mod forward;
mod limited;
mod memory;
mod os;
pub mod paths;
mod refusal;
mod walk;
mod walls;

pub use atomic::{finish_writing, is_temporary};
pub use confined::ConfinedSystem;
pub use denied::DeniedSystem;
pub(crate) use forward::forward;
pub(crate) use forward::forward_one;
pub use limited::LimitedSystem;
pub use memory::MemorySystem;
pub use os::OsSystem;
pub use refusal::{Refusal, unreadable};
pub use walls::{Tree, Walls, is_git_directory};

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Bytes of the largest file that is read where nothing else is said: 64 MiB.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

/// What a directory entry is. Symbolic links are followed by `kind`, reported as such by `list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
    /// A socket, a device, a pipe.
    Other,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
}

/// Whether a walk goes into a directory, whose path begins as the walk's root does.
pub type Enters<'a> = &'a (dyn Fn(&Path) -> bool + Sync);

/// The files that version control holds.
pub trait Tracked: std::fmt::Debug + Send + Sync {
    /// Whether a file (absolute) is among them.
    fn holds(&self, file: &Path) -> bool;
}

/// Files, environment and clock. Relative paths are relative to `current_dir`.
pub trait System: Send + Sync {
    /// The whole file. Errors: [`Refusal::TooLarge`], and what the operating system says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The whole file, of at most so many bytes; [`System::read`] may have a bound of its own.
    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > limit { Err(Refusal::TooLarge { limit }.into()) } else { Ok(bytes) }
    }
    /// What two files have in common only if they say the same, where that is known without reading.
    fn content_id(&self, _path: &Path) -> Option<[u8; 20]> {
        None
    }
    /// The entries of a directory, sorted bytewise by name; names that are not UTF-8 are left out.
    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>>;
    /// Every file and symbolic link below a directory, sorted; hidden directories, what git ignores
    /// and directories that `enters` turns down are left out, links to directories are not followed.
    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        let (mut files, mut pending) = (Vec::new(), vec![root.to_owned()]);
        while let Some(dir) = pending.pop() {
            for entry in self.list(&dir)? {
                let path = dir.join(&entry.name);
                match entry.kind {
                    EntryKind::Directory if entry.name.starts_with('.') => (),
                    EntryKind::Directory if !enters(&path) => (),
                    EntryKind::Directory => pending.push(path),
                    _ => files.push(path),
                }
            }
        }
        files.sort_unstable();
        Ok(files)
    }
    /// What the path is after following symbolic links; `NotFound` when there is nothing.
    fn kind(&self, path: &Path) -> io::Result<EntryKind>;
    /// The absolute path with every symbolic link resolved.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;
    /// Replaces or creates a file so that a reader sees the old bytes or the new ones, whole:
    /// temporary file in the same directory, fsync, rename; permissions kept less those to run the
    /// file, leftovers removed. A symbolic link stays one, and its target is replaced (a confined
    /// system writes through none). The error's text says what failed and where; the old file is then
    /// untouched.
    fn write_atomic(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Creates a directory and its parents.
    fn create_dir_all(&self, dir: &Path) -> io::Result<()>;
    fn env(&self, name: &str) -> Option<String>;
    /// All environment variables whose name starts with `prefix`, sorted by name.
    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)>;
    /// The user's home directory, where there is one; an error where it is no concern of the run.
    fn home_dir(&self) -> io::Result<Option<String>> {
        Ok(self.env("HOME").filter(|it| !it.is_empty()))
    }
    fn current_dir(&self) -> io::Result<PathBuf>;
    fn now(&self) -> SystemTime;
    /// Random bits, for names that do not repeat; not for secrets.
    fn random(&self) -> u128 {
        let half = || u128::from(RandomState::new().build_hasher().finish());
        half() << 64 | half()
    }
    /// The same system with walls around it; `None` where there is nothing behind walls: a system in
    /// memory. Errors: a root cannot be opened.
    fn confine(&self, _walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        Ok(None)
    }
}
