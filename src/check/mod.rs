//! The rules, over everything below.

mod discover;

pub use discover::{Directories, Directory, FileRole, discover};
