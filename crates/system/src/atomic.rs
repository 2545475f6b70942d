//! Replaces a file so that no reader, and no crash, ever sees half of it.
#![expect(clippy::disallowed_methods, reason = "the door that they point to")]

use std::{
    ffi::OsStr,
    fs::{self, OpenOptions as AmbientOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        LazyLock, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};

use super::{ExpectedContent, Refusal, confined::read_whole};

/// Temporary files are named `.NAME.terraschema-RUN-COUNT.tmp`.
const INFIX: &str = ".terraschema-";
const SUFFIX: &str = ".tmp";

/// File systems allow 255 bytes; the rest of a temporary name needs less than 100 of them.
const MAX_NAME: usize = 150;

/// Another run may remove our temporary file as a leftover; then it is written again.
const MAX_ATTEMPTS: usize = 16;

/// The limit for a chain of links, as in Linux.
const MAX_LINKS: usize = 40;

/// Whether a file name is that of a temporary file of [`write`].
pub fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.contains(INFIX) && name.ends_with(SUFFIX)
}

/// `System::write_atomic` on the real file system: links are followed to their end.
pub(super) fn write(path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
    let target = follow_links(path)?;
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => {
            return Err(in_context(
                &io::Error::from(ErrorKind::IsADirectory),
                "cannot write",
                path,
            ));
        }
        // A terminal, a pipe or `/dev/stdout` cannot be replaced.
        Ok(old) if !old.is_file() => return write_into(&target, bytes),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(in_context(&error, "cannot write", path));
        }
        _ => (),
    }
    let dir = directory_of(&target);
    let opened = Dir::open_ambient_dir(dir, ambient_authority()).map_err(|it| {
        let is_missing = it.kind() == ErrorKind::NotFound;
        let what = if is_missing { "no such directory:" } else { "cannot open the directory" };
        in_context(&it, what, dir)
    })?;
    let Some(name) = target.file_name() else {
        let message = format!("not the name of a file: {}", target.display());
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    };
    replace(&opened, Path::new(name), &target, expected, bytes)
}

/// Read-locked by everyone who replaces a file.
static REPLACING: RwLock<()> = RwLock::new(());

/// Waits for unfinished replacements and prevents new ones, so that the process can end without leaving
/// temporary files.
pub fn finish_writing() {
    std::mem::forget(REPLACING.write().unwrap_or_else(PoisonError::into_inner));
}

/// The end of the chain of symbolic links that starts at `path`; the end need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        // `/dev/stdout` leads to names like `pipe:[7]`, which only the system can follow.
        if target.starts_with("/proc") || target.starts_with("/dev") {
            return Ok(target);
        }
        target = directory_of(&target).join(next);
    }
    Err(io::Error::other(format!("too many symbolic links at {}", path.display())))
}

/// Replaces or creates the file called `name` in an open directory. The name must not be a link. `shown` is the file's
/// path in messages. A new file gets the mode 0666 less the umask. A replaced one keeps its mode, less the bits that
/// would let it be run. A file that does not hold what is expected stays, and so does one that is read-only.
pub(super) fn replace(
    dir: &Dir,
    name: &Path,
    shown: &Path,
    expected: ExpectedContent<'_>,
    bytes: &[u8],
) -> io::Result<()> {
    let _replacing = REPLACING.read().unwrap_or_else(PoisonError::into_inner);
    let prefix = temporary_prefix(name.as_os_str());
    remove_leftovers(dir, &prefix);
    let mut attempts = 0;
    loop {
        attempts += 1;
        match write_and_rename(dir, &temporary_name(&prefix), name, shown, expected, bytes) {
            Err(error) if error.kind() == ErrorKind::NotFound && attempts < MAX_ATTEMPTS => (),
            done => return done,
        }
    }
}

