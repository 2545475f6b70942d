//! Releases of Terraform and OpenTofu, what changed from one to the next, and version constraints.
//!
//! Whose verdict is asked for is a [`Release`]. What a release does differently stands in one table,
//! [`changes`]; everything else asks `release.has(&changes::KLEENE_LOGIC)` and compares no versions.

mod change;
pub mod changes;
mod constraint;
mod known;
mod version;

use std::fmt;

pub use change::{Change, ChangeKind, function};
pub use constraint::Constraints;
pub use known::Unknown;
pub use version::{Stage, Version};

/// Which program runs a module.
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

/// A release whose verdict is asked for. What it does is what the release did that was asked for
/// real: `1.9.2` is judged as 1.9.8 was recorded, and is still what `required_version = "1.9.2"`
/// wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    product: Product,
    version: Version,
    recorded: Version,
}

impl Release {
    /// The newest final release of Terraform that was asked for real; the default everywhere.
    pub const NEWEST: Release = known::newest(Product::Terraform);
    /// The release whose answers the recorded data has wherever it names no other.
    pub const V1_11: Release = {
        let version = Version::new(1, 11, 4);
        Release { product: Product::Terraform, version, recorded: version }
    };

    pub fn product(self) -> Product {
        self.product
    }

    /// As `required_version` compares it.
    pub fn version(self) -> Version {
        self.version
    }

    /// Whose answers stand for it.
    pub fn recorded(self) -> Version {
        self.recorded
    }

    /// Whether it was a candidate whose answers were recorded, and may not be final.
    pub fn is_candidate(self) -> bool {
        self.recorded.stage != Stage::Final
    }

    /// Whether it has what a change brought. A candidate has what comes with its release.
    pub fn has(self, change: &Change) -> bool {
        let Version { major, minor, .. } = self.recorded;
        let is_without = self.product == Product::Terraform && change.without.contains(&minor);
        let came = |first: Version| (major, minor) >= (first.major, first.minor);
        !is_without && change.first(self.product).is_some_and(came)
    }

    /// Whether it runs a module whose `required_version` says so. A candidate counts as what it leads
    /// to.
    pub fn meets(self, constraints: &Constraints) -> bool {
        self.has(&changes::REQUIRED_VERSION_IGNORED) || constraints.allow(self.version)
    }
}

impl Default for Release {
    fn default() -> Self {
        Release::NEWEST
    }
}

/// Whose verdict is asked for, before the module is known.
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
