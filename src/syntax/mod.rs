//! HCL native syntax and HCL JSON syntax in one spanned tree.
//!
//! Parsing never fails: it gives what it could read and the diagnostics beside it. Every node has
//! its span in bytes. The tree's shape follows the HCL specification (`hclsyntax/spec.md`).

pub mod analysis;
mod ast;
mod children;
mod comments;
pub mod config;
pub mod json;
mod lexer;
mod native;
mod number;
mod token;

pub use ast::*;
pub use comments::{Comments, comments};
pub use lexer::is_identifier;
pub use native::{parse_body, parse_expression, parse_template, parse_value};

use crate::diagnostic::{Cause, Diagnostic, rules};

const TOO_DEEP: &str = "Nested too deeply";

/// Whether the error says that a text nests deeper than we read, which Terraform may well read.
pub fn is_too_deep(error: &Diagnostic) -> bool {
    error.cause == Some(Cause::TooDeep)
}

/// Whether the text was not read because there is too much of it, which says nothing about what
/// Terraform would make of it.
pub fn is_too_large(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule == rules::BUDGET_EXCEEDED
}

/// The diagnostic of a text that is not read for its size: no error of its author.
fn too_large(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { rule: (&rules::BUDGET_EXCEEDED).into(), ..diagnostic }
}
