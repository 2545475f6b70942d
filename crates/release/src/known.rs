//! The releases whose behaviour was recorded, and the one that represents a version.

use std::fmt;

use super::{Product, Release, Stage, Version, version::Written};

/// The newest patch of each minor release that was recorded; the oldest first.
const TERRAFORM: [Version; 12] = [
    Version::new(1, 5, 7),
    Version::new(1, 6, 6),
    Version::new(1, 7, 5),
    Version::new(1, 8, 5),
    Version::new(1, 9, 8),
    Version::new(1, 10, 5),
    Version::new(1, 11, 4),
    Version::new(1, 12, 2),
    Version::new(1, 13, 5),
    Version::new(1, 14, 9),
    Version::new(1, 15, 9),
    Version { stage: Stage::Candidate(2), ..Version::new(1, 16, 0) },
];

const OPENTOFU: [Version; 7] = [
    Version::new(1, 6, 3),
    Version::new(1, 7, 10),
    Version::new(1, 8, 11),
    Version::new(1, 9, 4),
    Version::new(1, 10, 10),
    Version::new(1, 11, 14),
    Version::new(1, 12, 6),
];

/// Why a text names no release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The text is not a version.
    Malformed,
    /// The major version has no recorded release, so its behaviour is unknown.
    Major(Product, u32),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Malformed => {
                f.write_str("it is not a version such as 1.11, 1.11.4 or 1.16.0-rc2")
            }
            Unknown::Major(product, major) => {
                let (first, last) = (recorded(*product)[0], newest(*product).recorded);
                write!(
                    f,
                    "unknown release {major}.x of {product}; known are {}.{} to {}.{}",
                    first.major, first.minor, last.major, last.minor
                )
            }
        }
    }
}

impl std::error::Error for Unknown {}

/// The newest final release.
pub(super) const fn newest(product: Product) -> Release {
    let all = recorded(product);
    let mut last = all.len() - 1;
    while !matches!(all[last].stage, Stage::Final) {
        last -= 1;
    }
    Release { product, version: all[last], recorded: all[last] }
}

const fn recorded(product: Product) -> &'static [Version] {
    match product {
        Product::Terraform => &TERRAFORM,
        Product::OpenTofu => &OPENTOFU,
    }
}

impl Product {
    /// Its newest final release.
    pub fn newest(self) -> Release {
        newest(self)
    }

    /// The releases whose behaviour was recorded, the oldest first, with candidates.
    pub fn releases(self) -> impl DoubleEndedIterator<Item = Release> {
        let release = move |it: &Version| Release { product: self, version: *it, recorded: *it };
        recorded(self).iter().map(release)
    }
}

impl Release {
    /// The release for a version. The newest recorded one of its minor release represents it. A minor release newer
    /// than all recorded ones is represented by the newest final one, an older one by the oldest.
    pub fn of(product: Product, version: Version) -> Release {
        let mut beside = recorded(product).iter().filter(|it| it.is_beside(version));
        let oldest = recorded(product)[0];
        let recorded = match beside.next_back() {
            Some(it) => *it,
            None if version < oldest => oldest,
            None => newest(product).recorded,
        };
        Release { product, version, recorded }
    }

    /// Reads `1.11` (its newest known patch), `1.11.4`, `1.16.0-rc2`.
    ///
    /// # Errors
    /// The text is not a version, or its major version is unknown.
    pub fn parse(product: Product, text: &str) -> Result<Release, Unknown> {
        let Written { major, minor, patch, stage } =
            Written::parse(text).ok_or(Unknown::Malformed)?;
        let first = recorded(product)[0];
        if major > first.major {
            return Err(Unknown::Major(product, major));
        }
        let Some(minor) = minor.filter(|_| major == first.major) else {
            // `0.13` is older than all; `1` means the newest release.
            let version =
                Version { stage, ..Version::new(major, minor.unwrap_or(0), patch.unwrap_or(0)) };
            let release =
                if major == first.major { newest(product) } else { Release::of(product, version) };
            return Ok(release);
        };
        let version = Version { stage, ..Version::new(major, minor, patch.unwrap_or(0)) };
        let release = Release::of(product, version);
        let is_known = release.recorded.is_beside(version);
        let version = if patch.is_none() && is_known { release.recorded } else { version };
        Ok(Release { version, ..release })
    }

    /// The remark for the user if another release represents this one, or if it is a candidate.
    pub fn remark(self) -> Option<String> {
        let Release { product, version, recorded } = self;
        if recorded.is_beside(version) {
            let is_candidate = recorded.stage != Stage::Final;
            is_candidate.then(|| {
                format!("{product} {recorded} is a release candidate, not a final release")
            })
        } else {
            let which = if version > recorded { "newest" } else { "oldest" };
            Some(format!(
                "{product} {version} is not known; it is judged as {recorded}, the {which} \
                known release"
            ))
        }
    }
}
