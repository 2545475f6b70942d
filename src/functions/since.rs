//! The versions that brought functions.

use super::Function;
use crate::version::Version;

/// First versions of Terraform and of OpenTofu. `None`: not at all, or not known.
pub type Since = (Option<Version>, Option<Version>);

pub const fn since(major: u32, minor: u32) -> Since {
    both((major, minor), (major, minor))
}

pub const fn both(terraform: (u32, u32), opentofu: (u32, u32)) -> Since {
    let opentofu = Version::new(opentofu.0, opentofu.1, 0);
    (Some(Version::new(terraform.0, terraform.1, 0)), Some(opentofu))
}

/// The last version that brought one to Terraform.
const LAST: Version = Version::new(1, 10, 0);

/// Functions that came after 0.12, sorted by name.
const FUNCTIONS: &[(&str, Since)] = &[
    ("alltrue", since(0, 14)),
    ("anytrue", since(0, 14)),
    ("base64gunzip", (None, Some(Version::new(1, 7, 0)))),
    ("cidrcontains", (None, Some(Version::new(1, 7, 0)))),
    ("endswith", since(1, 3)),
    ("ephemeralasnull", both((1, 10), (1, 11))),
    ("issensitive", both((1, 8), (1, 7))),
    ("nonsensitive", since(0, 15)),
    ("one", since(0, 15)),
    ("plantimestamp", since(1, 5)),
    ("sensitive", since(0, 15)),
    ("startswith", since(1, 3)),
    ("strcontains", since(1, 5)),
    ("sum", since(0, 13)),
    ("templatestring", both((1, 9), (1, 7))),
    ("textdecodebase64", since(0, 14)),
    ("textencodebase64", since(0, 14)),
    ("timecmp", since(1, 3)),
    ("urldecode", (None, Some(Version::new(1, 7, 0)))),
];

/// The first versions that have a function; `None` where every version has it.
pub fn first_versions(name: &str) -> Option<Since> {
    let index = FUNCTIONS.binary_search_by(|it| it.0.cmp(name)).ok()?;
    FUNCTIONS.get(index).map(|it| it.1)
}

impl Function {
    /// The version of Terraform that brought it, if that is later than `version`.
    pub fn came_after(&self, version: Version) -> Option<Version> {
        let is_complete = version >= LAST;
        if is_complete { None } else { first_versions(self.name)?.0.filter(|it| *it > version) }
    }
}
