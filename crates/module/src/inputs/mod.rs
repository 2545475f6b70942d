//! Values for a module's variables: from files, environment and command line, with their precedence and
//! their places.
//!
//! A request goes in; the values of declared variables and diagnostics come out. Reading is Terraform's
//! second stage: every source is parsed, and its syntax is checked. Collecting is its third: of each
//! declared variable only the winning value is evaluated, so that an error in another one goes unseen,
//! as in Terraform.

mod collect;
pub mod example;
mod given;
mod locate;
mod read;
mod values_file;

pub use collect::{Collected, Input, collect, missing, without_value};
pub use given::{GivenValue, InputSource};
pub use locate::{SourceLocation, locate};
pub use read::{InputArgument, InputRequest, Layer, read};
pub use values_file::{
    SEALED_REASON, SealedCounts, ValuesEntry, ValuesFile, ValuesFormat, is_auto_file, is_json_file,
    is_values_file, read_example, read_file,
};
