//! RE2, the regular expressions of Go and so of Terraform.
//!
//! A pattern goes in; a matcher, an ECMA-262 pattern or an error comes out. A parser of our own accepts
//! what Go's `regexp/syntax` accepts and refuses the rest in its words. Its tree feeds two consumers: a
//! matcher on `regex-automata`, and the translation of patterns to ECMA-262 for JSON Schema.

mod ast;
mod cache;
mod class;
mod compile;
pub mod ecma;
mod dialect;
mod effort;
mod error;
mod escape;
mod expand;
mod flags;
mod language;
mod limits;
mod linear;
mod names;
mod outline;
mod parser;
mod regex;
mod sets;
mod walker;
mod widths;

pub use cache::{cached, outline};
pub use dialect::Dialect;
pub use error::{Error, ErrorKind};
pub use language::{Language, LanguagePart, Numerals};
pub use linear::{Backtracking, backtracking};
pub use outline::Outline;
pub use regex::{Groups, Regex};
pub use walker::{Letter, MatchState, Walker, alphabet, readable};
pub use widths::Widths;
