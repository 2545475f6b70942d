//! The settings of one directory, from all files and the command line.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use smol_str::SmolStr;

use super::{
    Chain, Config, ContractBlocks, DocsChoices, Expanded, FilePattern, LimitSettings, NamePatterns,
    OpenTofu, SCHEMA_FILE, SchemaSettings,
};
use diagnostics::{SourceFile, Span};
use module::inputs::is_values_file;
use module_docs::DocsSettings;
use projection::schema;
use release::{Product, Release, Wanted};
use system::{MAX_FILE_SIZE, System};
use tf_eval::Limits;

/// The settings of a module.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether the directory is to be checked as a module.
    pub included: bool,
    /// The schema's path relative to the module's directory.
    pub schema_file: String,
    pub schema: schema::SchemaOptions,
    /// Write `<`, `>` and `&` in a schema as `\u003c`, `\u003e` and `\u0026`.
    pub escape_json: bool,
    /// The documentation of the module.
    pub docs: DocsSettings,
    /// Whether a configuration has a `docs` block for it.
    pub has_docs: bool,
    /// The release whose verdict is wanted.
    pub release: Wanted,
    /// Judge `module` blocks by the called modules' rules.
    pub calls: bool,
    /// Look for called modules in the installation of `terraform init`.
    pub initialised: bool,
    /// The directories of the modules behind sources.
    pub contracts: ContractBlocks,
    /// The bounds on work.
    pub limits: Limits,
    /// The limit for the bytes of a file.
    pub max_file_size: u64,
    /// The inputs to judge; if empty, the conventional ones are judged.
    pub inputs: Vec<Arc<NamedInputs>>,
    /// The variables whose values come from elsewhere, such as a pipeline.
    pub given: NamePatterns,
}

/// An `input` block, with the directory that its paths start from.
#[derive(Clone, Debug)]
pub struct NamedInputs {
    pub name: SmolStr,
    /// In Terraform's order.
    pub files: Vec<FilePattern>,
    /// Further files. Each is used alone, on top of the others.
    pub each: Vec<FilePattern>,
    /// The variables whose values come from elsewhere, besides those of [`Settings::given`].
    pub given: NamePatterns,
    /// Never used alone: a missing variable is not a finding.
    pub partial: bool,
    /// The configuration file, as shown, and the block's header in it.
    pub file: Arc<SourceFile>,
    pub span: Span,
    /// The directory (absolute) that its paths start from.
    pub(super) dir: PathBuf,
}

/// The files of an `input` block.
#[derive(Clone, Debug, Default)]
pub struct ExpandedInputs {
    /// In Terraform's order.
    pub files: Vec<PathBuf>,
    /// The values files that `each` matches, sorted, without those among `files`.
    pub each: Vec<PathBuf>,
    /// The entries, as indices of `files` and then of `each`, that match no file.
    pub unmatched: Vec<usize>,
}

impl NamedInputs {
    /// The files, with patterns expanded.
    pub fn expand(&self, system: &dyn System, known: &mut Expanded) -> io::Result<ExpandedInputs> {
        let mut found = ExpandedInputs::default();
        for (place, pattern) in self.files.iter().chain(&self.each).enumerate() {
            let is_each = place >= self.files.len();
            let mut files = pattern.expand(system, known)?;
            if is_each && pattern.is_pattern() {
                files.retain(|it| is_values_file(name_of(it)));
            }
            if files.is_empty() {
                found.unmatched.push(place);
            }
            if is_each { found.each.extend(files) } else { found.files.extend(files) }
        }
        let files: HashSet<&PathBuf> = found.files.iter().collect();
        found.each.retain(|it| !files.contains(it));
        found.each.sort();
        found.each.dedup();
        Ok(found)
    }

    /// Whether an entry of `files` names a file (absolute).
    pub fn uses(&self, file: &Path) -> bool {
        self.files.iter().any(|it| it.names(file))
    }

    /// Everything that it says except for its name: blocks that say the same make the same sets.
    pub fn wording(&self) -> (PathBuf, Vec<String>, Vec<String>, String, bool) {
        let texts = |all: &[FilePattern]| all.iter().map(|it| it.text().to_owned()).collect();
        let given = self.given.to_string();
        (self.dir.clone(), texts(&self.files), texts(&self.each), given, self.partial)
    }

    /// Whether all files, existing or not, are below a directory (absolute).
    pub(super) fn lie_below(&self, dir: &Path) -> bool {
        self.files.iter().chain(&self.each).all(|it| it.root().starts_with(dir))
    }

