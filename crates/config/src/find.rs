//! Finds the configuration files that govern a directory.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use super::{
    Config, ContractBlock, ContractBlocks, FILE_NAME, Globs, OpenTofu, SCHEMA_FILE, Settings,
    inputs::InputBlock, limits, read::read_metered, unused::Use,
};
use diagnostics::{Diagnostic, FileId, Finding, Role, Sources, at_most_of_a_kind, lints};
use hcl::in_utf8;
use system::{Refusal, System, paths, unreadable};
use tf_eval::{Limits, Meter};
use verdict::tree;

/// The limit for the work of reading all configuration files together, and of matching their patterns.
const MAX_WORK: u64 = 8_000_000;

/// One configuration file and the directory that its paths start from.
#[derive(Debug)]
pub(super) struct Layer {
    /// Absolute.
    pub dir: PathBuf,
    pub config: Config,
    /// The `input` blocks.
    pub inputs: Vec<InputBlock>,
    /// With absolute directories.
    pub contracts: Arc<[ContractBlock]>,
    /// Holds the file.
    pub sources: Sources,
}

impl Layer {
    fn new(dir: PathBuf, config: Config, sources: Sources, id: FileId) -> Layer {
        let file = Arc::new(sources.file(id).clone());
        let inputs = InputBlock::all(&dir, &config.inputs, &file);
        let contracts = config.contracts.iter().map(|it| it.starting_from(&dir)).collect();
        Layer { dir, config, inputs, contracts, sources }
    }

    /// The path from the file's directory to an absolute path.
    pub fn relative(&self, path: &Path) -> PathBuf {
        paths::relative(&self.dir, path)
    }
}

/// The configuration files that govern a directory, the farthest first.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    pub(super) layers: Vec<Arc<Layer>>,
}

impl Chain {
    /// Whether the nearest `include` and `exclude` select a directory (absolute) for checking.
    pub(super) fn includes(&self, dir: &Path) -> bool {
        let is_included = self.nearest_covers(|it| it.include.as_ref(), dir).unwrap_or(true);
        is_included && !self.excludes(dir)
    }

    /// Whether the nearest `exclude` covers a directory (absolute).
    fn excludes(&self, dir: &Path) -> bool {
        self.nearest_covers(|it| it.exclude.as_ref(), dir).unwrap_or(false)
    }

    /// Whether the nearest of these patterns cover a directory (absolute); `None` if there are none.
    fn nearest_covers(&self, globs: fn(&Config) -> Option<&Globs>, dir: &Path) -> Option<bool> {
        let nearest = self.layers.iter().rev().find_map(|it| Some((it, globs(&it.config)?)));
        nearest.map(|(layer, it)| it.covers(&layer.relative(dir)))
    }
}

/// Every configuration of a run. A file is read when a directory below it is first asked about.
pub struct Configurations<'a> {
    pub(super) system: &'a dyn System,
    /// Absolute.
    pub(super) current_dir: PathBuf,
    pub(super) flags: Config,
    /// The only file that counts, if the command line names one.
    given: Option<Chain>,
    chains: Mutex<HashMap<PathBuf, Chain>>,
    problems: Mutex<Vec<Finding>>,
    /// The work of reading, in units.
    work: AtomicU64,
    /// The directories with module files below a directory, for patterns of modules.
    pub(super) modules_below: Mutex<HashMap<PathBuf, Arc<[PathBuf]>>>,
    /// OpenTofu runs the modules unless something says otherwise.
    pub(super) is_of_tofu: OnceLock<()>,
    /// The settings that had an effect so far.
    pub(super) used: Mutex<HashSet<Use>>,
}

impl<'a> Configurations<'a> {
    /// The configurations of the files, overridden by `flags`. With `file` only that one counts,
    /// everywhere, and its paths start from the current directory.
    ///
    /// Errors: no current directory, `file` cannot be read.
    pub fn new(system: &'a dyn System, flags: Config, file: Option<&Path>) -> io::Result<Self> {
        let current_dir = system.current_dir()?;
        let (chains, problems, used) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (given, work, modules_below) = (None, AtomicU64::default(), Mutex::default());
        let mut it = Configurations {
            system,
            current_dir,
            flags,
            given,
            chains,
            problems,
            work,
            modules_below,
            is_of_tofu: OnceLock::new(),
            used,
        };
        if let Some(file) = file {
            let bytes = system.read(file).map_err(|error| with_path(&error, file))?;
            let dir = it.current_dir.clone();
            let layers = vec![it.layer(dir, file, bytes)];
            it.given = Some(Chain { layers });
        }
        Ok(it)
    }

