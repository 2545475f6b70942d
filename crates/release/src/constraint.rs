//! Version constraints as `required_version` writes them: `>= 1.3, < 2.0`, `~> 1.5`, `!= 1.6.1`.

use std::cmp::Ordering;

use super::Version;

/// Constraints of one string, joined by commas: a version must meet all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints(Vec<Constraint>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Constraint {
    operator: Operator,
    /// The numbers as written, at least one; a missing one counts as 0.
    segments: Vec<u64>,
    has_prerelease: bool,
}

/// An operator of version constraints; none is written for `Equal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `~>`
    Pessimistic,
}

/// Longer operators come before their prefixes.
const OPERATORS: [(&str, Operator); 7] = [
    (">=", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("~>", Operator::Pessimistic),
    ("!=", Operator::NotEqual),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("=", Operator::Equal),
];

impl Operator {
    /// The operator that a constraint begins with, and the text after it.
    pub fn split(constraint: &str) -> (Operator, &str) {
        let found = OPERATORS.iter().find_map(|it| Some((it.1, constraint.strip_prefix(it.0)?)));
        found.unwrap_or((Operator::Equal, constraint))
    }

    /// Whether a version meets a constraint. `order`: the version compared with the bound; `keeps_fixed`:
    /// whether the version has all written segments of the bound but the last, which only `~>` asks.
    pub fn holds(self, order: Ordering, keeps_fixed: bool) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Pessimistic => order.is_ge() && keeps_fixed,
        }
    }
}

impl Constraints {
    /// Parses constraints; `None` where Terraform says "Invalid version constraint", as for the empty
    /// text.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(Constraint::parse).collect::<Option<_>>().map(Constraints)
    }

    /// What is wrong with constraints of a provider, which Terraform reads by stricter rules as well. The text is
    /// one that [`Constraints::parse`] accepts.
    pub fn problem_for_provider(text: &str) -> Option<&'static str> {
        text.split(',').find_map(|constraint| {
            let (_, rest) = Operator::split(constraint.trim_matches(is_space));
            let version = rest.trim_start_matches(is_space);
            let end = version.find(|it: char| !it.is_ascii_digit() && it != '.');
            let (numbers, suffix) = version.split_at(end.unwrap_or(version.len()));
            let is_dashed = suffix.is_empty() || suffix.starts_with(['-', '+']);
            if !matches!(&rest[..rest.len() - version.len()], "" | " ") {
                Some("Write at most one space after the operator.")
            } else if version.starts_with('v') {
                Some("Write the version of a provider without \"v\" in front.")
            } else if numbers.split('.').count() > 3 {
                Some("The version of a provider has at most three numbers.")
            } else if !is_dashed || suffix.starts_with("-+") || suffix.contains('~') {
                Some(
                    "After its numbers, the version of a provider can have only a prerelease such \
                    as -beta.1 and metadata such as +build.",
                )
            } else {
                None
            }
        })
    }

    /// Whether any of them names a prerelease, which Terraform refuses in `required_version`.
    pub fn has_prerelease(&self) -> bool {
        self.0.iter().any(|it| it.has_prerelease)
    }

    /// Whether any of them names a patch release other than the first of its minor release.
    pub fn names_patch(&self) -> bool {
        self.0.iter().any(|version| version.segments.get(2).is_some_and(|it| *it > 0))
    }

    /// Whether a release meets them all.
    pub fn allow(&self, version: Version) -> bool {
        self.0.iter().all(|it| it.allows(release(version)))
    }

    /// Whether some release meets both. A prerelease counts as the release that it leads to.
    pub fn overlap(&self, other: &Constraints) -> bool {
        let all = || self.0.iter().chain(&other.0);
        // The lowest release that meets all is either the lowest possible one, one that a constraint
        // names, or the next behind it: only there can a refused range end.
        let named = all().map(|it| std::array::from_fn(|at| padded(&it.segments, at)));
        let named = std::iter::once([0; 3]).chain(named);
        let behind = |[major, minor, patch]: Release| [major, minor, patch.saturating_add(1)];
        let mut candidates = named.flat_map(|it| [it, behind(it)]);
        candidates.any(|release| all().all(|it| it.allows(release)))
    }
}

