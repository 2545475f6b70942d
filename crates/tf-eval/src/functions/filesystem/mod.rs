//! Paths and files. Files are read through the host's system, relative to its base directory.

mod doublestar;
mod file;
mod fileexists;
mod fileset;
mod glob;
mod location;
mod path;
mod templatefile;

pub(super) use location::read;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    path::ABSPATH,
    path::BASENAME,
    path::DIRNAME,
    file::FILE,
    file::FILEBASE64,
    fileexists::FUNCTION,
    fileset::FUNCTION,
    path::PATHEXPAND,
    templatefile::FUNCTION,
];
