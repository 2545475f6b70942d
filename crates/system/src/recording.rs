//! Notes what a system answers, to find out later whether it would answer the same again.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use super::{DirEntry, Enters, EntryKind, ExpectedContent, System, paths};

/// Another system, whose answers are noted.
///
/// ```
/// use std::path::Path;
/// use system::{MemorySystem, RecordingSystem, System};
///
/// let files = MemorySystem::new().file("/m/a.tf", "a = 1").working_in("/m");
/// let recording = RecordingSystem::new(&files);
/// recording.read(Path::new("a.tf")).unwrap();
/// let answers = recording.into_answers();
/// let files = files.file("/m/b.tf", "b = 1"); // Nobody asked for it.
/// assert!(answers.hold(&files));
/// let files = files.file("/m/a.tf", "a = 2");
/// assert!(!answers.hold(&files));
/// ```
pub struct RecordingSystem<'a> {
    inner: &'a dyn System,
    answers: Mutex<SystemAnswers>,
}

/// What a system answered, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemAnswers {
    all: Vec<Answer>,
    /// Whether something was asked whose answer cannot be compared: the time, random bits, a walk, a write.
    is_open: bool,
}

/// One answer; `None` is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Read(PathBuf, Option<Vec<u8>>),
    ReadAtMost(PathBuf, u64, Option<Vec<u8>>),
    List(PathBuf, Option<Vec<DirEntry>>),
    Kind(PathBuf, Option<EntryKind>),
    Canonicalize(PathBuf, Option<PathBuf>),
    CurrentDir(Option<PathBuf>),
    Env(String, Option<String>),
    EnvWithPrefix(String, Vec<(String, String)>),
}

impl<'a> RecordingSystem<'a> {
    pub fn new(inner: &'a dyn System) -> RecordingSystem<'a> {
        RecordingSystem { inner, answers: Mutex::default() }
    }

    pub fn into_answers(self) -> SystemAnswers {
        self.answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, answer: Answer) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).all.push(answer);
    }

    fn open(&self) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).is_open = true;
    }
}

impl SystemAnswers {
    /// Whether a system gives all of these answers. What was asked for is asked for again, in order, up to the first
    /// other answer.
    pub fn hold(&self, system: &dyn System) -> bool {
        !self.is_open && self.all.iter().all(|it| it.holds(system))
    }

    /// Like [`hold`](SystemAnswers::hold) where the files and directories are known to be the same.
    pub fn hold_apart_from_files(&self, system: &dyn System) -> bool {
        let mut others = self.all.iter().filter(|it| it.path().is_none());
        !self.is_open && others.all(|it| it.holds(system))
    }

    /// These answers and others that were given before them, each once. `None` if they are more than `most`, or if some
    /// cannot be compared.
    pub fn with_earlier(mut self, earlier: &SystemAnswers, most: usize) -> Option<SystemAnswers> {
        if self.is_open || earlier.is_open {
            return None;
        }
        let new = std::mem::replace(&mut self.all, earlier.all.clone());
        for it in new {
            if !self.all.contains(&it) {
                self.all.push(it);
            }
        }
        (self.all.len() <= most).then_some(self)
    }

    /// The paths that were asked for, absolute. `None` if one of them may lead elsewhere, by a link.
    pub fn plain_paths(&self, current_dir: &Path) -> Option<HashSet<PathBuf>> {
        let absolute = |path: &Path| paths::clean(&current_dir.join(path));
        let is_link = |it: &DirEntry| it.kind == EntryKind::Symlink;
        let is_plain = |it: &Answer| match it {
            Answer::List(_, Some(entries)) => !entries.iter().any(is_link),
            Answer::Canonicalize(path, Some(real)) => absolute(path) == *real,
            _ => true,
        };
        let is_plain = !self.is_open && self.all.iter().all(is_plain);
        is_plain.then(|| self.all.iter().filter_map(Answer::path).map(absolute).collect())
    }
}

impl Answer {
    fn path(&self) -> Option<&Path> {
        match self {
            Answer::Read(path, _)
            | Answer::ReadAtMost(path, ..)
            | Answer::List(path, _)
            | Answer::Kind(path, _)
            | Answer::Canonicalize(path, _) => Some(path),
            Answer::CurrentDir(_) | Answer::Env(..) | Answer::EnvWithPrefix(..) => None,
        }
    }

    fn holds(&self, system: &dyn System) -> bool {
        match self {
            Answer::Read(path, known) => system.read(path).ok() == *known,
            Answer::ReadAtMost(path, limit, known) => {
                system.read_at_most(path, *limit).ok() == *known
            }
            Answer::List(dir, known) => system.list(dir).ok() == *known,
            Answer::Kind(path, known) => system.kind(path).ok() == *known,
            Answer::Canonicalize(path, known) => system.canonicalize(path).ok() == *known,
            Answer::CurrentDir(known) => system.current_dir().ok() == *known,
            Answer::Env(name, known) => system.env(name) == *known,
            Answer::EnvWithPrefix(prefix, known) => system.env_with_prefix(prefix) == *known,
        }
    }
}

/// The value of a result, for a note.
fn noted<T: Clone>(result: &io::Result<T>) -> Option<T> {
    result.as_ref().ok().cloned()
}

impl System for RecordingSystem<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let result = self.inner.read(path);
        self.note(Answer::Read(path.to_owned(), noted(&result)));
        result
    }

    fn read_at_most(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let result = self.inner.read_at_most(path, limit);
        self.note(Answer::ReadAtMost(path.to_owned(), limit, noted(&result)));
        result
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let result = self.inner.list(dir);
        self.note(Answer::List(dir.to_owned(), noted(&result)));
        result
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        self.open();
        self.inner.walk(root, enters)
    }

    fn walk_all(&self, root: &Path) -> io::Result<Vec<PathBuf>> {
        self.open();
        self.inner.walk_all(root)
    }

    fn content_id(&self, path: &Path) -> Option<[u8; 20]> {
        self.open();
        self.inner.content_id(path)
    }

    fn is_ignored(&self, path: &Path) -> bool {
        self.open();
        self.inner.is_ignored(path)
    }

    fn holds_tracked(&self, dir: &Path) -> bool {
        self.open();
        self.inner.holds_tracked(dir)
    }

    fn unread_ignores(&self) -> Vec<(PathBuf, u32)> {
        self.open();
        self.inner.unread_ignores()
    }

    fn state_of(&self, paths: &Arc<HashSet<PathBuf>>) -> Option<u64> {
        self.open();
        self.inner.state_of(paths)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let result = self.inner.kind(path);
        self.note(Answer::Kind(path.to_owned(), noted(&result)));
        result
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let result = self.inner.canonicalize(path);
        self.note(Answer::Canonicalize(path.to_owned(), noted(&result)));
        result
    }

    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        self.open();
        self.inner.replace(path, expected, bytes)
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        self.open();
        self.inner.create_dir_all(dir)
    }

    fn env(&self, name: &str) -> Option<String> {
        let value = self.inner.env(name);
        self.note(Answer::Env(name.to_owned(), value.clone()));
        value
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let found = self.inner.env_with_prefix(prefix);
        self.note(Answer::EnvWithPrefix(prefix.to_owned(), found.clone()));
        found
    }

    fn home_dir(&self) -> io::Result<Option<String>> {
        self.open();
        self.inner.home_dir()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        let result = self.inner.current_dir();
        self.note(Answer::CurrentDir(noted(&result)));
        result
    }

    fn now(&self) -> SystemTime {
        self.open();
        self.inner.now()
    }

    fn random(&self) -> u128 {
        self.open();
        self.inner.random()
    }
}
