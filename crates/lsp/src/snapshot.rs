//! The state at one moment, which tasks on other threads work on.

use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use lsp_types::Uri;

use super::{
    overlay::{Overlay, Texts, Walks, Within},
    settings::Settings,
    text::{Encoding, Text},
};
use check::FileRole;
use git::WorkTreeSystem;
use module::is_override_file;
use system::{ConfinedSystem, System, Walls, paths};
use verdict::tree::KeptModules;

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub uri: Uri,
    pub version: i32,
    pub text: Arc<Text>,
    /// The path without links in its directory, if it is another one.
    pub real: Option<PathBuf>,
    /// The module that it probably belongs to: documents with the same one are judged together.
    pub dir: PathBuf,
    /// The directory that `check` would run in.
    pub root: PathBuf,
}

/// The state at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// By path, absolute and clean.
    pub documents: BTreeMap<PathBuf, Document>,
    pub texts: Texts,
    pub folders: Vec<PathBuf>,
    pub encoding: Encoding,
    pub settings: Settings,
    /// Whether completions may have tab stops.
    pub can_snippets: bool,
    /// Whether the client asks for the edit of an action when somebody chose it.
    pub can_resolve: bool,
    /// Whether an edit may create a file.
    pub can_create: bool,
    /// Whether the client can ask for the tokens of a part of a document.
    pub can_ask_for_ranges: bool,
    pub walks: Arc<Walks>,
    /// The number of the last change of a file or a source document, if the client reports those of files.
    pub watched: Option<u64>,
    /// The modules that verdicts share.
    pub modules: Option<Arc<KeptModules>>,
    /// By root, the files that only OpenTofu reads, and their neighbours.
    pub tofu: BTreeMap<PathBuf, Arc<Vec<PathBuf>>>,
}

impl Snapshot {
    /// Adds a document, or replaces its text.
    pub fn insert(&mut self, path: PathBuf, document: Document) {
        let text = &document.text.text;
        if let Some(real) = &document.real {
            self.texts.insert(real.clone(), Arc::clone(text));
        }
        self.texts.insert(path.clone(), Arc::clone(text));
        self.documents.insert(path, document);
    }

    pub fn remove(&mut self, path: &Path) -> Option<Document> {
        let document = self.documents.remove(path)?;
        self.texts.remove(path);
        if let Some(real) = &document.real {
            self.texts.remove(real);
        }
        Some(document)
    }

    /// The directory that `check` would run in for a file: the work tree that holds it, or else the workspace folder, or
    /// else its directory.
    pub fn root_of(&self, system: &dyn System, path: &Path) -> PathBuf {
        let dir = path.parent().unwrap_or(path);
        let work_tree = dir.ancestors().find(|it| system.kind(&it.join(".git")).is_ok());
        let folder = self.folders.iter().filter(|it| dir.starts_with(it));
        let folder = folder.max_by_key(|it| it.components().count());
        work_tree.or(folder.map(PathBuf::as_path)).unwrap_or(dir).to_owned()
    }

    /// The directory whose documents are judged together with this one: of a values file the nearest with source files.
    pub fn dir_of(&self, system: &dyn System, root: &Path, path: &Path) -> PathBuf {
        let dir = path.parent().unwrap_or(path);
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if FileRole::of(name) != FileRole::Values {
            return dir.to_owned();
        }
        let is_source =
            |name: &str| FileRole::of(name) == FileRole::Source && !is_override_file(name);
        let named =
            |path: &Path| path.file_name().and_then(|it| it.to_str()).is_some_and(is_source);
        let has_sources = |dir: &&Path| {
            let open = self.texts.keys().any(|it| it.parent() == Some(*dir) && named(it));
            open || system
                .list(dir)
                .is_ok_and(|entries| entries.iter().any(|it| is_source(&it.name)))
        };
        let inside = dir.ancestors().take_while(|it| it.starts_with(root));
        inside.into_iter().find(has_sources).unwrap_or(dir).to_owned()
    }

    /// Works on the disk behind walls around some paths (absolute), with the texts of this snapshot. The current
    /// directory is `root`, and `walks_root` says whether it may be a module that is worked on. Errors: the walls cannot
    /// be set up.
    pub fn with_system<T>(
        &self,
        machine: &dyn System,
        root: &Path,
        walks_root: bool,
        named: &[PathBuf],
        work: impl FnOnce(Overlay<'_>) -> T,
    ) -> io::Result<T> {
        let within = Within { inner: machine, current_dir: root.to_owned() };
        // A repository of another owner is fine: a person opened it.
        let walls = git::walls(&within, named, None);
        let mut walls = walls.or_else(|_| around(&within, root))?;
        walls.max_file_size = system::MAX_FILE_SIZE;
        let confined = ConfinedSystem::new(&within, walls)?;
        let tree = WorkTreeSystem::new(&confined);
        let none = Vec::new();
        let tofu = self.tofu.get(root).map_or(&none, |it| &**it);
        let overlay = Overlay::new(&tree, root, &self.texts, &self.walks, tofu, walks_root);
        Ok(work(overlay.watching(self.watched, &self.folders)))
    }
}

/// Walls around a directory, which paths call by this name.
fn around(system: &dyn System, root: &Path) -> io::Result<Walls> {
    let real = system.canonicalize(root)?;
    let mut walls = Walls::around(&real);
    if real != root {
        let (name, inside) = (root.to_owned(), PathBuf::new());
        walls.trees.push(system::WalledDirectory { name, root: real, inside });
    }
    Ok(walls)
}

/// The path of a document without links in its directory, if it is another one.
pub(crate) fn real(system: &dyn System, path: &Path) -> Option<PathBuf> {
    let dir = system.canonicalize(path.parent()?).ok()?;
    let real = dir.join(path.file_name()?);
    (real != path).then_some(real)
}

/// All files below a root, absolute, without those that git ignores and does not track.
pub(crate) fn all_files(machine: &dyn System, root: &Path) -> Vec<PathBuf> {
    let within = Within { inner: machine, current_dir: root.to_owned() };
    let found = around(&within, root).and_then(|mut walls| {
        walls.max_file_size = system::MAX_FILE_SIZE;
        let confined = ConfinedSystem::new(&within, walls)?;
        WorkTreeSystem::new(&confined).walk(Path::new("."), &|_| true)
    });
    found.unwrap_or_default().iter().map(|it| paths::clean(&root.join(it))).collect()
}

/// The files below a root that only OpenTofu reads, and their neighbours, absolute; also those by which Terragrunt runs
/// modules, which may declare what these lack.
pub(crate) fn tofu_files(machine: &dyn System, root: &Path) -> Vec<PathBuf> {
    let mut files = all_files(machine, root);
    let is_tofu = |file: &&PathBuf| {
        let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        [".tofu", ".tofu.json"].iter().any(|it| name.ends_with(it))
    };
    let dirs: HashSet<PathBuf> =
        files.iter().filter(is_tofu).filter_map(|it| Some(it.parent()?.to_owned())).collect();
    files.retain(|file| check::is_unit(file) || file.parent().is_some_and(|it| dirs.contains(it)));
    files
}

/// Whether the server has anything to say about a file of this name.
pub(crate) fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    FileRole::of(name) != FileRole::Other
        || name == config::FILE_NAME
        || name.ends_with(".rules.hcl")
}
