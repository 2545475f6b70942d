//! A Terraform module as its users see it: variables, locals, outputs, calls, required versions.
//!
//! Loading is Terraform's first stage. A directory and [`LoadOptions`] with a release go in; a [`Module`] and diagnostics come
//! out. The caller decides which errors matter: a verdict counts them all, while a schema only needs
//! readable `variable` blocks.
//!
//! ```
//! use std::path::Path;
//! use system::MemorySystem;
//!
//! let system = MemorySystem::new()
//!     .file("net/main.tf", "variable \"cidr\" {\n  type = string\n}\n")
//!     .file("net/main_override.tf", "variable \"cidr\" {\n  default = \"10.0.0.0/16\"\n}\n");
//! let options = module::LoadOptions::default();
//! let (module, problems) = module::load(&system, Path::new("net"), &options).unwrap();
//! assert!(problems.is_empty());
//! assert!(module.variables["cidr"].default.is_some(), "the override's");
//! ```
//!
//! These steps follow `net`: `files` lists its files and says which are overrides. `file::read` reads the blocks of
//! each with a `BlockReader`: `variable::read` the variable, with `rule` for its `validation` blocks, and
//! `blocks` what else Terraform has. `merge::add` puts the files together and reports names that are declared twice;
//! `overrides::merge` replaces argument by argument. `secrets` then marks what no output may show.
//!
//! [`inputs`] reads the values for the variables: `read` the sources (files, `-var`, `TF_VAR_*`), `collect` the
//! value that wins. [`Known`] and [`View`] are the module's names as the evaluator sees them.
//!
//! To add an argument of a block, name it in the block's `BodySchema`, keep it in `model` or `object`, and merge it in
//! `overrides`. To add a block, give it a file in `blocks` and a line in `file::read`.

pub mod inputs;
mod address;
mod address_pattern;
mod admitted;
mod backends;
mod blocks;
mod body;
mod check;
mod constant;
mod depends_on;
pub mod features;
mod file;
mod files;
mod load;
mod merge;
mod model;
mod names;
mod null_attributes;
mod object;
mod output;
mod overrides;
mod reader;
mod rule;
mod secret_texts;
mod secrets;
mod terragrunt;
pub mod source_address;
mod values;
mod variable;
mod workspace;
mod written;

pub use address::{Address, AddressForm, AddressKind, is_resource_address};
pub use address_pattern::{AddressPattern, matches_glob};
pub use admitted::{admits, newest_admitted};
pub use backends::backend_arguments;
pub use body::{BlockContent, BodyArgument, BodyBlock, Dynamic, WrittenBlock, WrittenBody};
pub use constant::evaluate_constant;
pub use files::{LOCK_FILE, ModuleFiles, is_module_file, is_override_file};
pub use load::{LoadOptions, is_candidate, load, load_metered, load_wanted};
pub use model::{
    ByName, Check, Declared, Local, Module, Output, RequiredProvider, RequiredVersion, Validation,
    Variable, provider_address,
};
pub use names::{can_name_variable, is_backend, is_provider_part};
pub use object::{
    BackendValue, Connection, Import, Mode, ModuleCall, Move, ProviderConfiguration,
    ProviderReference, Provisioner, Removal, Repetition, Resource,
};
pub use rule::{RuleWords, WordsOf};
pub use secret_texts::{Secrets, reveals};
pub use terragrunt::{Completed, completed_by, is_terragrunt_file};
pub use values::{Known, Values, View};
pub use workspace::selected_workspace;
