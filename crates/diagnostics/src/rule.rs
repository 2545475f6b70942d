//! Rules, and how a diagnostic names its rule.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use smol_str::SmolStr;

use super::{Level, rules::RULES};

/// The declaration of a rule. Every rule is one `static` of [`super::rules`]; two rules are the same if
/// they are the same declaration.
#[derive(Debug)]
pub struct Rule {
    /// Stable, kebab-case, names the problem.
    pub id: &'static str,
    /// The level of its findings unless the configuration or the finding says otherwise.
    pub level: Level,
    /// One sentence.
    pub summary: &'static str,
    /// Why it has this level.
    pub reason: &'static str,
    /// The text of `docs/rules/<id>.md`, which `explain` prints.
    pub page: &'static str,
    /// The rule of the tflint ruleset that reports its findings; `None` if tflint itself or only `check`
    /// reports them.
    pub tflint: Option<&'static str>,
}

impl Rule {
    /// The rule with an id.
    pub fn find(id: &str) -> Option<&'static Rule> {
        RULES.binary_search_by(|it| it.id.cmp(id)).ok().map(|it| RULES[it])
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// The rule of a diagnostic or a finding: a declared [`Rule`], or one that this program knows by its id only.
///
/// Only ids are known of the rules in a report that another version wrote. The rules that users declare
/// themselves (`policy/ID`) are carried in the same way: [`RuleId::of_policy`] makes one, and nothing that compares
/// with a declared rule takes it for one.
///
/// ```
/// use diagnostics::{RuleId, rules};
///
/// assert!(RuleId::named("stale-schema") == rules::STALE_SCHEMA);
/// assert_eq!(RuleId::named("rule-of-tomorrow").declared(), None);
/// assert_eq!(RuleId::of_policy("no-public-bucket").policy(), Some("no-public-bucket"));
/// assert_eq!(RuleId::from(&rules::STALE_SCHEMA).to_string(), "stale-schema");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RuleId(Named);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Named {
    Declared(&'static Rule),
    /// Never the id of a declared rule.
    Other(SmolStr),
}

/// What the ids of rules that users declare begin with.
const POLICY: &str = "policy/";

impl RuleId {
    /// The declared rule of an id, or else an id of which nothing more is known.
    pub fn named(id: &str) -> RuleId {
        let other = || Named::Other(SmolStr::new(id));
        RuleId(Rule::find(id).map_or_else(other, Named::Declared))
    }

    /// The rule `policy/ID` that users declare as `rule "ID"`.
    pub fn of_policy(id: &str) -> RuleId {
        RuleId(Named::Other(SmolStr::new(format!("{POLICY}{id}"))))
    }

    /// The id that users gave it; `None` if it is of no policy.
    pub fn policy(&self) -> Option<&str> {
        self.as_str().strip_prefix(POLICY)
    }

    /// The declaration of the rule; `None` if it is not a rule of this program.
    pub fn declared(&self) -> Option<&'static Rule> {
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

    /// Whether it is one of these declared rules.
    pub fn is_one_of(&self, rules: &[&'static Rule]) -> bool {
        rules.iter().any(|it| *self == **it)
    }
}

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A newer version may have rules that this one does not know, but their ids have the same form.
impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleId, D::Error> {
        let id = String::deserialize(deserializer)?;
        let is_of_id = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        let rule = RuleId::named(&id);
        let plain = rule.policy().unwrap_or(&id);
        if plain.is_empty() || !plain.chars().all(is_of_id) {
            return Err(D::Error::custom(format!("{id:?} is no rule")));
        }
        Ok(rule)
    }
}

impl From<&'static Rule> for RuleId {
    fn from(rule: &'static Rule) -> RuleId {
        RuleId(Named::Declared(rule))
    }
}

impl PartialEq<Rule> for RuleId {
    fn eq(&self, rule: &Rule) -> bool {
        matches!(self.0, Named::Declared(it) if it == rule)
    }
}

impl Ord for RuleId {
    fn cmp(&self, other: &RuleId) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for RuleId {
    fn partial_cmp(&self, other: &RuleId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
