//! The front door for Rust programs: a module's contract, its schema, and the verdict on values.
//!
//! A directory goes in; a schema, findings and verdicts come out:
//!
//! ```
//! # std::env::set_current_dir("../..").unwrap();
//! use terraschema_api::{Contract, SchemaOptions, Verdict};
//!
//! let contract = Contract::load("examples/web-service").expect("a directory that can be read");
//!
//! // What `terraschema generate` writes into schema.json.
//! let schema = contract.schema(&SchemaOptions::default()).expect("variables that can be read");
//! assert_eq!(schema.text, std::fs::read_to_string("examples/web-service/schema.json").unwrap());
//!
//! // What `terraform plan` says of values: a `-var-file`, a `-var`, or a text that is in memory.
//! let inputs = contract.inputs().file("environments/prod.tfvars");
//! let report = contract.judge(&inputs);
//! assert_eq!(report.verdict(), Some(Verdict::Accept), "{:?}", report.findings);
//!
//! let inputs = inputs.text("form.tfvars.json", r#"{"replicas": 1}"#);
//! let report = contract.judge(&inputs);
//! assert_eq!(report.verdict(), Some(Verdict::Reject));
//! let finding = &report.findings[0];
//! assert_eq!(finding.variable.as_deref(), Some("replicas"));
//! assert!(finding.message.contains("Production needs at least two replicas."));
//! ```
//!
//! A verdict is [`Verdict::Undecided`] where only a plan can decide; the findings say why. [`render`] writes a report in
//! every format of the command.
//!
//! A contract is [`Send`] and [`Sync`], and judges any number of times. [`check()`] judges every module and values file
//! of a tree, and [`compat()`] compares two contracts.
//!
//! Files are read through a [`System`]. [`MemorySystem`] holds files that a program has itself, which is all there is in
//! WebAssembly. Files outside of the module's directory are read, too: to judge a module that you do not trust, put it
//! behind `ConfinedSystem`.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use ::check::SchemaText as Schema;
pub use diagnostics::{Finding, Level, Location, Role, Verdict};
pub use module::inputs::InputRequest as Inputs;
pub use projection::schema::SchemaOptions;
pub use release::{Product, Release, Wanted};
pub use report::{Format, Page, Report, Style, render};
#[cfg(not(target_family = "wasm"))]
pub use system::{ConfinedSystem, OsSystem, Walls};
pub use system::{MemorySystem, System};
pub use tf_eval::Limits;

use ::check::{CheckRequest, Judging, ReadModule};
use ::compat::Revision;
use config::{Config, Configurations};
use system::paths;

/// A module that is read once and judged any number of times.
pub struct Contract {
    system: Arc<dyn System>,
    dir: PathBuf,
    module: ReadModule,
}

impl Contract {
    /// Reads the module in a directory of this machine, for the newest Terraform that it admits. Errors: the directory
    /// cannot be read. [`Contract::findings`] has the errors in the module.
    #[cfg(not(target_family = "wasm"))]
    pub fn load(dir: impl AsRef<Path>) -> io::Result<Contract> {
        let wanted = Wanted::Newest(Product::Terraform);
        Contract::read(Arc::new(OsSystem), dir, wanted, Limits::default())
    }

    /// Like [`Contract::load`], with files from anywhere, for another release, or with other limits. Each task on the
    /// contract (reading, a schema, a verdict) has the limits of one module.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use terraschema_api::{Contract, Limits, MemorySystem, Product, Verdict, Wanted};
    ///
    /// let system = MemorySystem::new().file("/m/main.tf", "variable \"size\" {\n  type = number\n}\n");
    /// let newest = Wanted::Newest(Product::OpenTofu);
    /// let contract = Contract::read(Arc::new(system), "/m", newest, Limits::default()).unwrap();
    /// let report = contract.judge(&contract.inputs().value("size", "\"large\""));
    /// assert_eq!(report.verdict(), Some(Verdict::Reject));
    /// ```
    pub fn read(
        system: Arc<dyn System>,
        dir: impl AsRef<Path>,
        wanted: Wanted,
        limits: Limits,
    ) -> io::Result<Contract> {
        let dir = dir.as_ref();
        let module = ReadModule::read(&*system, dir, wanted, limits, None)?;
        Ok(Contract { system, dir: dir.to_owned(), module })
    }

