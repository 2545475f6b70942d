//! Replacing a file so that no reader, and no crash, ever sees half of it.
#![allow(clippy::disallowed_methods)] // This is the door that they point to.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        LazyLock, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// Temporary files are called `.NAME.terraschema-RUN-COUNT.tmp`.
const INFIX: &str = ".terraschema-";
const SUFFIX: &str = ".tmp";

/// File systems allow 255 bytes; the rest of a temporary name needs less than 100 of them.
const MAX_NAME: usize = 150;

/// Another run may take our temporary file for a leftover; then it is written again.
const MAX_ATTEMPTS: usize = 16;

/// Links that lead to links, as deep as Linux follows them.
const MAX_LINKS: usize = 40;

/// Whether a file name is that of a temporary file of [`write`].
pub fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.contains(INFIX) && name.ends_with(SUFFIX)
}

/// `System::write_atomic` on the real file system.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = follow_links(path)?;
    match fs::metadata(&target) {
        Ok(old) if old.is_file() => replace(&target, bytes, Some(&old)),
        Ok(old) if old.is_dir() => {
            Err(said(&io::Error::from(ErrorKind::IsADirectory), "cannot write", path))
        }
        // A terminal, a pipe or `/dev/stdout`: there is nothing to replace.
        Ok(_) => write_into(&target, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => replace(&target, bytes, None),
        Err(error) => Err(said(&error, "cannot write", path)),
    }
}

/// Held for reading by everyone who replaces a file.
static REPLACING: RwLock<()> = RwLock::new(());

/// Waits for files that are being replaced and lets no other begin, so that the process may end
/// without leaving anything behind.
pub fn finish_writing() {
    std::mem::forget(REPLACING.write().unwrap_or_else(PoisonError::into_inner));
}

/// Where the chain of symbolic links that starts at `path` ends; the end need not exist.
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

fn replace(target: &Path, bytes: &[u8], old: Option<&fs::Metadata>) -> io::Result<()> {
    let _replacing = REPLACING.read().unwrap_or_else(PoisonError::into_inner);
    let dir = directory_of(target);
    let prefix = temporary_prefix(target)?;
    remove_leftovers(dir, &prefix);
    let mut attempts = 0;
    loop {
        attempts += 1;
        let temporary = dir.join(temporary_name(&prefix));
        match write_and_rename(&temporary, target, bytes, old) {
            Err(error) if error.kind() == ErrorKind::NotFound && attempts < MAX_ATTEMPTS => {
                if !dir.is_dir() {
                    return Err(said(&error, "no such directory:", dir));
                }
            }
            done => return done,
        }
    }
}

fn write_and_rename(
    temporary: &Path,
    target: &Path,
    bytes: &[u8],
    old: Option<&fs::Metadata>,
) -> io::Result<()> {
    let dir = directory_of(target);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(temporary)
        .map_err(|it| said(&it, "cannot create a file in the directory", dir))?;
    let guard = RemoveOnDrop(temporary);
    file.write_all(bytes).map_err(|it| said(&it, "cannot write", target))?;
    if let Some(old) = old {
        keep_owner(&file, old);
        file.set_permissions(old.permissions())
            .map_err(|it| said(&it, "cannot keep the permissions of", target))?;
    }
    file.sync_all().map_err(|it| said(&it, "cannot write", target))?;
    drop(file);
    fs::rename(temporary, target).map_err(|it| said(&it, "cannot replace", target))?;
    std::mem::forget(guard);
    sync_directory(dir);
    Ok(())
}

fn write_into(device: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(device);
    let mut file = file.map_err(|it| said(&it, "cannot open", device))?;
    file.write_all(bytes).map_err(|it| said(&it, "cannot write", device))
}

/// What runs that were killed left behind for this target. Best effort: a leftover harms nobody.
fn remove_leftovers(dir: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let ours = format!("{prefix}{}-", *RUN);
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with(prefix) && name.ends_with(SUFFIX) && !name.starts_with(&ours) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Distinguishes this run from those of other processes, also of one with the same process id.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", process::id(), since.as_nanos())
});

fn temporary_name(prefix: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}{}-{count}{SUFFIX}", *RUN)
}

fn temporary_prefix(target: &Path) -> io::Result<String> {
    let Some(name) = target.file_name().map(OsString::from) else {
        let message = format!("not the name of a file: {}", target.display());
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    };
    let name = name.to_string_lossy();
    let end = (0..=MAX_NAME.min(name.len())).rev().find(|it| name.is_char_boundary(*it));
    Ok(format!(".{}{INFIX}", &name[..end.unwrap_or(0)]))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A run as root leaves a file to whom it belonged; others may not, and need not.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(new) = file.metadata() else { return };
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) {}

/// Makes the rename itself durable, where a directory can be opened.
fn sync_directory(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

/// The same kind of error with a text that says what was tried, and where.
fn said(error: &io::Error, what: &str, path: &Path) -> io::Error {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
}

struct RemoveOnDrop<'a>(&'a Path);

impl Drop for RemoveOnDrop<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.0);
    }
}