fn write_and_rename(
    dir: &Dir,
    temporary: &str,
    name: &Path,
    shown: &Path,
    expected: ExpectedContent<'_>,
    bytes: &[u8],
) -> io::Result<()> {
    let old = dir.symlink_metadata(name).ok();
    if old.as_ref().is_some_and(|it| it.permissions().readonly()) {
        return kept(dir, name, shown, bytes);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    narrow(&mut options, old.as_ref());
    let file = dir.open_with(temporary, &options);
    let file = file.map_err(|it| {
        in_context(&it, "cannot create a file in the directory", directory_of(shown))
    })?;
    let mut file = file.into_std();
    let guard = RemoveOnDrop { dir, name: temporary };
    file.write_all(bytes).map_err(|it| in_context(&it, "cannot write", shown))?;
    if let Some(old) = &old {
        keep_owner(&file, old);
        keep_mode(&file, old)
            .map_err(|it| in_context(&it, "cannot keep the permissions of", shown))?;
    }
    file.sync_all().map_err(|it| in_context(&it, "cannot write", shown))?;
    drop(file);
    let lock = locked(dir);
    if !is_expected(dir, name, expected, bytes)
        .map_err(|it| in_context(&it, "cannot read again", shown))?
    {
        return Err(Refusal::Changed { path: shown.to_owned() }.into());
    }
    dir.rename(temporary, dir, name).map_err(|it| in_context(&it, "cannot replace", shown))?;
    drop(lock);
    std::mem::forget(guard);
    // The directory is not synchronised: a crash that undoes the rename leaves the old file, whole.
    Ok(())
}

/// Leaves a file alone that nobody may write: the directory would let us replace it, but somebody wants it to stay. That
/// holds for root as well, whom nothing keeps from writing. Errors: it holds other bytes than the new ones.
fn kept(dir: &Dir, name: &Path, shown: &Path, new: &[u8]) -> io::Result<()> {
    let is_same = is_expected(dir, name, ExpectedContent::Bytes(new), new)
        .map_err(|it| in_context(&it, "cannot read again", shown))?;
    if is_same { Ok(()) } else { Err(Refusal::ReadOnly { path: shown.to_owned() }.into()) }
}

/// Whether the file holds what is expected, or already the new bytes.
fn is_expected(
    dir: &Dir,
    name: &Path,
    expected: ExpectedContent<'_>,
    new: &[u8],
) -> io::Result<bool> {
    if expected == ExpectedContent::Anything {
        return Ok(true);
    }
    let mut options = OpenOptions::new();
    // A link or a pipe that somebody put there meanwhile is neither followed nor waited for.
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let found = match dir.open_with(name, &options) {
        Ok(file) => Some(read_whole(file.into_std(), u64::MAX)?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    Ok(found.as_deref() == Some(new) || expected.is_met_by(found.as_deref()))
}

/// The attempts to lock a directory, and the pause between two. A process that holds the lock
/// compares and renames one file.
const LOCK_ATTEMPTS: usize = 500;
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// Keeps other runs from replacing files in a directory between the look at a file and its replacement; the
/// lock ends when the handle is dropped. Best effort: where the file system has no locks, or somebody does not
/// let go of one, the comparison alone has to do.
fn locked(dir: &Dir) -> Option<fs::File> {
    // A lock belongs to the handle, so that each thread needs a handle of its own.
    let file = dir.open_dir(".").ok()?.into_std_file();
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(fs::TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(fs::TryLockError::Error(_)) => return None,
        }
    }
    None
}

fn write_into(device: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = AmbientOptions::new().write(true).open(device);
    let mut file = file.map_err(|it| in_context(&it, "cannot open", device))?;
    file.write_all(bytes).map_err(|it| in_context(&it, "cannot write", device))
}

/// Removes the temporary files for this target that killed runs left behind. Best effort, since they
/// harm nobody.
fn remove_leftovers(dir: &Dir, prefix: &str) {
    let Ok(entries) = dir.entries() else { return };
    let ours = format!("{prefix}{}-", *RUN);
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with(prefix) && name.ends_with(SUFFIX) && !name.starts_with(&ours) {
            let _ = dir.remove_file(name);
        }
    }
}

/// Distinguishes this run from those of other processes, even with the same process id.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", process::id(), since.as_nanos())
});

fn temporary_name(prefix: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}{}-{count}{SUFFIX}", *RUN)
}

fn temporary_prefix(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    let end = (0..=MAX_NAME.min(name.len())).rev().find(|it| name.is_char_boundary(*it));
    format!(".{}{INFIX}", &name[..end.unwrap_or(0)])
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Read and write bits of owner, group and others: a schema or a values file needs no others.
#[cfg(unix)]
const DATA_MODE: u32 = 0o666;

/// Restricts the temporary file to the readers of the file that it replaces.
#[cfg(unix)]
fn narrow(options: &mut OpenOptions, old: Option<&cap_std::fs::Metadata>) {
    use cap_std::fs::{MetadataExt, OpenOptionsExt};
    let mode = old.map_or(DATA_MODE, |it| it.mode() & DATA_MODE);
    options.mode(mode);
}

#[cfg(unix)]
fn keep_mode(file: &fs::File, old: &cap_std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    use cap_std::fs::MetadataExt;
    file.set_permissions(fs::Permissions::from_mode(old.mode() & DATA_MODE))
}

/// Keeps a file's owner in a run as root; other users may not change owners, and need not.
#[cfg(unix)]
fn keep_owner(file: &fs::File, old: &cap_std::fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    use cap_std::fs::MetadataExt;
    let Ok(new) = file.metadata() else { return };
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn narrow(_options: &mut OpenOptions, _old: Option<&cap_std::fs::Metadata>) {}

#[cfg(not(unix))]
fn keep_mode(_file: &fs::File, _old: &cap_std::fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_file: &fs::File, _old: &cap_std::fs::Metadata) {}

/// The same kind of error, with a text that names the action and the path.
fn in_context(error: &io::Error, what: &str, path: &Path) -> io::Error {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
}

struct RemoveOnDrop<'a> {
    dir: &'a Dir,
    name: &'a str,
}

impl Drop for RemoveOnDrop<'_> {
    fn drop(&mut self) {
        let _ = self.dir.remove_file(self.name);
    }
}
