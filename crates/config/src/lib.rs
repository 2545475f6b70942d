//! `.terraschema.hcl`: which modules, which schema options, which inputs, which levels.
//!
//! A directory goes in; the [`Settings`] that govern it come out. A file governs its directory and
//! everything below; a nearer file overrides a farther one, setting by setting, and the command line
//! overrides them all. Values are constants, without references and calls, so that reading a stranger's
//! file is safe.
//!
//! ```
//! use std::path::Path;
//! use config::{Config, Configurations};
//! use system::MemorySystem;
//!
//! let system = MemorySystem::new()
//!     .file(".terraschema.hcl", "calls = false\n")
//!     .file("net/.terraschema.hcl", "schema {\n  file = \"vars.json\"\n}\n");
//! let configurations = Configurations::new(&system, Config::default(), None).unwrap();
//! let settings = configurations.settings(Path::new("net"));
//! assert!(!settings.calls, "by the farther file");
//! assert_eq!(configurations.schema_file(Path::new("net")), "vars.json", "by the nearer one");
//! ```
//!
//! [`Configurations`] finds and reads each file once (`find`): `read` and a file for each block (`contract`, `docs`,
//! `inputs`, `limits`, `policy_block`) make a [`Config`], with the help of `fields`, which has typed access to
//! arguments and the errors of wrong ones. `Settings::resolve` lays the configs of a chain over one another. Errors do
//! not end the reading; [`Configurations::problems`] returns them.
//!
//! To add a setting, read it in `read.rs` or the file of its block, give it a field in [`Config`] and [`Settings`], and
//! document it in `docs/configuration.md`: a test compares the page with what is read.

mod address;
mod baseline;
mod contract;
mod date;
mod docs;
mod fields;
mod files;
mod find;
mod globs;
mod inputs;
mod levels;
mod limits;
mod names;
mod policy_block;
mod read;
mod settings;
mod supported;
mod unused;

pub use contract::{ContractBlock, ContractBlocks};
pub use date::Date;
pub use files::{Expanded, FilePattern};
pub use find::{Chain, Configurations};
pub use globs::Globs;
pub use limits::parse_size;
pub use names::NamePatterns;
pub use policy_block::{NamedPolicy, PolicySettings};
pub use read::read;
pub use settings::{ExpandedInputs, NamedInputs, Settings};
pub use supported::{SupportedArgument, SupportedContent, supported};

use smol_str::SmolStr;

use diagnostics::{Bump, Level, LintId, Span};
use module::AddressPattern;
use module_docs::{Order, Section};
use projection::schema::{CarriedConditions, Draft};
use release::Release;

/// The file's name.
pub const FILE_NAME: &str = ".terraschema.hcl";
/// The default path of the schema, relative to its module.
pub const SCHEMA_FILE: &str = "schema.json";

/// One configuration file, or the command line; `None` and empty lists mean "not set here".
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub terraform_version: Option<Release>,
    pub opentofu: Option<OpenTofu>,
    /// Judge `module` blocks by the called modules' rules.
    pub calls: Option<bool>,
    /// Look for called modules in the installation of `terraform init`. Only the command line can set
    /// this, since it depends on the machine whether `init` ran.
    pub initialised: bool,
    /// The file of known findings, relative to the configuration file's directory.
    pub baseline: Option<String>,
    pub baseline_span: Span,
    /// Module directories to check; all if not set.
    pub include: Option<Globs>,
    pub exclude: Option<Globs>,
    /// The variables whose values come from elsewhere, such as a pipeline.
    pub given: Option<NamePatterns>,
    pub schema: SchemaSettings,
    pub docs: DocsChoices,
    pub inputs: Vec<InputSet>,
    pub contracts: Vec<ContractBlock>,
    pub levels: Vec<LevelSetting>,
    pub ignores: Vec<Ignore>,
    pub policy: Option<PolicySettings>,
    /// The day that `until` of an `ignore` block is compared with; by default the clock's, in UTC.
    pub today: Option<Date>,
    pub limits: LimitSettings,
}

