//! The request for a run.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use super::{ChangedFiles, PolicyReader, Progress, Select, Shard};
use config::{Config, Globs};
use diagnostics::Level;
use system::Tracked;
use verdict::tree::KeptModules;

/// The URLs of the remotes of repositories, by their roots.
type RemoteUrls = BTreeMap<PathBuf, Vec<String>>;

/// The remotes of repositories, which are found once they are asked for.
#[derive(Clone, Default)]
pub struct Remotes(Option<Arc<LazyLock<RemoteUrls, FindRemotes>>>);

type FindRemotes = Box<dyn FnOnce() -> RemoteUrls + Send>;

impl Remotes {
    pub fn new(find: impl FnOnce() -> RemoteUrls + Send + 'static) -> Remotes {
        Remotes(Some(Arc::new(LazyLock::new(Box::new(find)))))
    }

    /// The URLs of the remotes of the repository with this root.
    pub(super) fn of(&self, root: &Path) -> &[String] {
        let found = self.0.as_ref().and_then(|it| it.get(root));
        found.map(Vec::as_slice).unwrap_or_default()
    }
}

impl fmt::Debug for Remotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remotes").finish_non_exhaustive()
    }
}

/// What to check and how.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// Files and directories; the current directory if empty.
    pub targets: Vec<PathBuf>,
    /// The flags of the command line; they override every file.
    pub flags: Config,
    /// Whether the configuration's `exclude` applies even to named targets.
    pub force_exclude: bool,
    /// The only configuration file that is read; if absent, each directory's own are.
    pub config_file: Option<PathBuf>,
    /// If present, only the modules that this change touches are checked.
    pub change: Option<ChangedFiles>,
    /// The files that git tracks: a schema that is not among them counts as missing.
    pub tracked: Option<Arc<dyn Tracked>>,
    /// The remotes of repositories: a README's calls by these are of the modules there.
    pub remotes: Remotes,
    /// The shard to check; all modules if absent.
    pub shard: Option<Shard>,
    /// Rewrite schemas that are stale, create those that are missing.
    pub fix: bool,
    /// Take attributes that Terraform drops anyway, and values of undeclared variables, out of values files.
    pub fix_inputs: bool,
    /// Raise `required_version` if it admits a release that lacks a used feature.
    pub fix_required_version: bool,
    /// The rules whose findings are reported; all if absent.
    pub select: Option<Select>,
    /// Modules and values files that are left out, as patterns of paths from the current directory.
    pub exclude: Option<Globs>,
    /// The lowest level of findings that are kept; `None` keeps all. A baseline and the fixes of inputs and of
    /// `required_version` need all.
    pub lowest: Option<Level>,
    /// Whether every finding is kept, however many of a kind a file has.
    pub keeps_all: bool,
    /// Write the findings into this baseline, so that later runs know them.
    pub write_baseline: Option<PathBuf>,
    /// Modules that this run shares with earlier and later ones in the same process.
    pub kept_modules: Option<Arc<KeptModules>>,
    /// Reads the rules that `policy` blocks name; without it such a block is an error.
    pub policies: Option<Arc<dyn PolicyReader>>,
    /// The progress of the run; the request's owner may read it during the run.
    pub progress: Arc<Progress>,
}

impl CheckRequest {
    /// Whether this is the run whose findings `--fix-inputs` acts on.
    pub(super) fn fixes_inputs_now(&self) -> bool {
        self.fix_inputs && self.keeps_all
    }
}
