//! Compares two schemas as a unified diff.

use similar::TextDiff;

use crate::schema::SchemaJson;
use diagnostics::visible_line;

/// A unified diff from the committed to the generated schema. Both are printed canonically, so that it
/// shows differences in meaning only. Empty if there are none.
pub fn unified_diff(committed: &SchemaJson, generated: &SchemaJson, path: &str) -> String {
    let (old, new) = (committed.to_text(false) + "\n", generated.to_text(false) + "\n");
    if old == new {
        return String::new();
    }
    let path = visible_line(path);
    let (old, new, cut) = comparable(&old, &new);
    let diff = TextDiff::from_lines(old, new);
    let (from, to) = (format!("{path} (committed)"), format!("{path} (generated)"));
    let text = diff.unified_diff().context_radius(3).header(&from, &to).to_string();
    match text.get(..MAX_BYTES).and_then(|it| it.rfind('\n')) {
        Some(end) if text.len() > MAX_BYTES => {
            format!("{}\n\\ The rest is not shown.\n", &text[..end])
        }
        _ => text + cut,
    }
}

/// The limit for the bytes of a difference: what nests deeply is mostly indentation.
const MAX_BYTES: usize = 200_000;

/// The limit for the lines that are compared behind the common beginning: the work grows up to the
/// square.
const MAX_LINES: usize = 5000;

/// The parts that are compared, and a last line that says if they are incomplete.
fn comparable<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str, &'static str) {
    let pairs = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let common: usize = pairs.take_while(|(old, new)| old == new).map(|it| it.0.len()).sum();
    let pairs = old[common..].lines().rev().zip(new[common..].lines().rev());
    let tail = pairs.take_while(|(old, new)| old == new).count();
    let is_long = |text: &str| text[common..].lines().count() > MAX_LINES + tail;
    if !is_long(old) && !is_long(new) {
        return (old, new, "");
    }
    let cut = |text: &'t str| {
        let lines = text[common..].split_inclusive('\n').take(MAX_LINES);
        &text[..common + lines.map(str::len).sum::<usize>()]
    };
    (cut(old), cut(new), "\\ The rest is not compared.\n")
}
