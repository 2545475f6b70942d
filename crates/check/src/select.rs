//! `--select`: the rules whose findings a report shows.

use globset::{Glob, GlobMatcher};

use super::UNREADABLE;
use diagnostics::{Finding, LINTS, Lint, LintId, lints, suggestion};
use report::LeftOut;

/// Rules whose findings mean that a configuration or a values file could not be read.
const HIDES_VALUES: [&Lint; 3] =
    [&lints::INVALID_CONFIGURATION, &lints::INVALID_INPUT_SYNTAX, &lints::UNREADABLE_INPUT];

/// Rules by their ids or by patterns of ids, such as `unknown-attribute` or `*-schema`.
#[derive(Clone, Debug)]
pub struct Select {
    words: Vec<String>,
    patterns: Vec<GlobMatcher>,
}

impl Select {
    /// Reads ids and patterns. One text may have several, with commas between them. Errors: the id that no rule
    /// has.
    pub fn new(texts: &[String]) -> Result<Select, String> {
        let mut select = Select { words: Vec::new(), patterns: Vec::new() };
        for word in texts.iter().flat_map(|it| it.split(',')).map(str::trim) {
            let pattern = Glob::new(word).map_err(|it| format!("\"{word}\": {}", it.kind()))?;
            let pattern = pattern.compile_matcher();
            // The rules of a policy are known when it is read.
            let is_of_policy = LintId::named(word).policy().is_some();
            if !is_of_policy && !LINTS.iter().any(|it| pattern.is_match(it.id)) {
                let near = suggestion(word, LINTS.iter().map(|it| it.id));
                let near = near.map(|it| format!("; did you mean \"{it}\"?")).unwrap_or_default();
                return Err(format!("unknown rule \"{word}\"{near}"));
            }
            select.words.push(word.to_owned());
            select.patterns.push(pattern);
        }
        Ok(select)
    }

    /// Whether the rule is selected.
    pub fn names(&self, rule: &LintId) -> bool {
        self.patterns.iter().any(|it| it.is_match(rule.as_str()))
    }

    /// Keeps the findings of the selected rules, and those that something could not be read or was too much work:
    /// nobody knows what else would have been found there.
    pub(super) fn narrow(&self, findings: &mut Vec<Finding>, left_out: &mut LeftOut) {
        left_out.select.clone_from(&self.words);
        findings.retain(|it| {
            let hides_others = it.rule.is_one_of(&UNREADABLE) || it.rule.is_one_of(&HIDES_VALUES);
            let is_kept = hides_others || self.names(&it.rule);
            if !is_kept {
                left_out.count(it);
            }
            is_kept
        });
    }
}
