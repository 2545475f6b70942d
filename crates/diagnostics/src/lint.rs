//! Lints, and how a diagnostic names its lint. Users know a lint as a rule: `docs/rules` has a page for each.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use smol_str::SmolStr;

use super::{Level, lints::LINTS};

/// The declaration of a lint. Each one is a `static` of [`super::lints`]; two lints are the same if they are
/// the same declaration.
#[derive(Debug)]
pub struct Lint {
    /// Stable, kebab-case, names the problem.
    pub id: &'static str,
    /// The level of its findings unless the configuration or the finding says otherwise.
    pub level: Level,
    /// One sentence.
    pub summary: &'static str,
    /// Why it has this level.
    pub reason: &'static str,
}

impl Lint {
    /// The lint with an id.
    pub fn find(id: &str) -> Option<&'static Lint> {
        LINTS.binary_search_by(|it| it.id.cmp(id)).ok().map(|it| LINTS[it])
    }
}

impl PartialEq for Lint {
    fn eq(&self, other: &Lint) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Lint {}

impl Hash for Lint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// The lint of a diagnostic or a finding: a declared [`Lint`], or one that this program knows by its id only.
///
/// Only ids are known of the lints in a report that another version wrote. The policy rules that users declare
/// (`policy/ID`) are carried in the same way: [`LintId::of_policy`] makes one, and it equals no declared lint.
///
/// ```
/// use diagnostics::{LintId, lints};
///
/// assert!(LintId::named("stale-schema") == lints::STALE_SCHEMA);
/// assert_eq!(LintId::named("rule-of-tomorrow").declared(), None);
/// assert_eq!(LintId::of_policy("no-public-bucket").policy(), Some("no-public-bucket"));
/// assert_eq!(LintId::from(&lints::STALE_SCHEMA).to_string(), "stale-schema");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LintId(Named);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Named {
    Declared(&'static Lint),
    /// Never the id of a declared lint.
    Other(SmolStr),
}

/// The prefix of the ids of policy rules.
const POLICY: &str = "policy/";

impl LintId {
    /// The declared lint of an id, or else the id alone.
    pub fn named(id: &str) -> LintId {
        let other = || Named::Other(SmolStr::new(id));
        LintId(Lint::find(id).map_or_else(other, Named::Declared))
    }

    /// The policy rule `policy/ID` that users declare as `rule "ID"`.
    pub fn of_policy(id: &str) -> LintId {
        LintId(Named::Other(SmolStr::new(format!("{POLICY}{id}"))))
    }

    /// Whether users may give this id to a policy rule: lower-case letters, digits and dashes, a letter first.
    pub fn is_of_policy(id: &str) -> bool {
        let is_of_id = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        id.starts_with(|it: char| it.is_ascii_lowercase()) && id.chars().all(is_of_id)
    }

    /// The id that users gave a policy rule; `None` for a lint.
    pub fn policy(&self) -> Option<&str> {
        self.as_str().strip_prefix(POLICY)
    }

    /// The declaration of the lint; `None` if this program does not have it.
    pub fn declared(&self) -> Option<&'static Lint> {
        match self.0 {
            Named::Declared(rule) => Some(rule),
            Named::Other(_) => None,
        }
    }

    /// The id, for people and for reports.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Named::Declared(rule) => rule.id,
            Named::Other(id) => id,
        }
    }

    /// Whether it is one of these declared lints.
    pub fn is_one_of(&self, rules: &[&'static Lint]) -> bool {
        rules.iter().any(|it| *self == **it)
    }
}

impl Serialize for LintId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A newer version may have lints that this one does not know, but their ids have the same form.
impl<'de> Deserialize<'de> for LintId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LintId, D::Error> {
        let id = String::deserialize(deserializer)?;
        let is_of_id = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        let rule = LintId::named(&id);
        let plain = rule.policy().unwrap_or(&id);
        if plain.is_empty() || !plain.chars().all(is_of_id) {
            return Err(D::Error::custom(format!("{id:?} is not a rule")));
        }
        Ok(rule)
    }
}

impl From<&'static Lint> for LintId {
    fn from(rule: &'static Lint) -> LintId {
        LintId(Named::Declared(rule))
    }
}

impl PartialEq<Lint> for LintId {
    fn eq(&self, rule: &Lint) -> bool {
        matches!(self.0, Named::Declared(it) if it == rule)
    }
}

impl Ord for LintId {
    fn cmp(&self, other: &LintId) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for LintId {
    fn partial_cmp(&self, other: &LintId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for LintId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for LintId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
