//! What the beginning of a text tells about it while the rest is unknown.

use smol_str::SmolStr;
use unicode_segmentation::UnicodeSegmentation;

use super::{Refinements, nfc};

/// Characters that combine with nothing that could follow.
const ENDS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";

impl Refinements {
    /// Of a text that is not null and begins like this.
    pub fn beginning_with(text: &str) -> Refinements {
        Refinements { not_null: true, prefix: safe_prefix(&nfc(text)), ..Refinements::default() }
    }
}

/// The part of a prefix that nothing appended can change: all but the last grapheme cluster, and
/// that too where it is a delimiter that combines with nothing.
fn safe_prefix(text: &str) -> SmolStr {
    match text.grapheme_indices(true).next_back() {
        Some((_, last)) if last.len() == 1 && ENDS.contains(last) => text.into(),
        Some((at, _)) => text.get(..at).unwrap_or_default().into(),
        None => "".into(),
    }
}
