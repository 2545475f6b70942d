//! The real operating system.
#![expect(clippy::disallowed_methods, reason = "the door that they point to")]

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{
    ConfinedSystem, DirEntry, Enters, EntryKind, ExpectedContent, MAX_FILE_SIZE, Refusal, System,
    Walls, atomic, confined::read_at_most, or_here, walk,
};

/// The process's files, environment and clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsSystem;

impl System for OsSystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_at_most(path, MAX_FILE_SIZE)
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // Nobody may ever write to it, and a module of one's own has none on purpose.
        if is_named_pipe(path) {
            return Err(Refusal::NotRegular.into());
        }
        read_at_most(File::open(path)?, limit)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(or_here(dir))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.push(DirEntry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort();
        Ok(entries)
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        walk::walk(self, root, enters, None, &walk::Ignoring::default())
    }

    fn is_ignored(&self, path: &Path) -> bool {
        walk::is_ignored(self, path, None, &walk::Ignoring::default())
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        Ok(kind_of(fs::metadata(or_here(path))?.file_type()))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(without_verbatim_prefix(or_here(path).canonicalize()?))
    }

    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        atomic::write(path, expected, bytes)
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)
    }

    fn env(&self, name: &str) -> Option<String> {
        // `var_os` should accept these, but may panic on some platforms.
        if name.is_empty() || name.contains(['=', '\0']) {
            return None;
        }
        env::var_os(name)?.into_string().ok()
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let all = env::vars_os();
        let texts = all.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let mut found: Vec<_> = texts.filter(|(name, _)| name.starts_with(prefix)).collect();
        found.sort();
        found
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        env::current_dir()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn confine(&self, walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        ConfinedSystem::new(self, walls).map(Some)
    }
}

/// Whether opening the file waits for somebody who writes. `/dev/stdin` and a shell's pipes are readable files, since a
/// person named them.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let is_of_system = ["/dev", "/proc"].iter().any(|it| path.starts_with(it));
    !is_of_system && fs::metadata(path).is_ok_and(|it| it.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_path: &Path) -> bool {
    false
}

fn kind_of(it: fs::FileType) -> EntryKind {
    EntryKind::of(it.is_file(), it.is_dir(), it.is_symlink())
}

/// Removes the prefix of `\\?\C:\x`, to which Windows resolves paths: most programs only understand
/// `C:\x`.
fn without_verbatim_prefix(path: PathBuf) -> PathBuf {
    if !cfg!(windows) {
        return path;
    }
    let plain = path.to_str().and_then(|it| it.strip_prefix(r"\\?\"));
    match plain {
        Some(plain) if plain.as_bytes().get(1) == Some(&b':') => PathBuf::from(plain),
        _ => path,
    }
}
