//! `terraschema check`: one run over many modules, built on all lower layers.
//!
//! A [`CheckRequest`] and a [`System`] go in; a [`Report`] comes out. [`run()`] takes these steps:
//!
//! 1. `discover` finds the directories with modules, and the values files of each. `changed` and
//!    `shard` leave out those that nobody asked for.
//! 2. `module_run` checks each directory, many at once: the schema (`drift`), the values files
//!    (`inputs`), the called modules (`module_calls`), the policies (`policies`). Comments silence
//!    findings (`suppress`). A failure in one module ends no other.
//! 3. `loose` judges values files next to source files without variables, by the nearest module further
//!    up. For example: `examples/prod/x.tfvars` next to an `outputs.tf`.
//! 4. The findings get their configured levels and are sorted; a baseline takes out the known ones.
//!
//! A run says the same on every machine: the threads' timing changes no order, and budgets count work,
//! not time (`ordered`). So one report can be compared with the next, and shards with a whole run.
//!
//! Few rules live here. Most findings are a verdict's diagnostics; `rules` holds those that need more
//! than a verdict, such as a default that its own rule refuses. [`diagnostics::lints`] has
//! the name and the level of each rule.
//!
//! [`ReadModule`] is one module without a tree: its schema, and the verdict on values, for `validate` and programs.
//! [`check_single`] is the same as a run for one module, for tflint. [`survey()`] looks at a repository that has no
//! configuration yet, for `init`.
//!
//! [`Report`]: report::Report
//! [`System`]: system::System

mod absent;
mod backend_config;
mod baseline;
mod budget;
mod call_graph;
mod callers;
mod changed;
mod discover;
mod documentation;
mod drift;
mod edits;
mod examples;
mod glance;
mod inputs;
mod judged_set;
mod levels;
mod links;
mod mentions;
mod loose;
mod module_calls;
mod module_run;
mod occurrences;
mod named;
mod ordered;
mod parts;
mod policies;
mod policy_set;
mod progress;
mod read_module;
mod readme;
mod readmes;
mod redact;
mod request;
mod rules;
mod run;
mod select;
mod sets;
mod shard;
mod shared;
mod single;
mod subject;
mod suppress;
mod survey;
mod trials;
mod units;
mod unnamed_values;

pub use changed::ChangedFiles;
use diagnostics::Lint;
pub use discover::{Directories, Directory, FileRole, Found, discover, has_tofu_files, is_unit};
pub use policy_set::{DemandedRule, JudgedByPolicy, PolicyReader, PolicySet, WrittenModule};
pub use progress::Progress;
pub use read_module::{Judging, ReadModule, SchemaText, prevents};
pub use readmes::is_readme;
pub use request::{CheckRequest, Remotes};
pub use run::run;
pub use select::Select;
pub use shard::Shard;
pub use single::{Single, SingleReport, check_single, judge_single};
pub use suppress::is_silenced;
pub use survey::{CommittedSchema, Survey, Surveyed, Unreadable, survey};
pub use unnamed_values::FoundInput;

/// Rules whose findings mean that a module could not be read, so that nothing else was checked.
const UNREADABLE: [&Lint; 5] = [
    &diagnostics::lints::BUDGET_EXCEEDED,
    &diagnostics::lints::INVALID_SYNTAX,
    &diagnostics::lints::INVALID_VARIABLE,
    &diagnostics::lints::OUTSIDE_ROOT,
    &diagnostics::lints::UNREADABLE_FILE,
];
