//! Finds the next version.

use std::collections::BTreeMap;

use crate::{release::Version, report::Bump};

/// The next version. Before 1.0 a breaking change asks for a minor version. `None` if it is not known what
/// changed.
pub fn next_version(last: Version, level: Bump) -> Option<Version> {
    let Version { major, minor, patch, .. } = last;
    Some(match level {
        Bump::CannotTell => return None,
        Bump::None => last,
        Bump::Patch => Version::new(major, minor, patch.saturating_add(1)),
        Bump::Major if major > 0 => Version::new(major.saturating_add(1), 0, 0),
        Bump::Minor | Bump::Major => Version::new(major, minor.saturating_add(1), 0),
    })
}

/// The version that a tag names: `v1.2.3`, `1.2.3`, `NAME/v1.2.3`, `NAME-1.2.3`; and the name before it.
pub fn version_of_tag(tag: &str) -> Option<(&str, Version)> {
    let start = tag
        .char_indices()
        .rev()
        .take_while(|(_, it)| it.is_ascii_digit() || *it == '.')
        .last()
        .map(|it| it.0)?;
    let (before, numbers) = tag.split_at(start);
    let mut parts = numbers.split('.').map(|it| it.parse::<u32>().ok());
    let version = Version::new(parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() {
        return None;
    }
    let name = before.strip_suffix('v').unwrap_or(before);
    if name.is_empty() {
        return Some(("", version));
    }
    let name = name.strip_suffix(['/', '-'])?;
    // `v1.0.0-0.3.7` comes before 1.0.0; it is not version 0.3.7 of a module `v1.0.0`.
    (!name.is_empty() && version_of_tag(name).is_none()).then_some((name, version))
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

/// The tags of final releases, in order, by the name of the module.
pub fn releases(tags: &[String]) -> BTreeMap<&str, Vec<(Version, &str)>> {
    let mut out: BTreeMap<&str, Vec<(Version, &str)>> = BTreeMap::new();
    for tag in tags {
        if let Some((name, version)) = version_of_tag(tag) {
            out.entry(name).or_default().push((version, tag));
        }
    }
    for all in out.values_mut() {
        all.sort();
        // `v1.2.3` and `1.2.3` are one version.
        all.dedup_by_key(|it| it.0);
    }
    out
}
