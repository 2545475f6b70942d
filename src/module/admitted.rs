//! Which releases a module's `required_version` lets in.

use super::Module;
use crate::version::{Constraints, Version};

/// Minor releases that are tried, the last one of each major version.
const LAST_MINORS: [(u32, u32); 2] = [(0, 15), (1, 20)];
/// Patch releases of each.
const PATCHES: u32 = 15;
/// The first version with today's syntax.
const FIRST: Version = Version::new(0, 12, 0);

impl Module {
    /// The oldest release that `required_version` lets in; the first one with today's syntax where
    /// it says nothing, the newest known where it lets none in.
    pub fn oldest_admitted(&self) -> Version {
        self.admitted().next().unwrap_or(Version::NEWEST)
    }

    /// The newest release, not newer than the newest known minor one, that `required_version` lets
    /// in.
    pub fn newest_admitted(&self) -> Option<Version> {
        let newest = (Version::NEWEST.major, Version::NEWEST.minor);
        self.admitted().take_while(|it| (it.major, it.minor) <= newest).last()
    }

    /// Whether `required_version` lets a release in.
    pub fn admits(&self, version: Version) -> bool {
        self.constraints().iter().all(|it| it.allow(version))
    }

    /// In their order.
    fn admitted(&self) -> impl Iterator<Item = Version> {
        let constraints = self.constraints();
        let minors =
            LAST_MINORS.iter().flat_map(|(major, last)| (0..=*last).map(|it| (*major, it)));
        // `> 1.3` and `!= 1.3` let the second one in.
        let last = if constraints.iter().any(Constraints::names_patch) { PATCHES } else { 2 };
        let patches = move |(major, minor)| (0..last).map(move |it| Version::new(major, minor, it));
        let releases = minors.flat_map(patches).filter(|it| *it >= FIRST);
        releases.filter(move |it| constraints.iter().all(|all| all.allow(*it)))
    }

    fn constraints(&self) -> Vec<Constraints> {
        self.required_versions.iter().filter_map(|it| Constraints::parse(&it.0)).collect()
    }
}
