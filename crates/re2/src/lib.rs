//! RE2, the regular expressions of Go and so of Terraform.
//!
//! A pattern goes in; a matcher, an ECMA-262 pattern or an error comes out. A parser of our own accepts
//! what Go's `regexp/syntax` accepts and refuses the rest in its words. Its tree feeds two consumers: a
//! matcher on `regex-automata`, and the translation of patterns to ECMA-262 for JSON Schema.
//!
//! ```
//! use re2::Regex;
//!
//! assert!(Regex::new("^[a-z]+$").is_ok());
//! let error = Regex::new("a**").err().unwrap();
//! assert_eq!(error.to_string(), "error parsing regexp: invalid nested repetition operator: `**`");
//! ```
//!
//! The crate `regex` is not Go's: of 792 recorded patterns (`tests/data/re2`) its version 1.13.2 accepts 25 of the 292
//! that Go refuses, such as `a**`, and refuses 96 of the 500 that Go accepts, such as `^[\w-.]+$`. Of 4,178 texts it finds
//! other matches in 63.
//!
//! A pattern takes this way: `parser` makes the tree of `ast`, with `class`, `escape` and `flags` for their parts.
//! `limits` refuses what Go refuses for its size. `compile` makes the automaton; [`ecma`] writes the same tree for another
//! engine, or says why it cannot. [`Language`] and [`Walker`] answer questions about the strings that match.
//!
//! To change what a dialect accepts, change `parser` and record Go's answer in `tests/data/re2`.

mod ast;
mod class;
pub mod ecma;
mod dialect;
mod error;
mod language;
mod limits;
mod linear;
mod outline;
mod parser;
mod regex;
mod sets;
mod walker;
mod widths;

pub use dialect::Dialect;
pub use error::{Error, ErrorKind};
pub use language::{Language, LanguagePart, Numerals};
pub use linear::{Backtracking, backtracking};
pub use outline::Outline;
pub use regex::{Groups, Regex, cached, outline};
pub use walker::{Letter, MatchState, Walker, alphabet, readable};
pub use widths::Widths;
