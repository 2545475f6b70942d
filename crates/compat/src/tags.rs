//! Version tags, and the modules that they are releases of.
//!
//! A tag without a name, such as `v1.2.3`, is a release of all modules. A tag with a name, such as `vpc/v1.2.3`, is
//! one of the modules in directories of that name. `compat` and `compat --history` both decide by this file.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use diagnostics::Bump;
use release::Version;

/// Words before a version that name no module.
const NAMELESS: [&str; 5] = ["release", "releases", "rel", "version", "ver"];

/// The version that a tag names: `v1.2.3`, `1.2.3`, `NAME/v1.2.3`, `NAME-1.2.3`, `NAME@1.2.3`; and the name before
/// it. `release-1.2.3` has no name.
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
    let name = name.strip_suffix(['/', '-', '@', '_'])?;
    if NAMELESS.contains(&name) {
        return Some(("", version));
    }
    // `v1.0.0-0.3.7` comes before 1.0.0; it is not version 0.3.7 of a module `v1.0.0`.
    (!name.is_empty() && version_of_tag(name).is_none()).then_some((name, version))
}

/// The tags of final releases, in order, by the name of the module. Where there are tags without a name, these alone
/// count.
pub fn releases(tags: &[String]) -> BTreeMap<&str, Vec<(Version, &str)>> {
    let mut out: BTreeMap<&str, Vec<(Version, &str)>> = BTreeMap::new();
    for tag in tags {
        if let Some((name, version)) = version_of_tag(tag) {
            out.entry(name).or_default().push((version, tag));
        }
    }
    if out.contains_key("") {
        out.retain(|name, _| name.is_empty());
    }
    for all in out.values_mut() {
        all.sort();
        // `v1.2.3` and `1.2.3` are one version.
        all.dedup_by_key(|it| it.0);
    }
    out
}

/// Whether a version tag may be the newest one once others are found. A newer one of the same name outdoes it, and so
/// does a tag without a name where it has one.
pub fn is_newest(tag: &str, found: &[String]) -> bool {
    let Some((name, version)) = version_of_tag(tag) else { return false };
    let mut others = found.iter().filter_map(|it| version_of_tag(it));
    !others.any(|(other, newer)| {
        other == name && newer >= version || other.is_empty() && !name.is_empty()
    })
}

/// The modules that tags of one name are releases of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owners {
    Everything,
    Directories(Vec<PathBuf>),
}

/// The modules that tags of a name are releases of; `None` if the name is of no module.
///
/// A name that no directory has is that of the repository where it is the only one and the repository's root is a
/// module. `here` is the absolute path of the current directory, which may have the name itself, `all` are the
/// directories below it that hold modules.
#[expect(clippy::needless_pass_by_value, reason = "an iterator over names is cheap to clone")]
pub fn owners<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    here: &Path,
    is_root: bool,
    all: &BTreeSet<PathBuf>,
) -> Option<Owners> {
    if name.is_empty() {
        return Some(Owners::Everything);
    }
    let is_other = |dir: &Path| names.clone().any(|it| it.len() > name.len() && dir.ends_with(it));
    let own = all.iter().filter(|it| it.ends_with(name) && !is_other(it));
    let own: Vec<PathBuf> = own.cloned().collect();
    if !own.is_empty() {
        return Some(Owners::Directories(own));
    }
    let is_only = names.clone().count() == 1;
    let is_repository = is_root && is_only && all.contains(Path::new("."));
    (is_repository || here.ends_with(name)).then_some(Owners::Everything)
}

// Finds the next version.

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
