//! A [`System`] in memory, for tests and for callers that hold their own texts.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, ErrorKind},
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{DirEntry, EntryKind, ExpectedContent, Refusal, System};

/// Files, environment and clock that exist only in this value.
///
/// Directories are implied by what is in them. The current directory is `/`, and the clock shows the start of 1970
/// until [`MemorySystem::at`] sets it.
///
/// ```
/// # use system::{MemorySystem, System};
/// let system = MemorySystem::new().file("/m/main.tf", "").with_env("TF_VAR_x", "1").working_in("/m");
/// assert_eq!(system.read("main.tf".as_ref()).unwrap(), b"");
/// ```
#[derive(Debug, Default)]
pub struct MemorySystem {
    nodes: Mutex<BTreeMap<PathBuf, Node>>,
    env: BTreeMap<String, String>,
    current: PathBuf,
    now: Duration,
    denied: BTreeSet<PathBuf>,
    read_only: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Vec<u8>),
    Directory,
    Symlink(PathBuf),
}

impl MemorySystem {
    pub fn new() -> MemorySystem {
        MemorySystem::default()
    }

    /// Adds a file, or replaces it.
    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.node(path.as_ref(), Node::File(content.as_ref().to_vec()))
    }

    /// Adds a directory that may stay empty.
    pub fn directory(self, path: impl AsRef<Path>) -> Self {
        self.node(path.as_ref(), Node::Directory)
    }

    /// Adds a symbolic link; a relative target starts at the link's directory.
    pub fn symlink(self, path: impl AsRef<Path>, target: impl AsRef<Path>) -> Self {
        self.node(path.as_ref(), Node::Symlink(target.as_ref().to_owned()))
    }

    /// Refuses every access to the path and to what is below it.
    pub fn denied(mut self, path: impl AsRef<Path>) -> Self {
        self.denied.insert(self.absolute(path.as_ref()));
        self
    }

    /// Refuses to write the path and what is below it.
    pub fn read_only(mut self, path: impl AsRef<Path>) -> Self {
        self.read_only.insert(self.absolute(path.as_ref()));
        self
    }

    pub fn with_env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets the current directory, an absolute path. Call it before using paths relative to it.
    pub fn working_in(mut self, dir: impl AsRef<Path>) -> Self {
        self.current = super::paths::clean(dir.as_ref());
        self
    }

    /// Stops the clock at this many seconds after the start of 1970.
    pub fn at(mut self, seconds: u64) -> Self {
        self.now = Duration::from_secs(seconds);
        self
    }

    fn node(self, path: &Path, node: Node) -> Self {
        let path = self.absolute(path);
        self.nodes().insert(path, node);
        self
    }

    fn nodes(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Node>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The node at a resolved path. The lock is released on return.
    fn find(&self, resolved: &Path) -> Option<Node> {
        find(&self.nodes(), resolved)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        super::paths::clean(&Path::new("/").join(&self.current).join(path))
    }

    /// The path with every link followed, whether or not its target exists.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = follow(&self.nodes(), &self.absolute(path))?;
        if self.denied.iter().any(|it| resolved.starts_with(it)) {
            return Err(failed(ErrorKind::PermissionDenied, path));
        }
        Ok(resolved)
    }

    /// Like `resolve`, for a path that is to be written.
    fn resolve_for_writing(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = self.resolve(path)?;
        if self.read_only.iter().any(|it| resolved.starts_with(it)) {
            return Err(failed(ErrorKind::PermissionDenied, path));
        }
        Ok(resolved)
    }
}

