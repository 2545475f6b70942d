//! Releases of Terraform and OpenTofu, their differences, and version constraints.
//!
//! The text of a version or of a `required_version` goes in; a [`Release`] or [`Constraints`] come out, and
//! answers: whether a release meets constraints ([`Release::meets`]), and whether it has a change
//! ([`Release::has`]).
//!
//! A [`Release`] says whose verdict is wanted. All differences between releases are in one table, [`changes`]:
//! other code asks `release.has(&changes::KLEENE_LOGIC)` and never compares versions, so that each difference
//! is proved in one place.

mod change;
pub mod changes;
mod constraint;
mod known;
mod version;

use std::fmt;

pub use change::{ChangeKind, LanguageChange, function};
pub use constraint::{Constraints, Operator};
pub use known::Unknown;
pub use version::{Stage, Version};

/// The program that runs a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Product {
    #[default]
    Terraform,
    OpenTofu,
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Product::Terraform => "Terraform",
            Product::OpenTofu => "OpenTofu",
        })
    }
}

/// A release whose verdict is wanted. Its behaviour is that of the recorded release that represents it. For example,
/// `1.9.2` is judged as 1.9.8 was recorded, and still meets `required_version = "1.9.2"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    product: Product,
    version: Version,
    recorded: Version,
}

impl Release {
    /// The newest final release of Terraform whose behaviour was recorded; the default everywhere.
    pub const NEWEST: Release = known::newest(Product::Terraform);
    /// The release of all recorded answers that name no other.
    pub const V1_11: Release = {
        let version = Version::new(1, 11, 4);
        Release { product: Product::Terraform, version, recorded: version }
    };

    pub fn product(self) -> Product {
        self.product
    }

    /// The version that `required_version` is compared with.
    pub fn version(self) -> Version {
        self.version
    }

    /// The recorded version that represents it.
    pub fn recorded(self) -> Version {
        self.recorded
    }

    /// Whether its answers were recorded from a candidate, and the final release may differ.
    pub fn is_candidate(self) -> bool {
        self.recorded.stage != Stage::Final
    }

    /// Whether the release has a change. A candidate has the changes of its release.
    pub fn has(self, change: &LanguageChange) -> bool {
        let Version { major, minor, .. } = self.recorded;
        let is_without = self.product == Product::Terraform && change.without.contains(&minor);
        let came = |first: Version| (major, minor) >= (first.major, first.minor);
        !is_without && change.first(self.product).is_some_and(came)
    }

    /// Whether the release meets a module's `required_version`. A candidate counts as its release.
    pub fn meets(self, constraints: &Constraints) -> bool {
        self.has(&changes::REQUIRED_VERSION_IGNORED) || constraints.allow(self.version)
    }
}

impl Default for Release {
    fn default() -> Self {
        Release::NEWEST
    }
}

/// The wanted release, before the module is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Release(Release),
    /// The newest final release that the module admits.
    Newest(Product),
}

/// Terraform's newest.
impl Default for Wanted {
    fn default() -> Wanted {
        Wanted::Newest(Product::Terraform)
    }
}

impl Wanted {
    pub fn product(self) -> Product {
        self.first().product
    }

    /// The release to begin with.
    pub fn first(self) -> Release {
        match self {
            Wanted::Release(it) => it,
            Wanted::Newest(product) => product.newest(),
        }
    }
}

/// `Terraform 1.15.9`
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.product, self.version)
    }
}