    /// The release that judges.
    pub fn release(&self) -> Release {
        self.module.release()
    }

    /// The errors of the module that no inputs change.
    pub fn findings(&self) -> Vec<Finding> {
        self.module.findings()
    }

    /// The module's JSON Schema. Errors: why there is none: unreadable files, an erroneous `variable` block, or more
    /// work than the limits allow.
    pub fn schema(&self, options: &SchemaOptions) -> Result<Schema, Vec<Finding>> {
        self.module.schema(options)
    }

    /// Inputs without values. They read neither the environment nor `terraform.tfvars`, unless you set the fields that
    /// say so.
    pub fn inputs(&self) -> Inputs {
        Inputs { dir: self.dir.clone(), ..Inputs::default() }
    }

    /// The verdict of `terraform plan` on the inputs: a report with a verdict, findings with their places, and a list
    /// of what was not judged.
    pub fn judge(&self, inputs: &Inputs) -> Report {
        self.module.judge(&*self.system, inputs, Judging::default())
    }

    /// Like [`Contract::judge`]. After a rejection the report also has what Terraform would report once the first errors
    /// are repaired; these findings are marked as later ones.
    pub fn judge_all(&self, inputs: &Inputs) -> Report {
        self.module.judge(&*self.system, inputs, Judging { goes_on: true, ..Judging::default() })
    }
}

/// The report of `terraschema check` over files and directories; the current directory if there are none. Nothing is
/// written. Errors: a target that cannot be read.
///
/// ```
/// use terraschema_api::{MemorySystem, check};
///
/// let system = MemorySystem::new()
///     .file("/m/main.tf", "variable \"size\" {\n  type = number\n}\n")
///     .file("/m/prod.auto.tfvars", "size = \"large\"\n")
///     .working_in("/m");
/// let report = check(&system, &[]).unwrap();
/// assert!(report.findings.iter().any(|it| it.rule.as_str() == "type-mismatch"));
/// ```
pub fn check(system: &dyn System, targets: &[PathBuf]) -> io::Result<Report> {
    let request = CheckRequest {
        targets: targets.to_owned(),
        policies: check_policy::reader(),
        ..CheckRequest::default()
    };
    ::check::run(&request, system)
}

/// The report of `terraschema compat` on two states of a module: which changes break the module's callers. Errors: a
/// state cannot be read.
///
/// ```
/// use std::sync::Arc;
/// use terraschema_api::{Contract, Limits, MemorySystem, Product, Wanted, compat};
///
/// let state = |text: &str| {
///     let system = Arc::new(MemorySystem::new().file("/m/main.tf", text).working_in("/"));
///     let newest = Wanted::Newest(Product::Terraform);
///     Contract::read(system, "/m", newest, Limits::default()).unwrap()
/// };
/// let old = state("variable \"name\" {\n  type = string\n}\n");
/// let new = state("variable \"name\" {\n  type = string\n}\nvariable \"zone\" {\n  type = string\n}\n");
/// let report = compat(&old, &new).unwrap();
/// assert_eq!(report.findings[0].rule.as_str(), "required-variable-added");
/// ```
pub fn compat(old: &Contract, new: &Contract) -> io::Result<Report> {
    let mut request = ::compat::CompatRequest::new(revision("old", old), revision("new", new));
    request.paths = vec![PathBuf::from(".")];
    let configurations = Configurations::new(&*new.system, Config::default(), None)?;
    ::compat::run(&request, &configurations)
}

fn revision<'a>(name: &str, state: &'a Contract) -> Revision<'a> {
    Revision {
        system: &*state.system,
        root: state.dir.clone(),
        shown: format!("{name}: {}", paths::display(&state.dir)),
        prefix: format!("{name}:"),
        described: None,
    }
}