impl System for MemorySystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let resolved = self.resolve(path)?;
        match self.find(&resolved) {
            Some(Node::File(content)) => Ok(content),
            Some(_) => Err(failed(ErrorKind::IsADirectory, path)),
            None => Err(failed(ErrorKind::NotFound, path)),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let resolved = self.resolve(dir)?;
        match self.find(&resolved) {
            Some(Node::Directory) => Ok(entries(&self.nodes(), &resolved)),
            Some(_) => Err(failed(ErrorKind::NotADirectory, dir)),
            None => Err(failed(ErrorKind::NotFound, dir)),
        }
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let resolved = self.resolve(path)?;
        let found = self.find(&resolved);
        found.map(|it| kind_of(&it)).ok_or_else(|| failed(ErrorKind::NotFound, path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = self.resolve(path)?;
        self.kind(path).map(|_| resolved)
    }

    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        let resolved = self.resolve_for_writing(path)?;
        let mut nodes = self.nodes();
        if let Some(Node::Directory) = find(&nodes, &resolved) {
            return Err(failed(ErrorKind::IsADirectory, path));
        }
        let parent = resolved.parent().and_then(|it| find(&nodes, it));
        if !matches!(parent, Some(Node::Directory)) {
            return Err(failed(ErrorKind::NotFound, path));
        }
        let found = match nodes.get(&resolved) {
            Some(Node::File(content)) => Some(content.as_slice()),
            _ => None,
        };
        if found != Some(bytes) && !expected.is_met_by(found) {
            return Err(Refusal::Changed { path: path.to_owned() }.into());
        }
        nodes.insert(resolved, Node::File(bytes.to_vec()));
        Ok(())
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        let resolved = self.resolve_for_writing(dir)?;
        let mut nodes = self.nodes();
        if resolved.ancestors().any(|it| matches!(find(&nodes, it), Some(Node::File(_)))) {
            return Err(failed(ErrorKind::AlreadyExists, dir));
        }
        nodes.entry(resolved).or_insert(Node::Directory);
        Ok(())
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let matching = self.env.iter().filter(|(name, _)| name.starts_with(prefix));
        matching.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.absolute(Path::new("")))
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + self.now
    }
}

fn find(nodes: &BTreeMap<PathBuf, Node>, path: &Path) -> Option<Node> {
    if let Some(node) = nodes.get(path) {
        return Some(node.clone());
    }
    // `PathBuf`s sort by component, so the content of a directory follows it directly.
    let below = nodes.range(path.to_owned()..).next();
    let implied = path.parent().is_none() || below.is_some_and(|(it, _)| it.starts_with(path));
    implied.then_some(Node::Directory)
}

fn entries(nodes: &BTreeMap<PathBuf, Node>, dir: &Path) -> Vec<DirEntry> {
    let mut found = BTreeMap::new();
    for (path, node) in nodes.range(dir.to_owned()..).take_while(|(it, _)| it.starts_with(dir)) {
        let Ok(inside) = path.strip_prefix(dir) else { continue };
        let mut components = inside.components();
        let Some(first) = components.next() else { continue };
        let name = first.as_os_str().to_string_lossy().into_owned();
        let is_deeper = components.next().is_some();
        found.insert(name, if is_deeper { EntryKind::Directory } else { kind_of(node) });
    }
    found.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect()
}

fn kind_of(node: &Node) -> EntryKind {
    match node {
        Node::File(_) => EntryKind::File,
        Node::Directory => EntryKind::Directory,
        Node::Symlink(_) => EntryKind::Symlink,
    }
}

/// Follows every symbolic link of an absolute path, at most 40 of them.
fn follow(nodes: &BTreeMap<PathBuf, Node>, path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Some((link, target)) = first_link(nodes, &path) else { return Ok(path) };
        let rest = path.strip_prefix(&link).unwrap_or(Path::new("")).to_owned();
        let parent = link.parent().unwrap_or(Path::new("/"));
        path = super::paths::clean(&parent.join(target).join(rest));
    }
    Err(io::Error::other(format!("too many symbolic links at {}", path.display())))
}

fn first_link(nodes: &BTreeMap<PathBuf, Node>, path: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut prefix = PathBuf::new();
    for component in path.components() {
        prefix.push(component);
        if component == Component::RootDir {
            continue;
        }
        if let Some(Node::Symlink(target)) = nodes.get(&prefix) {
            return Some((prefix, target.clone()));
        }
    }
    None
}

fn failed(kind: ErrorKind, path: &Path) -> io::Error {
    let kind_text = io::Error::from(kind);
    io::Error::new(kind, format!("{}: {kind_text}", path.display()))
}