impl Constraints {
    /// The versions that are named, as written.
    pub fn named(&self) -> Vec<Version> {
        let number = |it: &Constraint, at| u32::try_from(padded(&it.segments, at)).ok();
        let version =
            |it: &Constraint| Some(Version::new(number(it, 0)?, number(it, 1)?, number(it, 2)?));
        self.0.iter().filter_map(version).collect()
    }

    /// Versions that represent every set of versions which constraints with these numbers distinguish:
    /// the lowest, the named ones, the ends of their ranges, and the next ones.
    pub fn points(&self) -> Vec<Version> {
        let named = |it: &Constraint| std::array::from_fn(|at| padded(&it.segments, at));
        let end = |constraint: &Constraint| {
            let last = constraint.segments.len().saturating_sub(2);
            let segment = |at: usize| match at.cmp(&last) {
                Ordering::Less => padded(&constraint.segments, at),
                Ordering::Equal => padded(&constraint.segments, at).saturating_add(1),
                Ordering::Greater => 0,
            };
            std::array::from_fn(segment)
        };
        let all = self.0.iter().flat_map(|it| [named(it), end(it)]);
        let behind = |[major, minor, patch]: Release| [major, minor, patch.saturating_add(1)];
        let before = |[major, minor, _]: Release| match minor.checked_sub(1) {
            Some(minor) => [major, minor, 0],
            None => [major.saturating_sub(1), 0, 0],
        };
        let all = std::iter::once([0; 3]).chain(all);
        let all = all.flat_map(|it| [it, behind(it), before(it)]);
        let version = |[major, minor, patch]: Release| {
            let [major, minor, patch] = [major, minor, patch].map(u32::try_from);
            Some(Version::new(major.ok()?, minor.ok()?, patch.ok()?))
        };
        all.filter_map(version).collect()
    }
}

/// Major, minor and patch number.
type Release = [u64; 3];

fn release(version: Version) -> Release {
    [version.major, version.minor, version.patch].map(u64::from)
}

/// A segment; a missing one counts as 0.
fn padded(segments: &[u64], at: usize) -> u64 {
    segments.get(at).copied().unwrap_or(0)
}

impl Constraint {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(is_space);
        let (operator, version) = Operator::split(text);
        let version = version.trim_start_matches(is_space);
        let version = version.strip_prefix('v').unwrap_or(version);
        let end = version.find(|it: char| !it.is_ascii_digit() && it != '.');
        let (numbers, suffix) = version.split_at(end.unwrap_or(version.len()));
        let segments = numbers.split('.').map(number).collect::<Option<Vec<u64>>>()?;
        Some(Constraint { operator, segments, has_prerelease: has_prerelease(suffix)? })
    }

    fn allows(&self, given: Release) -> bool {
        let length = self.segments.len().max(given.len());
        let segments = (0..length).map(|at| padded(&self.segments, at));
        let order = (0..length).map(|at| padded(&given, at)).cmp(segments);
        // A fourth segment never matches.
        let fixed = self.segments.len() - 1;
        let keeps_fixed = || length == given.len() && given[..fixed] == self.segments[..fixed];
        self.operator.holds(order, self.operator == Operator::Pessimistic && keeps_fixed())
    }
}

/// Whether a character matches a regular expression's `\s` in Go.
fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\n' | '\r' | '\x0C')
}

fn number(text: &str) -> Option<u64> {
    text.parse::<i64>().ok().and_then(|it| u64::try_from(it).ok())
}

/// Reads the text behind the numbers: `-beta.1`, `beta`, `+metadata` or nothing.
fn has_prerelease(suffix: &str) -> Option<bool> {
    let (prerelease, metadata) = match suffix.split_once('+') {
        Some((before, after)) => (before, Some(after)),
        None => (suffix, None),
    };
    let identifiers = |it: &str| it.split('.').all(is_identifier);
    let prerelease_is_valid = match prerelease.strip_prefix('-') {
        _ if prerelease.is_empty() => true,
        Some("") => true,
        Some(rest) => identifiers(rest),
        None => identifiers(prerelease),
    };
    let metadata_is_valid = metadata.is_none_or(identifiers);
    (prerelease_is_valid && metadata_is_valid).then_some(!prerelease.is_empty())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '~'))
}