    /// Whether a file (absolute) is one of them, or would be if it existed.
    pub fn names(&self, file: &Path) -> bool {
        self.uses(file) || self.each.iter().any(|it| it.names(file))
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|it| it.to_str()).unwrap_or_default()
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            included: true,
            schema_file: SCHEMA_FILE.to_owned(),
            schema: schema::SchemaOptions::default(),
            escape_json: false,
            docs: DocsSettings::default(),
            has_docs: false,
            release: Wanted::Newest(Product::Terraform),
            calls: true,
            initialised: false,
            contracts: ContractBlocks::default(),
            limits: Limits::default(),
            max_file_size: MAX_FILE_SIZE,
            inputs: Vec::new(),
            given: NamePatterns::default(),
        }
    }
}

impl Settings {
    /// The configured directory (absolute) of the module behind a call's `source` and `version`. Whether
    /// it contains a module is not checked.
    pub fn contract(&self, source: &str, version: Option<&str>) -> Option<PathBuf> {
        self.contracts.find(source, version)
    }

    /// The settings of a directory (absolute), from the files of a chain and then the command line. `opentofu` is
    /// what counts if none of them says it.
    pub(super) fn resolve(
        dir: &Path,
        chain: &Chain,
        opentofu: Option<OpenTofu>,
        flags: &Config,
    ) -> Settings {
        let mut settings = Settings::default();
        settings.apply_release(None, opentofu);
        settings.limits = flags.limits.max_work.map_or(settings.limits, Limits::of_run);
        set(&mut settings.max_file_size, flags.limits.max_file_size);
        settings.initialised = flags.initialised;
        for layer in &chain.layers {
            settings.contracts.put_first(&layer.contracts);
            let config = &layer.config;
            settings.apply(config);
        }
        let inputs = chain.layers.iter().rev().flat_map(|it| it.inputs.iter().rev());
        // A nearer block replaces the farther one with the same name.
        let mut names = HashSet::new();
        let nearest = inputs.filter(|it| it.is_for(dir) && names.insert(&it.named.name));
        settings.inputs = nearest.map(|it| Arc::clone(&it.named)).collect();
        settings.inputs.reverse();
        settings.apply(flags);
        settings.included = chain.includes(dir);
        settings
    }

    fn apply(&mut self, config: &Config) {
        self.apply_release(config.terraform_version, config.opentofu);
        set(&mut self.calls, config.calls);
        set(&mut self.given, config.given.clone());
        let LimitSettings { max_work, max_file_size, .. } = config.limits;
        self.limits = self.limits.at_most(max_work.unwrap_or(u64::MAX));
        self.max_file_size = self.max_file_size.min(max_file_size.unwrap_or(u64::MAX));
        self.apply_schema(&config.schema);
        self.apply_docs(&config.docs);
    }

    fn apply_docs(&mut self, given: &DocsChoices) {
        self.has_docs |= *given != DocsChoices::default();
        set(&mut self.docs.file, given.file.clone());
        set(&mut self.docs.begin, given.begin.clone());
        set(&mut self.docs.end, given.end.clone());
        set(&mut self.docs.sections, given.sections.clone());
        set(&mut self.docs.heading_level, given.heading_level);
        set(&mut self.docs.lists, given.lists);
        set(&mut self.docs.header_from, given.header_from.clone());
        set(&mut self.docs.footer_from, given.footer_from.clone().map(Some));
        set(&mut self.docs.order, given.order);
    }

    fn apply_release(&mut self, terraform: Option<Release>, opentofu: Option<OpenTofu>) {
        self.release = match (terraform, opentofu) {
            (Some(it), _) | (None, Some(OpenTofu::Release(it))) => Wanted::Release(it),
            (None, Some(OpenTofu::Newest)) => Wanted::Newest(Product::OpenTofu),
            (None, Some(OpenTofu::No)) if self.release.product() == Product::OpenTofu => {
                Wanted::Newest(Product::Terraform)
            }
            (None, Some(OpenTofu::No) | None) => self.release,
        };
    }

    fn apply_schema(&mut self, given: &SchemaSettings) {
        let schema = &mut self.schema;
        set(&mut self.schema_file, given.file.clone());
        set(&mut self.escape_json, given.escape_json);
        set(&mut schema.disallow_additional_properties, given.disallow_additional_properties);
        set(&mut schema.nullable_all, given.nullable_all);
        set(&mut schema.require_all, given.require_all);
        set(&mut schema.conditions, given.conditions);
        set(&mut schema.annotations, given.annotations);
        set(&mut schema.sensitive_defaults, given.sensitive_defaults);
        set(&mut schema.draft, given.draft);
        set(&mut schema.inline, given.inline);
        set(&mut schema.error_messages, given.error_messages);
        set(&mut schema.descriptions_from_comments, given.descriptions_from_comments);
        let names = given.ignore_variables.as_ref().map(|it| it.iter().cloned().collect());
        set(&mut schema.ignore_variables, names);
        let properties = given.properties.as_ref().map(|it| it.iter().cloned().collect());
        set(&mut schema.properties, properties);
    }
}

fn set<T>(to: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *to = given;
    }
}