/// Whether OpenTofu runs the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTofu {
    /// `false`: Terraform runs them.
    No,
    /// `true`: the newest release that the module admits.
    Newest,
    /// `"1.10"`
    Release(Release),
}

/// The `limits` block. A file may lower the limits of the command line or the defaults, never raise
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitSettings {
    /// The limit for the units of work of a run.
    pub max_work: Option<u64>,
    pub max_work_span: Span,
    /// The limit for the bytes of a file.
    pub max_file_size: Option<u64>,
    pub max_file_size_span: Span,
}

/// The `schema` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaSettings {
    /// The schema's path relative to the module's directory.
    pub file: Option<String>,
    pub disallow_additional_properties: Option<bool>,
    pub nullable_all: Option<bool>,
    pub require_all: Option<bool>,
    pub escape_json: Option<bool>,
    pub conditions: Option<CarriedConditions>,
    pub annotations: Option<bool>,
    pub sensitive_defaults: Option<bool>,
    pub draft: Option<Draft>,
    pub inline: Option<bool>,
    pub error_messages: Option<bool>,
    pub descriptions_from_comments: Option<bool>,
    pub ignore_variables: Option<Vec<String>>,
    pub ignore_variables_span: Span,
    pub properties: Option<Vec<(String, String)>>,
}

/// The `docs` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocsChoices {
    /// The path of the file, relative to the module's directory.
    pub file: Option<String>,
    pub begin: Option<String>,
    pub end: Option<String>,
    pub sections: Option<Vec<Section>>,
    pub heading_level: Option<u8>,
    pub lists: Option<bool>,
    /// Files of the module, whose texts are the header and the footer.
    pub header_from: Option<String>,
    pub footer_from: Option<String>,
    pub order: Option<Order>,
}

/// An `input "NAME"` block: values files that are used together, or one such set for each file that a
/// pattern matches.
#[derive(Clone, Debug)]
pub struct InputSet {
    pub name: SmolStr,
    /// The modules that it is for.
    pub modules: ModulePaths,
    /// Paths or globs relative to the configuration file's directory, in Terraform's order.
    pub files: Vec<String>,
    /// Paths or globs of files. Each file is used alone, on top of `files`.
    pub each: Vec<String>,
    /// The variables whose values come from elsewhere, besides those that the directory's files name.
    pub given: Option<NamePatterns>,
    /// Never used alone: judged by itself, but missing variables are ignored.
    pub partial: bool,
    pub span: Span,
}

/// The modules of an `input` block. Paths are relative to the configuration file's directory.
#[derive(Clone, Debug)]
pub enum ModulePaths {
    /// `module`: a directory; `.` is the configuration file's own.
    One(String),
    /// `modules`: directories or patterns of them, and the place of the list.
    Matching(Vec<String>, Span),
}

/// A `rule "ID"` block.
#[derive(Clone, Debug)]
pub struct LevelSetting {
    pub rule: LintId,
    /// `None` turns the rule off.
    pub level: Option<Level>,
    /// Whether the block sets a level.
    pub has_level: bool,
    /// The version that the rule's changes require, for a rule of `compat`.
    pub bump: Option<Bump>,
    /// Applies only to findings about these variables.
    pub variable: Option<NamePatterns>,
    /// The directories where it applies; everywhere if `None`.
    pub paths: Option<Globs>,
    pub span: Span,
}

/// An `ignore "ID"` block: like a suppression comment, for files without comments.
#[derive(Clone, Debug)]
pub struct Ignore {
    pub rule: LintId,
    pub reason: String,
    /// The directories where it applies; everywhere if `None`.
    pub paths: Option<Globs>,
    /// Applies only to findings about these variables.
    pub variable: Option<NamePatterns>,
    /// Applies only to findings about this object or call, its instances and its content.
    pub address: Option<AddressPattern>,
    /// The last day on which it applies, and its place in the file.
    pub until: Option<(Date, Span)>,
    pub span: Span,
}