    /// The system that the files are read from.
    pub fn system(&self) -> &'a dyn System {
        self.system
    }

    /// A path (relative to the current directory or absolute) as people see it.
    pub fn shown(&self, path: &Path) -> String {
        paths::display(&paths::relative(&self.current_dir, &self.absolute(path)))
    }

    /// The settings of a module's directory, which may be relative to the current one.
    pub fn settings(&self, dir: &Path) -> Settings {
        let dir = self.absolute(dir);
        let by_default = self.is_of_tofu.get().map(|()| OpenTofu::Newest);
        Settings::resolve(&dir, &self.chain(&dir), by_default, &self.flags)
    }

    /// Whether nothing says which of Terraform and OpenTofu runs the modules of the current directory: there is no
    /// configuration and no flag.
    pub fn leaves_product_open(&self) -> bool {
        self.flags.terraform_version.is_none()
            && self.flags.opentofu.is_none()
            && self.chain(&self.current_dir).layers.is_empty()
    }

    /// From now on OpenTofu runs the modules whose configuration does not say otherwise.
    pub fn assume_opentofu(&self) {
        self.is_of_tofu.get_or_init(|| ());
    }

    /// Whether a directory is to be checked as a module.
    pub fn includes(&self, dir: &Path) -> bool {
        let dir = self.absolute(dir);
        self.chain(&dir).includes(&dir)
    }

    /// Whether the nearest `exclude` covers a directory.
    pub fn excludes(&self, dir: &Path) -> bool {
        let dir = self.absolute(dir);
        self.chain(&dir).excludes(&dir)
    }

    /// The schema's path relative to a module's directory.
    pub fn schema_file(&self, dir: &Path) -> String {
        let chain = self.chain(&self.absolute(dir));
        let configs = chain.layers.iter().rev().map(|it| &it.config);
        let configured =
            std::iter::once(&self.flags).chain(configs).find_map(|it| it.schema.file.clone());
        configured.unwrap_or_else(|| SCHEMA_FILE.to_owned())
    }

    /// Whether there is a file with the schema's name for a module.
    pub fn has_schema(&self, dir: &Path) -> bool {
        self.system.kind(&dir.join(self.schema_file(dir))).is_ok()
    }

    /// The errors in the files read so far, by file and place.
    pub fn problems(&self) -> Vec<Finding> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the work of reading and matching is used up, so that nothing more is checked.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.load(Ordering::Relaxed) > MAX_WORK
    }

    /// The directory whose configured schema a file is, searched from the file's own upwards.
    pub fn module_of_schema(&self, file: &Path) -> Option<PathBuf> {
        let file = paths::clean(file);
        let here = Path::new(".");
        let above = file.ancestors().skip(1).map(|it| if it == Path::new("") { here } else { it });
        let is_its_schema = |dir: &&Path| paths::clean(&dir.join(self.schema_file(dir))) == file;
        above.into_iter().find(is_its_schema).map(Path::to_owned)
    }

    /// Every contract in the configurations of these directories (absolute).
    pub fn contracts_of<'d>(&self, dirs: impl Iterator<Item = &'d Path>) -> ContractBlocks {
        let mut contracts = ContractBlocks::default();
        for dir in dirs {
            let chain = self.chain(dir);
            for layer in chain.layers.iter().filter(|it| it.dir == dir) {
                contracts.put_first(&layer.contracts);
            }
        }
        contracts
    }

    /// The configurations that govern a directory, which is absolute.
    pub(super) fn chain(&self, dir: &Path) -> Chain {
        if let Some(given) = &self.given {
            return given.clone();
        }
        let lock = || self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown = Vec::new();
        let mut chain = Chain::default();
        for at in dir.ancestors() {
            if let Some(known) = lock().get(at) {
                chain = known.clone();
                break;
            }
            unknown.push(at);
            if self.system.kind(&at.join(".git")).is_ok() {
                break;
            }
        }
        for at in unknown.into_iter().rev() {
            if self.is_exhausted() {
                break;
            }
            let file = at.join(FILE_NAME);
            let bytes = self.system.read(&file);
            let mut chains = lock();
            // Another thread may have added it meanwhile.
            if let Some(known) = chains.get(at) {
                chain = known.clone();
                continue;
            }
            chain.layers.extend(self.read(at, &file, bytes));
            chains.insert(at.to_owned(), chain.clone());
        }
        chain
    }

    fn read(&self, dir: &Path, file: &Path, bytes: io::Result<Vec<u8>>) -> Option<Arc<Layer>> {
        match bytes {
            Ok(bytes) => Some(self.layer(dir.to_owned(), file, bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            // No access, no directory, or a directory above the root.
            Err(error) if self.is_beyond(file, &error) => None,
            Err(error) => {
                let shown = paths::display(&paths::relative(&self.current_dir, file));
                let mut sources = Sources::default();
                let problem = unreadable(&error, &shown, Role::Declaration, &mut sources, || {
                    let problem = format!("{shown} cannot be read: {error}");
                    Diagnostic::new(&lints::INVALID_CONFIGURATION, problem)
                });
                self.report(&[problem], &sources);
                None
            }
        }
    }

    fn is_beyond(&self, file: &Path, error: &io::Error) -> bool {
        match Refusal::of(error) {
            Some(refusal) => refusal.leaves_unknown() && refusal.link().is_none(),
            None => self.system.kind(file).is_err(),
        }
    }

    fn layer(&self, dir: PathBuf, file: &Path, bytes: Vec<u8>) -> Arc<Layer> {
        let mut sources = Sources::default();
        let shown = self.shown(file);
        let id = sources.add(shown, in_utf8(bytes));
        let meter = Meter::new(Limits::CONFIGURATION);
        let (config, problems) = read_metered(id, &sources.file(id).bytes, &meter);
        self.count(meter.spent());
        self.report(&problems, &sources);
        self.report(&limits::raised(&config, &self.flags), &sources);
        let layer = Layer::new(dir, config, sources, id);
        let missing = layer.contracts.iter().filter_map(|it| it.problem(self.system));
        self.report(&missing.collect::<Vec<_>>(), &layer.sources);
        Arc::new(layer)
    }

    /// Charges the work of reading configurations; too much of it is a problem, reported once.
    pub(super) fn count(&self, work: u64) {
        let before = self.work.fetch_add(work, Ordering::Relaxed);
        if (before..before + work).contains(&MAX_WORK) {
            let summary = "The configuration files exceed the work limit";
            let detail = "Together they contain too much text, too large constants, or too many \
                patterns for the number of files.";
            let problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail);
            self.report(&[problem], &Sources::default());
        }
    }

    fn report(&self, problems: &[Diagnostic], sources: &Sources) {
        let problems = at_most_of_a_kind(problems.to_vec(), sources);
        let found = problems.iter().map(|it| Finding::new(it, "", sources));
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    }

    /// Every file read so far, by its directory.
    pub(super) fn layers(&self) -> BTreeMap<PathBuf, Arc<Layer>> {
        let chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        let layers = chains.values().chain(&self.given).flat_map(|it| it.layers.iter().cloned());
        layers.map(|it| (it.dir.clone(), it)).collect()
    }

    pub(super) fn now(&self) -> SystemTime {
        self.system.now()
    }

    pub(super) fn absolute(&self, path: &Path) -> PathBuf {
        paths::clean(&self.current_dir.join(path))
    }
}

fn with_path(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", paths::display(path)))
}

/// A call's contract comes from the configuration of the directory that contains the call.
impl tree::ContractDirectories for Configurations<'_> {
    fn dir(&self, caller: &Path, source: &str, version: Option<&str>) -> Option<PathBuf> {
        let found = self.settings(caller).contract(source, version)?;
        Some(paths::relative(&self.current_dir, &found))
    }
}
