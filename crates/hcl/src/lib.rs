//! HCL native syntax and HCL JSON syntax in one spanned tree.
//!
//! Bytes go in; a tree and diagnostics come out. Parsing never fails: it returns everything that it
//! could read, so that one mistake does not hide the rest. Every node has its span in bytes. The tree's
//! shape follows the HCL specification (`hclsyntax/spec.md`).
//!
//! ```
//! use diagnostics::FileId;
//!
//! let (body, problems) = hcl::parse_body(FileId(0), b"size = 1\nname = \nport = 80\n");
//! let last = body.items.last();
//! assert!(matches!(last, Some(hcl::Item::Attribute(it)) if it.name.name == "port"), "a mistake hides no other line");
//! assert_eq!(problems.len(), 1);
//! ```
//!
//! A file in native syntax takes this way: `lexer::scan` makes tokens, with a stack of modes for strings, heredocs
//! and interpolations. `native` is a recursive-descent parser with a file for each construct (`body`, `expression`,
//! `collection`, `template`); it makes the nodes of `ast`. A JSON file takes `json` and becomes a tree of its own,
//! because only its reader knows what is an attribute and what a block. [`config`] hides the difference: a reader
//! gives a [`config::BodySchema`] and gets the same attributes and blocks of either syntax.
//!
//! [`analysis`] answers what an expression refers to. [`formatted`] writes a text as `terraform fmt` does.
//!
//! To add a syntax form, add its node to `ast.rs` and its children to `children.rs` (every walk then visits them),
//! parse it in a file of `native`, and give it a case in `tests/it/syntax`.

pub mod analysis;
mod ast;
mod comments;
pub mod config;
mod encoding;
mod encrypted;
mod format;
pub mod json;
mod lexer;
mod native;
mod number;
mod token;

pub use ast::*;
pub use comments::{Comments, comments, is_code};
pub use encoding::in_utf8;
pub use encrypted::{encrypted_by, named_if_encrypted, of_sops};
pub use format::formatted;
pub use lexer::is_identifier;
pub use native::{parse_body, parse_body_at, parse_expression, parse_template, parse_value};

use diagnostics::{Cause, Diagnostic, lints};

const TOO_DEEP: &str = "Nested too deeply";

/// Whether the error says that a text nests deeper than we read; Terraform may well read it.
pub fn is_too_deep(error: &Diagnostic) -> bool {
    error.cause == Some(Cause::TooDeep)
}

/// Whether the text was not read because it is too large. This says nothing about Terraform's answer.
pub fn is_too_large(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule == lints::BUDGET_EXCEEDED
}

/// Marks the diagnostic of a text that is too large to read; its author made no error.
fn too_large(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { rule: (&lints::BUDGET_EXCEEDED).into(), ..diagnostic }
}
