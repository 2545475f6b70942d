//! Terraform versions and version constraints (`required_version`).

mod constraint;

pub use constraint::Constraints;

use std::fmt;

/// A Terraform version: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    /// The newest Terraform version whose language this crate knows; the default everywhere.
    pub const NEWEST: Version = Version::new(1, 15, 0);
    /// The version whose behaviour the recorded data shows.
    pub const V1_11: Version = Version::new(1, 11, 4);

    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch }
    }

    /// Reads `1`, `1.11` or `1.11.4`, with an optional leading `v`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().trim_start_matches('v').split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next().map_or(Some(0), |it| it.parse().ok())?;
        let patch = parts.next().map_or(Some(0), |it| it.parse().ok())?;
        parts.next().is_none().then_some(Version { major, minor, patch })
    }

    /// From 1.9 on a rule may refer to other objects than its own variable.
    pub fn has_cross_references(self) -> bool {
        self >= Version::new(1, 9, 0)
    }

    /// From 1.15 on `variable` blocks take `deprecated` and `const`, `output` blocks `deprecated`.
    pub fn has_deprecation(self) -> bool {
        self >= Version::new(1, 15, 0)
    }

    /// From 1.12 on `&&` and `||` are Kleene logic: a controlling operand hides the other's error.
    pub fn has_kleene_logic(self) -> bool {
        self >= Version::new(1, 12, 0)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
