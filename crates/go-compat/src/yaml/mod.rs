//! YAML 1.1, cut into tokens as the library does that Terraform decodes it with: a descendant of libyaml
//! in Go, which reads some texts as no other reader does.
//!
//! `cursor` goes over characters, `scanner` makes tokens of them. What the tokens mean as values is
//! `tf_eval::functions`' part. `yamldecode` is held against Terraform with random texts.
//!
//! Rust's readers are of YAML 1.2 (other line ends, other escapes), or libyaml in C or translated from it.
//! Of 290 texts with Terraform's answers (`tests/spec/functions/yamldecode.md`) `saphyr` 0.3.4, of YAML 1.2,
//! refuses 21 and takes 32 where Terraform does the opposite, and gives 41 another value; `serde_yaml` 0.9.34,
//! on a translated libyaml, 20, 21 and 38. The translation that is safe Rust, `libyaml-safer` 0.3, panics on
//! texts from the same generator ("unexpected end of input"), and texts come from strangers.

mod cursor;
mod properties;
mod scalars;
mod scanner;

pub use cursor::{BOM, ScalarStyle, Token, is_break};
pub use scanner::Scanner;
