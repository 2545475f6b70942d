//! What is known of an unknown value: what the beginning of a text tells, and what settles it.

use std::collections::BTreeMap;

use smol_str::SmolStr;
use unicode_segmentation::UnicodeSegmentation;

use super::{Content, Refinements, Type, Value, nfc};

/// Characters that combine with nothing that could follow.
const ENDS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";

impl Refinements {
    /// Of a text that is not null and begins like this.
    pub fn beginning_with(text: &str) -> Refinements {
        Refinements { not_null: true, prefix: safe_prefix(&nfc(text)), ..Refinements::default() }
    }

    /// The content of a collection whose length is known, as cty has it: a list of unknown
    /// elements, and a set or map where there is no choice.
    pub(super) fn settled(&self, ty: &Type) -> Option<Content> {
        let (Some((lower, true)), Some((upper, true))) = (&self.lower, &self.upper) else {
            return None;
        };
        if !self.not_null || lower != upper {
            return None;
        }
        let length = usize::try_from(lower.to_u64()?).ok()?;
        match ty {
            Type::Set(_) if length > 1 => None,
            Type::List(element) | Type::Set(element) => {
                let element = Value::unknown((**element).clone());
                Some(Content::sequence(vec![element; length]))
            }
            Type::Map(_) if length == 0 => Some(Content::mapping(BTreeMap::new())),
            _ => None,
        }
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
