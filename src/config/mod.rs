//! `.terraschema.hcl`: which modules, which schema options, which inputs, which levels.
//!
//! A file governs its directory and what is below; a nearer file overrides a farther one, setting
//! by setting, and the command line overrides them all. Values are constants: no references, no
//! calls.

mod address;
mod baseline;
mod contract;
mod date;
mod fields;
mod files;
mod find;
mod globs;
mod levels;
mod limits;
mod policy;
mod read;
mod settings;
mod unused;

pub use contract::{Contract, Contracts};
pub use date::Date;
pub use files::FilePattern;
pub use find::{Chain, Configurations};
pub use globs::Globs;
pub use limits::parse_size;
pub use policy::{NamedPolicy, PolicySettings};
pub use read::read;
pub use settings::{NamedInputs, Settings};

use smol_str::SmolStr;

use crate::{
    diagnostic::{Level, RuleId, Span},
    policy::Pattern,
    release::Release,
    schema::{Conditions, Draft},
};

/// The file's name.
pub const FILE_NAME: &str = ".terraschema.hcl";
/// The schema's path relative to its module, where nothing else is said.
pub const SCHEMA_FILE: &str = "schema.json";

/// One configuration file, or the command line; `None` and empty lists are "not said here".
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub terraform_version: Option<Release>,
    pub opentofu: Option<OpenTofu>,
    /// Judge `module` blocks by the called modules' rules.
    pub calls: Option<bool>,
    /// Look for called modules in what `terraform init` installed: whether it ran depends on the
    /// machine, so that only the command line says it.
    pub initialised: bool,
    /// The file with the findings that are known, relative to the configuration file's directory.
    pub baseline: Option<String>,
    pub baseline_span: Span,
    /// Module directories to check; not said is all.
    pub include: Option<Globs>,
    pub exclude: Option<Globs>,
    pub schema: SchemaSettings,
    pub inputs: Vec<InputSet>,
    pub contracts: Vec<Contract>,
    pub levels: Vec<LevelSetting>,
    pub ignores: Vec<Ignore>,
    pub policy: Option<PolicySettings>,
    /// The day that `until` of an `ignore` block is compared with; the clock's, in UTC, where the command
    /// line says none.
    pub today: Option<Date>,
    pub limits: LimitSettings,
}

/// Whether OpenTofu runs the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTofu {
    /// `false`: Terraform does.
    No,
    /// `true`: the newest release that the module admits.
    Newest,
    /// `"1.10"`
    Release(Release),
}

/// The `limits` block. A file may lower what the command line or the default says, never raise it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitSettings {
    /// Units of work of a run.
    pub max_work: Option<u64>,
    pub max_work_span: Span,
    /// Bytes of a file that is read.
    pub max_file_size: Option<u64>,
    pub max_file_size_span: Span,
}

/// The `schema` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaSettings {
    /// The schema's path relative to the module's directory.
    pub file: Option<String>,
    pub disallow_additional_properties: Option<bool>,
    pub nullable_all: Option<bool>,
    pub require_all: Option<bool>,
    pub escape_json: Option<bool>,
    pub conditions: Option<Conditions>,
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

/// An `input "NAME"` block: values files that are used together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InputSet {
    pub name: SmolStr,
    /// The module's directory, relative to the configuration file's; `.` is the file's own.
    pub module: String,
    /// Paths or globs relative to the configuration file's directory, in Terraform's order.
    pub files: Vec<String>,
    /// Never used alone: judged for itself, but missing variables do not count.
    pub partial: bool,
    pub span: Span,
}

/// A `rule "ID"` block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LevelSetting {
    pub rule: RuleId,
    /// `None` turns the rule off.
    pub level: Option<Level>,
    /// Where; `None` is everywhere.
    pub paths: Option<Globs>,
    pub span: Span,
}

/// An `ignore "ID"` block: what a comment does in HCL, for files that have no comments.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ignore {
    pub rule: RuleId,
    pub reason: String,
    /// Where; `None` is everywhere.
    pub paths: Option<Globs>,
    /// Only findings about this variable.
    pub variable: Option<SmolStr>,
    /// Only findings about this object or call, its instances and what is in it.
    pub address: Option<Pattern>,
    /// The last day on which it counts, and where that is written.
    pub until: Option<(Date, Span)>,
    pub span: Span,
}
