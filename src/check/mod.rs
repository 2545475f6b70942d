//! The rules, built on all lower layers: one run over many modules.

mod baseline;
mod budget;
mod call_graph;
mod callers;
mod changed;
mod discover;
mod drift;
mod edits;
mod glance;
mod inputs;
mod layout;
mod links;
mod mentions;
mod loose;
mod module_calls;
mod module_run;
mod ordered;
mod ownerless;
mod policies;
mod progress;
mod redact;
mod request;
mod rules;
mod run;
mod shard;
mod single;
mod subject;
mod suppress;
mod survey;

use crate::diagnostic::{self, Rule};
pub use changed::Change;
pub use discover::{Directories, Directory, FileRole, Found, discover};
pub use layout::FoundInput;
pub use progress::Progress;
pub use request::Request;
pub use run::run;
pub use shard::Shard;
pub use single::{Single, check_single};
pub use suppress::is_silenced;
pub use survey::{CommittedSchema, Survey, Surveyed, Unreadable, survey};

/// Rules whose findings mean that a module could not be read, so that nothing else was checked.
const UNREADABLE: [&Rule; 5] = [
    &diagnostic::rules::BUDGET_EXCEEDED,
    &diagnostic::rules::INVALID_SYNTAX,
    &diagnostic::rules::INVALID_VARIABLE,
    &diagnostic::rules::OUTSIDE_ROOT,
    &diagnostic::rules::UNREADABLE_FILE,
];
