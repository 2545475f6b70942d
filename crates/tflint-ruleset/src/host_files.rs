//! The module as tflint sees it, behind the library's own door: sources are tflint's (a language
//! server has them from an editor), everything else is on the disk.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use module::is_module_file;
use release::Product;
use system::{
    ConfinedSystem, DirEntry, Enters, EntryKind, ExpectedContent, OsSystem, System, paths,
};

/// The module's files; paths are relative to the directory in which tflint was started.
pub(super) struct HostFiles {
    original_dir: PathBuf,
    /// The disk, with walls around the module's repository.
    disk: ConfinedSystem<'static>,
    /// The module's directory, as the names of its files have it.
    pub dir: PathBuf,
    /// The files by their paths as the library shows them: tflint's name, and the text.
    files: BTreeMap<String, (String, Vec<u8>)>,
}

impl HostFiles {
    /// `None` if the module has no files. Errors: git refuses the repository, or its directory cannot be
    /// opened.
    pub fn new(
        files: HashMap<String, Vec<u8>>,
        original_dir: PathBuf,
    ) -> Result<Option<HostFiles>, String> {
        let shown = |name: &String| paths::display(Path::new(name));
        let files: BTreeMap<_, _> =
            files.into_iter().map(|(name, text)| (shown(&name), (name, text))).collect();
        let first = files.keys().next().and_then(|it| Path::new(it).parent());
        let Some(dir) = first.map(paths::clean) else { return Ok(None) };
        let walls = git::walls(&OsSystem, &[original_dir.join(&dir)], None);
        let walls = walls.map_err(|it| it.to_string())?;
        let disk = ConfinedSystem::new(&OsSystem, walls).map_err(|it| it.to_string())?;
        Ok(Some(HostFiles { original_dir, disk, dir, files }))
    }

    /// tflint's name of a file.
    pub fn name<'a>(&'a self, shown: &'a str) -> &'a str {
        self.files.get(shown).map_or(shown, |(name, _)| name)
    }

    /// Whether a path is one of the module's own files.
    pub fn has(&self, shown: &str) -> bool {
        self.files.contains_key(shown)
    }

    /// The module's first file.
    pub fn first(&self) -> Option<&str> {
        self.files.values().next().map(|(name, _)| name.as_str())
    }

    fn source(&self, path: &Path) -> Option<&Vec<u8>> {
        self.files.get(&paths::display(path)).map(|(_, text)| text)
    }

    fn on_disk(&self, path: &Path) -> PathBuf {
        self.original_dir.join(path)
    }
}

impl System for HostFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.source(path).map_or_else(|| self.disk.read(&self.on_disk(path)), |it| Ok(it.clone()))
    }

    /// In the module's own directory the source files are tflint's.
    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = self.disk.list(&self.on_disk(dir))?;
        if paths::clean(dir) == self.dir {
            entries.retain(|it| !is_module_file(&it.name, Product::Terraform));
            let names = self.files.keys().filter_map(|it| it.rsplit('/').next());
            entries.extend(names.map(|it| DirEntry { name: it.to_owned(), kind: EntryKind::File }));
            entries.sort();
        }
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        match self.source(path) {
            Some(_) => Ok(EntryKind::File),
            None => self.disk.kind(&self.on_disk(path)),
        }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.canonicalize(&self.on_disk(path))
    }

    fn replace(
        &self,
        path: &Path,
        _expected: ExpectedContent<'_>,
        _bytes: &[u8],
    ) -> io::Result<()> {
        Err(read_only(path))
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        Err(read_only(dir))
    }

    fn env(&self, name: &str) -> Option<String> {
        OsSystem.env(name)
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        OsSystem.env_with_prefix(prefix)
    }

    fn home_dir(&self) -> io::Result<Option<String>> {
        self.disk.home_dir()
    }

    fn walk(&self, root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
        self.disk.walk(&self.on_disk(root), enters)
    }

    fn is_ignored(&self, path: &Path) -> bool {
        self.disk.is_ignored(&self.on_disk(path))
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.original_dir.clone())
    }

    fn now(&self) -> SystemTime {
        OsSystem.now()
    }
}

fn read_only(path: &Path) -> io::Error {
    let what = format!("{}: the tflint ruleset never writes files", paths::display(path));
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, what)
}
