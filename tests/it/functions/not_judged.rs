//! Functions that no test calls with random values.

/// Those that are no functions of their arguments' values alone, or read files and templates.
pub const NOT_JUDGED: &[&str] = &[
    "abspath",
    "bcrypt",
    "can",
    "convert",
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "pathexpand",
    "plantimestamp",
    "templatefile",
    "templatestring",
    "timestamp",
    "try",
    "uuid",
];
