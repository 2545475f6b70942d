//! A client in the same process, and a file for each method of the protocol.
#![allow(
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "tests prepare files"
)]

mod code_action;
mod completion;
mod definition;
mod did_change;
mod diagnostic;
mod document_symbol;
mod folding_range;
mod formatting;
mod hover;
mod inlay_hint;
mod large;
mod lifecycle;
mod publish_diagnostics;
mod references;
mod rename;
mod semantic_tokens;
mod workspace_folders;
