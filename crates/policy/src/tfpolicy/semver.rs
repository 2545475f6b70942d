//! Versions of providers and modules, and constraints on them: what `core::semverconstraint` and
//! `core::semvercmp` compare.

use std::cmp::Ordering;

use release::Operator;

/// `5.1.0`, `2.0.0-beta.1+build`: the build is not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    segments: Vec<u64>,
    /// The parts of the pre-release, after the hyphen.
    stage: Vec<String>,
}

impl Version {
    /// Reads a version; missing segments are 0.
    pub fn parse(text: &str) -> Option<Version> {
        Written::parse(text).map(|it| it.version)
    }

    pub fn order(&self, other: &Version) -> Ordering {
        self.segments.cmp(&other.segments).then_with(|| {
            match (self.stage.is_empty(), other.stage.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => stages(&self.stage, &other.stage),
            }
        })
    }
}

/// The order of pre-releases: numbers by value and before words, fewer parts first.
fn stages(one: &[String], other: &[String]) -> Ordering {
    for (one, other) in one.iter().zip(other) {
        let order = match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => one.cmp(other),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    one.len().cmp(&other.len())
}

/// A version, and how many segments are written.
struct Written {
    version: Version,
    written: usize,
}

impl Written {
    fn parse(text: &str) -> Option<Written> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = text.split('+').next().unwrap_or_default();
        let (numbers, stage) = text.split_once('-').map_or((text, None), |it| (it.0, Some(it.1)));
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
        let segments = numbers.split('.').map(|it| it.parse().ok().filter(|_| is_number(it)));
        let mut segments: Vec<u64> = segments.collect::<Option<_>>()?;
        let written = segments.len();
        segments.resize(written.max(3), 0);
        let stage: Vec<String> =
            stage.into_iter().flat_map(|it| it.split('.')).map(str::to_owned).collect();
        let is_word = |it: &String| {
            !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        stage
            .iter()
            .all(is_word)
            .then_some(Written { version: Version { segments, stage }, written })
    }
}

/// `>= 4.0.0, < 6.0.0`; each one must hold.
pub(super) struct Constraints(Vec<(Operator, Written)>);

impl Constraints {
    pub fn parse(text: &str) -> Option<Constraints> {
        let one = |text: &str| {
            let text = text.trim();
            let (operator, version) = Operator::split(text);
            Some((operator, Written::parse(version)?))
        };
        text.split(',').map(one).collect::<Option<_>>().map(Constraints)
    }

    /// The only version that the constraint allows: `5.1.0`, `= 5.1.0`.
    pub fn only(&self) -> Option<&Version> {
        match self.0.as_slice() {
            [(Operator::Equal, it)] => Some(&it.version),
            _ => None,
        }
    }

    pub fn allow(&self, version: &Version) -> bool {
        self.0.iter().all(|(operator, it)| holds(*operator, version, it))
    }
}

/// Whether one constraint allows a version. A pre-release is only allowed by a constraint that names one of
/// the same numbers.
fn holds(operator: Operator, version: &Version, bound: &Written) -> bool {
    let limit = &bound.version;
    let order = version.order(limit);
    let is_exact = matches!(operator, Operator::Equal | Operator::NotEqual);
    if !is_exact && !version.stage.is_empty() {
        let is_named = !limit.stage.is_empty() && limit.segments == version.segments;
        if !is_named {
            return false;
        }
    }
    // All but the last written segment are fixed: `~> 1.2` is below 2, `~> 1.2.3` below 1.3.
    let fixed = bound.written.saturating_sub(1).max(1).min(limit.segments.len());
    operator.holds(order, version.segments.get(..fixed) == limit.segments.get(..fixed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_what_terraform_allows() {
        let cases = [
            (">= 5.0.0", "5.0.0", true),
            (">= 5.0.0", "4.99.1", false),
            ("~> 4.50.0", "4.50.9", true),
            ("~> 4.50.0", "4.51.0", false),
            ("~> 4.0", "4.9.1", true),
            ("~> 4.0", "5.0.0", false),
            ("~> 4", "4.9.0", true),
            (">= 4.10.0, < 6.0.0", "5.3.2", true),
            (">= 4.10.0, < 6.0.0", "6.0.0", false),
            ("!= 3.45.0", "3.45.0", false),
            ("= 1.2.3", "v1.2.3", true),
            ("1.2.3", "1.2.3+build", true),
            (">= 1.0.0", "2.0.0-beta", false),
            (">= 2.0.0-alpha", "2.0.0-beta.2", true),
            ("< 2", "1.99", true),
        ];
        for (constraint, version, wanted) in cases {
            let allows = Constraints::parse(constraint).unwrap();
            assert_eq!(
                allows.allow(&Version::parse(version).unwrap()),
                wanted,
                "{constraint} {version}"
            );
        }
        for wrong in ["", "a", "1..2", ">= x", "1.2.-", "*"] {
            assert!(Constraints::parse(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn versions_are_ordered_like_semantic_versions() {
        let ordered = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0",
            "1.0.1",
            "1.10",
        ];
        for pair in ordered.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|it| Version::parse(it).unwrap());
            assert_eq!(one.order(&other), Ordering::Less, "{pair:?}");
        }
    }
}
