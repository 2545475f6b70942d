//! HCL native syntax and HCL JSON syntax in one spanned tree.
//!
//! Parsing never fails: it gives what it could read and the diagnostics beside it. Every node has
//! its span in bytes. The tree's shape follows the HCL specification (`hclsyntax/spec.md`).

pub mod analysis;
mod ast;
mod lexer;
mod native;
mod token;

pub use ast::*;
pub use lexer::is_identifier;
pub use native::{parse_body, parse_expression, parse_template, parse_value};
