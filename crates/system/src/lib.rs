//! The only door outside: files, environment, clock. All higher layers take a `&dyn System`, so that a
//! test or a stranger's tree sees exactly the files that its caller chose.
//!
//! A path goes in; bytes, entries or an `io::Error` come out. [`OsSystem`] is the machine, [`MemorySystem`] a test's,
//! [`ConfinedSystem`] the machine behind walls; [`DeniedSystem`] refuses everything, [`RecordingSystem`] notes the
//! answers of another, and [`PartialSystem`] does not know what another does not have. `clippy.toml` forbids reading files, environment and clock in any other way, since one call past
//! the door would be a hole in every wall. A program in WebAssembly has no machine: there [`MemorySystem`] and systems
//! of its own are all it has.

#[cfg(not(target_family = "wasm"))]
mod atomic;
#[cfg(not(target_family = "wasm"))]
mod confined;
mod denied;
mod forward;
mod limited;
mod memory;
#[cfg(not(target_family = "wasm"))]
mod os;
mod partial;
pub mod paths;
mod recording;
mod refusal;
#[cfg(unix)]
mod signals;
#[cfg(not(target_family = "wasm"))]
mod walk;
mod walls;

#[cfg(not(target_family = "wasm"))]
pub use atomic::{finish_writing, is_temporary};
#[cfg(not(target_family = "wasm"))]
pub use confined::ConfinedSystem;
pub use denied::DeniedSystem;
pub use limited::LimitedSystem;
pub use memory::MemorySystem;
#[cfg(not(target_family = "wasm"))]
pub use os::OsSystem;
pub use partial::PartialSystem;
pub use recording::{RecordingSystem, SystemAnswers};
pub use refusal::{Refusal, unreadable};
#[cfg(unix)]
pub use signals::survive_file_limits;
pub use walls::{WalledDirectory, Walls, is_git_directory};

use std::{
    collections::HashSet,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// The default limit for the bytes of a file: 64 MiB.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

/// The kind of a directory entry. `kind` follows symbolic links, `list` reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
    /// A socket, a device, a pipe.
    Other,
}

impl EntryKind {
    /// The kind of an entry, which is at most one of these. The flags are arguments since `cap-std`
    /// has its own type for what `std` reports.
    fn of(is_file: bool, is_directory: bool, is_symlink: bool) -> EntryKind {
        match (is_file, is_directory, is_symlink) {
            (true, ..) => EntryKind::File,
            (_, true, _) => EntryKind::Directory,
            (.., true) => EntryKind::Symlink,
            _ => EntryKind::Other,
        }
    }
}

/// Replaces the empty path by `.`, since system calls refuse it. It means the current directory as in Go, or
/// the root of a confined system.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    pub name: String,
    pub kind: EntryKind,
}

/// Whether a walk enters a directory, whose path begins like the walk's root.
pub type Enters<'a> = &'a (dyn Fn(&Path) -> bool + Sync);

/// What a writer believes to be in a file before it replaces the file. A file that holds anything else has
/// changed since it was read, and stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedContent<'a> {
    /// No belief: a person named the file as an output, and nothing in it was read.
    Anything,
    /// There is no such file.
    Nothing,
    /// These bytes.
    Bytes(&'a [u8]),
}

impl ExpectedContent<'_> {
    /// Whether a file may be replaced that holds these bytes; `None` is a missing file.
    pub fn is_met_by(self, found: Option<&[u8]>) -> bool {
        match self {
            ExpectedContent::Anything => true,
            ExpectedContent::Nothing => found.is_none(),
            ExpectedContent::Bytes(bytes) => found == Some(bytes),
        }
    }
}

/// The files that version control holds.
pub trait Tracked: std::fmt::Debug + Send + Sync {
    /// Whether a file (absolute) is among them.
    fn holds(&self, file: &Path) -> bool;
}

/// Files, environment and clock. Relative paths are relative to `current_dir`.
pub trait System: Send + Sync {
    /// Reads the whole file. Errors: [`Refusal::TooLarge`], and those of the operating system.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Reads the whole file, of at most `limit` bytes; [`System::read`] may have its own limit.
    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > limit { Err(Refusal::TooLarge { limit }.into()) } else { Ok(bytes) }
    }
    /// An id that two files share only if their contents are equal, if one is known without reading.
    fn content_id(&self, _path: &Path) -> Option<[u8; 20]> {
        None
    }
    /// The entries of a directory, sorted bytewise by name; names that are not UTF-8 are left out.
    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>>;
    /// Every file and symbolic link below a directory, sorted. Hidden directories, files that git
    /// ignores and directories that `enters` rejects are left out, and links to directories are not
    /// followed.
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
    /// A walk of all directories, for patterns of paths. A system whose walks leave some out must not do so here.
    fn walk_all(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        self.walk(root, &|_| true)
    }
    /// Whether git ignores what may be made at the path.
    fn is_ignored(&self, _path: &Path) -> bool {
        false
    }
    /// Whether version control holds a file below a directory. A system that knows of no version control says
    /// no.
    fn holds_tracked(&self, _dir: &Path) -> bool {
        false
    }
    /// The files whose patterns of ignored files a walk could not read completely. Each (absolute) comes with the first
    /// line that is left out.
    fn unread_ignores(&self) -> Vec<(PathBuf, u32)> {
        Vec::new()
    }
    /// The number of the state of some files and directories (absolute): while it is the same, none of them changed.
    /// `None` where nobody watches them. The caller depends on them, as if it had read them.
    fn state_of(&self, _paths: &Arc<HashSet<PathBuf>>) -> Option<u64> {
        None
    }
    /// The kind of the file at the path, with symbolic links followed; `NotFound` if there is none.
    fn kind(&self, path: &Path) -> io::Result<EntryKind>;
    /// The absolute path with every symbolic link resolved.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;
    /// Replaces or creates a file so that a reader sees either the old bytes or the new ones: temporary
    /// file in the same directory, fsync, rename. Permissions are kept except those to run the file, and
    /// leftovers are removed. A symbolic link stays, and its target is replaced (a confined system
    /// writes through none). The error's text says what failed and where; the old file is then
    /// untouched.
    ///
    /// A file that nobody has the permission to write is kept, and the error is [`Refusal::ReadOnly`]. A file
    /// that does not hold what the caller expects is kept, and the error is [`Refusal::Changed`]. (If it
    /// already holds the new bytes, nothing is left to do.) The bytes are compared immediately before
    /// the rename, under a lock that all runs of this program take.
    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()>;
    /// Replaces whatever is at the path. Only for files that a person names as an output.
    fn write_atomic(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.replace(path, ExpectedContent::Anything, bytes)
    }
    /// Creates a directory and its parents.
    fn create_dir_all(&self, dir: &Path) -> io::Result<()>;
    fn env(&self, name: &str) -> Option<String>;
    /// All environment variables whose name starts with `prefix`, sorted by name.
    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)>;
    /// The user's home directory, if there is one; an error if the run must not know it.
    fn home_dir(&self) -> io::Result<Option<String>> {
        Ok(self.env("HOME").filter(|it| !it.is_empty()))
    }
    fn current_dir(&self) -> io::Result<PathBuf>;
    fn now(&self) -> SystemTime;
    /// Random bits for unique names; not for secrets.
    fn random(&self) -> u128 {
        let half = || u128::from(RandomState::new().build_hasher().finish());
        half() << 64 | half()
    }
    /// The same system with walls around it; `None` for a system in memory, which has nothing outside.
    /// Errors: a root cannot be opened.
    #[cfg(not(target_family = "wasm"))]
    fn confine(&self, _walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        Ok(None)
    }
}
