//! Values for a module's variables: from files, environment and command line, with their precedence and
//! their places.
//!
//! A request goes in; the values of declared variables and diagnostics come out. Reading is Terraform's
//! second stage: every source is parsed, and its syntax is checked. Collecting is its third: of each
//! declared variable only the winning value is evaluated, so that an error in another one goes unseen,
//! as in Terraform.

mod collect;
mod discover;
pub mod example;
mod given;
mod json_value;
mod locate;
mod read;
pub mod sealed;
mod text;
mod values_file;

pub use collect::{Collected, Input, collect, missing, without_value};
pub use discover::{is_auto_file, is_json_file, is_values_file};
pub use given::{GivenValue, InputSource};
pub use locate::{SourcePlace, locate};
pub use read::{InputArgument, InputRequest, Layer, read};
pub use values_file::{ValuesEntry, ValuesFile, ValuesFormat, read_example, read_file};
