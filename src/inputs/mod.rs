//! Values for a module's variables: files, environment, command line; which of them wins, and the
//! place of each.
//!
//! Reading is Terraform's second stage: every source is parsed and its syntax judged. Collecting is
//! its third: of each declared variable only the value that wins is evaluated.

mod collect;
mod discover;
mod given;
mod json_value;
mod locate;
mod read;
mod text;
mod values_file;

pub use collect::{Collected, Input, collect};
pub use discover::{is_auto_file, is_json_file, is_values_file};
pub use given::{Given, Origin};
pub use locate::{SourcePlace, locate};
pub use read::{Argument, Layer, Request, read};
pub use values_file::{Entry, Format, ValuesFile, read_file};
