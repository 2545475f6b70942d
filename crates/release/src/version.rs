//! Versions as Terraform and OpenTofu number them.

use std::fmt;

/// `1.15.9`, `1.16.0-rc2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    pub stage: Stage,
}

/// The stage of a version before its release, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// `-alpha20260408`
    Alpha(u32),
    /// `-beta1`
    Beta(u32),
    /// `-rc2`
    Candidate(u32),
    Final,
}

impl Version {
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch, stage: Stage::Final }
    }

    /// Reads `1`, `1.11`, `1.11.4` or `1.16.0-rc2`, with an optional leading `v`. A missing number
    /// counts as 0.
    pub fn parse(text: &str) -> Option<Self> {
        let Written { major, minor, patch, stage } = Written::parse(text)?;
        Some(Version { major, minor: minor.unwrap_or(0), patch: patch.unwrap_or(0), stage })
    }

    /// Whether both versions belong to one minor release: `1.11.0` and `1.11.4`.
    pub(super) fn is_beside(self, other: Version) -> bool {
        (self.major, self.minor) == (other.major, other.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        match self.stage {
            Stage::Alpha(number) => write!(f, "-alpha{number}"),
            Stage::Beta(number) => write!(f, "-beta{number}"),
            Stage::Candidate(number) => write!(f, "-rc{number}"),
            Stage::Final => Ok(()),
        }
    }
}

/// A version with only its written numbers: `1`, `1.11`, `1.11.4`, `1.16.0-rc2`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub major: u32,
    pub minor: Option<u32>,
    pub patch: Option<u32>,
    pub stage: Stage,
}

impl Written {
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let (numbers, stage) = match text.split_once('-') {
            Some((numbers, stage)) => (numbers, stage_of(stage)?),
            None => (text, Stage::Final),
        };
        let mut parts = numbers.split('.');
        let major = number(parts.next()?)?;
        let minor = parts.next().map(|it| number(it).ok_or(())).transpose().ok()?;
        let patch = parts.next().map(|it| number(it).ok_or(())).transpose().ok()?;
        parts.next().is_none().then_some(Written { major, minor, patch, stage })
    }
}

fn stage_of(text: &str) -> Option<Stage> {
    let of = |prefix: &str| number(text.strip_prefix(prefix)?.trim_start_matches('.'));
    let found = of("alpha").map(Stage::Alpha).or_else(|| of("beta").map(Stage::Beta));
    found.or_else(|| of("rc").map(Stage::Candidate))
}

/// Reads a number of digits alone; Rust's parser accepts a sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok())?
}
