//! The subcommands, one in each file.

pub(super) mod check;
pub(super) mod compat;
mod compat_bases;
pub(super) mod completions;
pub(super) mod docs;
pub(super) mod eval;
pub(super) mod explain;
pub(super) mod generate;
mod history;
mod one_module;
pub(super) mod init;
#[cfg(feature = "lsp")]
pub(super) mod lsp;
pub(super) mod man;
pub(super) mod merge;
pub(super) mod policy;
pub(super) mod skeleton;
pub(super) mod validate;
