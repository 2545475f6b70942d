//! Reports a finding once that every caller of a module finds again.

use std::collections::HashSet;

use super::Report;
use diagnostics::Finding;

impl Report {
    /// Drops findings in a called module that the report has already: errors in its own files are found
    /// again by each caller.
    pub fn drop_repeated(&mut self) {
        let key = |finding: &Finding| {
            let place = finding.locations.first()?;
            Some((
                finding.rule.clone(),
                finding.message.clone(),
                place.file.clone(),
                place.line,
                place.column,
            ))
        };
        // Most runs have none; their keys would be half of all memory.
        if self.findings.iter().all(|it| it.address.is_empty()) {
            return;
        }
        self.drop_repeated_of_policies();
        let own = self.findings.iter().filter(|it| it.address.is_empty());
        let mut told: HashSet<_> = own.filter_map(key).collect();
        self.findings.retain(|finding| {
            finding.address.is_empty() || key(finding).is_none_or(|it| told.insert(it))
        });
    }

    /// Drops policy findings about a called module itself from its callers.
    fn drop_repeated_of_policies(&mut self) {
        let key = |finding: &Finding| {
            let (place, facts) = (finding.locations.first()?, finding.policy.as_ref()?);
            let (expected, found) = (facts.expected.clone(), facts.found.clone());
            let at = (place.file.clone(), place.line, place.column);
            let name = within_module(&finding.address).to_owned();
            Some((
                finding.rule.clone(),
                finding.level,
                at,
                name,
                finding.path.clone(),
                expected,
                found,
            ))
        };
        let is_of_called = |it: &Finding| within_module(&it.address).len() < it.address.len();
        let own = self.findings.iter().filter(|it| !is_of_called(it));
        let told: HashSet<_> = own.filter_map(key).collect();
        self.findings.retain(|finding| {
            !is_of_called(finding) || key(finding).is_none_or(|it| !told.contains(&it))
        });
    }
}

/// The address of an object inside of its own module.
fn within_module(address: &str) -> &str {
    let mut rest = address;
    while let Some(behind) = rest.strip_prefix("module.") {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let end = behind.find(|character| {
            if is_quoted {
                is_quoted = is_escaped || character != '"';
                is_escaped = !is_escaped && character == '\\';
                return false;
            }
            is_quoted = character == '"';
            character == '.'
        });
        let Some(end) = end else { break };
        rest = &behind[end + 1..];
    }
    rest
}
