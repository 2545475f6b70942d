//! The rules that need more than a verdict: one a file.

pub(super) mod missing_schema;
pub(super) mod orphan_schema;
pub(super) mod schema_violation;
pub(super) mod stale_schema;
pub(super) mod unknown_attribute;

use super::module_run::Subject;
