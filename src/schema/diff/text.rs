//! Two schemas as a unified diff.

use similar::TextDiff;

use crate::{diagnostic::visible_line, schema::Json};

/// A unified diff from the committed to the generated schema, both printed canonically, so that it
/// shows only what differs in meaning. Empty when nothing does.
pub fn unified_diff(committed: &Json, generated: &Json, path: &str) -> String {
    let (old, new) = (committed.to_text(false) + "\n", generated.to_text(false) + "\n");
    if old == new {
        return String::new();
    }
    let path = visible_line(path);
    let diff = TextDiff::from_lines(&old, &new);
    let (from, to) = (format!("{path} (committed)"), format!("{path} (generated)"));
    diff.unified_diff().context_radius(3).header(&from, &to).to_string()
}
