//! Finds the next version.

use diagnostics::Bump;
use release::Version;

/// The next version. Before 1.0 a breaking change asks for a minor version. `None` if nothing changed, or if it
/// is not known what changed.
pub fn next_version(last: Version, level: Bump) -> Option<Version> {
    let Version { major, minor, patch, .. } = last;
    Some(match level {
        Bump::CannotTell | Bump::None => return None,
        Bump::Patch => Version::new(major, minor, patch.saturating_add(1)),
        Bump::Major if major > 0 => Version::new(major.saturating_add(1), 0, 0),
        Bump::Minor | Bump::Major => Version::new(major, minor.saturating_add(1), 0),
    })
}

/// The bump that a version number claims over the last one. Before 1.0 a minor version may break.
pub fn claimed(before: Version, after: Version) -> Bump {
    if after.major != before.major || after.major == 0 && after.minor != before.minor {
        Bump::Major
    } else if after.minor != before.minor {
        Bump::Minor
    } else {
        Bump::Patch
    }
}
