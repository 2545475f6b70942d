//! The configured level of a finding.

use std::path::Path;

use super::UNREADABLE;
use config::Configurations;
use diagnostics::{Finding, Role, lints};

/// The finding at its configured level; `None` if it is turned off. Findings that a module cannot be read stay,
/// since nothing else about it was checked.
pub(super) fn adjust(configurations: &Configurations<'_>, finding: Finding) -> Option<Finding> {
    // A file cannot turn off errors in a policy's rules either.
    let is_of_policy = finding.rule == lints::INVALID_CONFIGURATION
        && finding.locations.first().is_some_and(|it| it.role == Role::Rule);
    if finding.rule.is_one_of(&UNREADABLE) || is_of_policy {
        return Some(finding);
    }
    if finding.rule == lints::FOREIGN_SCHEMA && !expects_schema(configurations, &finding) {
        return None;
    }
    let needs_schema = finding.rule == lints::SCHEMA_VIOLATION;
    if needs_schema
        && !expects_schema(configurations, &finding)
        && !configurations.has_schema(Path::new(&finding.module))
    {
        return None;
    }
    configurations.adjust(finding)
}

/// Whether a schema belongs where this finding is. Elsewhere a file of its name is somebody's own: tables of
/// BigQuery are described in a `schema.json`, too.
fn expects_schema(configurations: &Configurations<'_>, finding: &Finding) -> bool {
    let rule = (&lints::MISSING_SCHEMA).into();
    configurations.adjust(Finding { rule, ..finding.clone() }).is_some()
}
